import CWebSockets

extension EventLoop {
  /// A request has arrived: answers it and writes as much as goes at once.
  ///
  /// A client that sends the next request before it has read this answer is disconnected, unless
  /// the answer left at once: libwebsockets would mix up the two.
  func beginResponse(_ connection: Connection, _ socket: OpaquePointer) -> Int32 {
    guard case .requesting = connection.stage, let listener = connection.listener, let handler
    else { return -1 }
    lws_set_timeout(socket, NO_PENDING_TIMEOUT, 0)
    setHTTPDeadline(of: connection)
    let headers = RequestHeaders(socket)
    let refusal = refusal(of: headers, to: connection)
    if let refusal, refusal != Self.foreignOrigin {
      return refuse(connection, socket, HTTPResponse(status: refusal))
    }
    let isHead = lws_hdr_total_length(socket, WSI_TOKEN_HEAD_URI) > 0
    let token = isHead ? WSI_TOKEN_HEAD_URI : WSI_TOKEN_GET_URI
    let path = header(token, of: socket)
    if let refusal, !(path.map { handler.isOpen(toOtherSites: $0) } ?? false) {
      return refuse(connection, socket, HTTPResponse(status: refusal))
    }
    guard let path else {
      let allow = HTTPField("allow", "GET, HEAD")
      return refuse(connection, socket, HTTPResponse(status: 405, headers: [allow]))
    }
    if requestHasBody(socket) {
      // Left to libwebsockets, a negative length would become a body of 2^64 bytes.
      return refuse(connection, socket, HTTPResponse(status: 413))
    }
    let request = HTTPRequest(
      id: connection.id,
      isHead: isHead,
      path: path,
      headers: headers,
      peer: connection.peer,
      isForeign: refusal != nil,
      listener: listener.id
    )
    let exchange = HTTPExchange(
      handler.respond(to: request),
      keepsAlive: keepsAlive(connection, socket),
      includesBody: !isHead
    )
    connection.stage = .responding(exchange)
    return continueResponse(connection, socket)
  }

  /// Writes more of a response, until the socket takes no more.
  func continueResponse(_ connection: Connection, _ socket: OpaquePointer) -> Int32 {
    guard case .responding(var exchange) = connection.stage else { return 0 }
    setHTTPDeadline(of: connection)
    while !exchange.isFinished {
      guard writeHTTP(exchange.next(upTo: ProtocolTable.writeSize), socket) else { return -1 }
      if lws_send_pipe_choked(socket) != 0 { break }
    }
    guard exchange.isFinished else {
      connection.stage = .responding(exchange)
      lws_callback_on_writable(socket)
      return 0
    }
    connection.stage = .requesting
    guard exchange.keepsAlive, !isShuttingDown else { return -1 }
    return lws_http_transaction_completed(socket) == 0 ? 0 : -1
  }

  /// Gives a client time for its next request, or for reading, within the life of its connection.
  private func setHTTPDeadline(of connection: Connection) {
    let left = max(httpTimeLeft(of: connection), .zero)
    setDeadline(of: connection, after: min(configuration.idleTimeout, left))
  }

  private func httpTimeLeft(of connection: Connection) -> Duration {
    configuration.httpLifetime - .microseconds(now - connection.accepted)
  }

  /// Whether the client wants, and this loop allows, another request on the connection.
  private func keepsAlive(_ connection: Connection, _ socket: OpaquePointer) -> Bool {
    // A client that is told in time asks anew without losing a request.
    guard !isShuttingDown, httpTimeLeft(of: connection) > configuration.idleTimeout,
      header(WSI_TOKEN_HTTP, of: socket) == "HTTP/1.1"
    else { return false }
    let options = header(WSI_TOKEN_CONNECTION, of: socket)?.lowercased().split(separator: ",") ?? []
    return !options.contains { $0.trimmingBlanks() == "close" }
  }

  /// Writes bytes of a response; what the socket does not take, libwebsockets keeps.
  @discardableResult
  func writeHTTP(_ bytes: [UInt8], _ socket: OpaquePointer) -> Bool {
    let target = scratch + Int(CLWS_PRE)
    precondition(bytes.count <= ProtocolTable.writeSize, "a piece fits the scratch space")
    for (index, byte) in bytes.enumerated() { target[index] = byte }
    return clws_write(socket, target, bytes.count, Int32(LWS_WRITE_HTTP.rawValue)) == bytes.count
  }
}

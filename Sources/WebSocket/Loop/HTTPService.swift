import CWebSockets

/// Answers the HTTP requests of a loop's clients, and those that ask for a WebSocket.
final class HTTPService {
  private let configuration: LoopConfiguration
  private let shutdown: ShutdownState
  private let connections: Connections
  private let webSockets: WebSocketService
  private let upgradeCheck: UpgradeCheck

  /// The part of a response that is written before other connections have their turn: a system that
  /// accepts megabytes at once would hold up everybody.
  private static let turnBytes = 256 << 10

  /// The status for pages of other sites.
  private static let foreignOrigin = 403

  init(
    _ configuration: LoopConfiguration,
    _ shutdown: ShutdownState,
    _ connections: Connections,
    _ webSockets: WebSocketService
  ) {
    self.configuration = configuration
    self.shutdown = shutdown
    self.connections = connections
    self.webSockets = webSockets
    upgradeCheck = UpgradeCheck(routes: configuration.routes, isBase: configuration.isBase)
  }

  // MARK: Responses

  /// A request has arrived: answers it and writes as much as goes at once.
  ///
  /// A client that sends the next request before it has read this answer is disconnected, unless
  /// the answer left at once: libwebsockets would mix up the two.
  func beginResponse(_ connection: Connection, _ socket: OpaquePointer) -> Int32 {
    guard case .requesting = connection.stage, let listener = connection.listener,
      let handler = connections.handler
    else { return -1 }
    lws_set_timeout(socket, NO_PENDING_TIMEOUT, 0)
    setDeadline(of: connection)
    let headers = RequestHeaders(socket)
    if !hasOneLength(socket) { return refuse(socket, HTTPResponse(status: 400)) }
    let isOld = header(WSI_TOKEN_HTTP, of: socket) == "HTTP/1.0"
    let refusal = refusal(of: headers, to: connection, mayLackHost: isOld)
    if let refusal, refusal != Self.foreignOrigin {
      return refuse(socket, HTTPResponse(status: refusal))
    }
    let isHead = lws_hdr_total_length(socket, WSI_TOKEN_HEAD_URI) > 0
    let token = isHead ? WSI_TOKEN_HEAD_URI : WSI_TOKEN_GET_URI
    let path = header(token, of: socket)
    if let refusal, !(path.map { handler.isOpen(toOtherSites: $0) } ?? false) {
      return refuse(socket, HTTPResponse(status: refusal))
    }
    guard let path else {
      let allow = HTTPField("allow", "GET, HEAD")
      return refuse(socket, HTTPResponse(status: 405, headers: [allow]))
    }
    guard isSpelledWell(path, connection) else {
      return refuse(socket, HTTPResponse(status: 404))
    }
    if requestHasBody(socket) {
      // Left to libwebsockets, a negative length would become a body of 2^64 bytes.
      return refuse(socket, HTTPResponse(status: 413))
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
    connection.advance(
      to: .answering(keepsAlive: keepsAlive(connection, socket), includesBody: !isHead)
    )
    // The deadline ends what is never answered.
    guard let response = handler.respond(to: request) else { return 0 }
    begin(response, connection)
    return continueResponse(connection, socket)
  }

  /// Answers a request whose answer took longer.
  func answer(_ connection: Connection, _ response: HTTPResponse) {
    guard case .answering = connection.stage, let socket = connection.socket else { return }
    begin(response, connection)
    setDeadline(of: connection)
    lws_callback_on_writable(socket)
  }

  private func begin(_ response: HTTPResponse, _ connection: Connection) {
    guard case .answering(let keepsAlive, let includesBody) = connection.stage else { return }
    let exchange = HTTPExchange(response, keepsAlive: keepsAlive, includesBody: includesBody)
    connection.advance(to: .responding(exchange))
  }

  /// Writes more of a response, until the socket takes no more or others are to have their turn.
  func continueResponse(_ connection: Connection, _ socket: OpaquePointer) -> Int32 {
    guard case .responding(var exchange) = connection.stage else { return 0 }
    setDeadline(of: connection)
    var written = 0
    while !exchange.isFinished, written < Self.turnBytes {
      let piece = exchange.next(upTo: ProtocolTable.writeSize)
      written += piece.count
      guard write(piece, socket) else { return -1 }
      if lws_send_pipe_choked(socket) != 0 { break }
    }
    guard exchange.isFinished else {
      connection.advance(to: .responding(exchange))
      lws_callback_on_writable(socket)
      return 0
    }
    connection.advance(to: .requesting)
    guard exchange.keepsAlive, !shutdown.hasBegun else { return -1 }
    return lws_http_transaction_completed(socket) == 0 ? 0 : -1
  }

  /// Gives a client time for its next request, or for reading, within the life of its connection.
  private func setDeadline(of connection: Connection) {
    let left = max(timeLeft(of: connection), .zero)
    connections.setDeadline(of: connection, after: min(configuration.idleTimeout, left))
  }

  private func timeLeft(of connection: Connection) -> Duration {
    configuration.httpLifetime - .microseconds(now - connection.accepted)
  }

  /// Returns whether the client wants, and this loop allows, another request on the connection.
  private func keepsAlive(_ connection: Connection, _ socket: OpaquePointer) -> Bool {
    // A client that is told in time asks again without losing a request.
    // What follows the first head, `HeadCheck` never sees.
    guard let listener = connection.listener, !HeadCheck.applies(to: listener),
      !shutdown.hasBegun, timeLeft(of: connection) > configuration.idleTimeout,
      header(WSI_TOKEN_HTTP, of: socket) == "HTTP/1.1"
    else { return false }
    let options = header(WSI_TOKEN_CONNECTION, of: socket)?.lowercased().split(separator: ",") ?? []
    return !options.contains { $0.trimmingBlanks() == "close" }
  }

  /// The status with which a request is refused whatever it asks for.
  ///
  /// The checks of balancers are in HTTP/1.0, which knows no host; a browser always names one.
  private func refusal(
    of headers: RequestHeaders,
    to connection: Connection,
    mayLackHost: Bool = false
  ) -> Int? {
    if shutdown.hasBegun { return 503 }
    if mayLackHost, headers.host == nil, headers.origin == nil { return nil }
    guard let policy = connection.listener?.configuration.originPolicy else { return nil }
    switch policy.verdict(host: headers.host, origin: headers.origin) {
    case .allowed: return nil
    case .foreignHost: return headers.host == nil ? 400 : 421
    case .foreignOrigin: return Self.foreignOrigin
    }
  }

  /// Returns whether the target of a request is a spelling of its path that the handler takes.
  ///
  /// With TLS only libwebsockets has seen the target.
  private func isSpelledWell(_ path: String, _ connection: Connection) -> Bool {
    guard let target = connection.target, let listener = connection.listener else { return true }
    return connections.handler?.mayAsk(for: path, by: target, at: listener.id) ?? true
  }

  /// Answers and hangs up.
  private func refuse(_ socket: OpaquePointer, _ response: HTTPResponse) -> Int32 {
    var exchange = HTTPExchange(response, keepsAlive: false, includesBody: true)
    _ = write(exchange.next(upTo: ProtocolTable.writeSize), socket)
    return -1
  }

  /// Writes bytes of a response; what the socket does not take, libwebsockets keeps.
  private func write(_ bytes: [UInt8], _ socket: OpaquePointer) -> Bool {
    // libwebsockets puts something of its own before the bytes.
    let head = Int(CLWS_PRE)
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: head + bytes.count) { buffer in
      guard let start = buffer.baseAddress else { return false }
      let target = start + head
      target.update(from: bytes, count: bytes.count)
      let kind = Int32(LWS_WRITE_HTTP.rawValue)
      return clws_write(socket, target, bytes.count, kind) == bytes.count
    }
  }

  // MARK: Upgrades

  /// Decides about an upgrade.
  ///
  /// The payload of this callback may point at freed memory and is never read.
  func confirmUpgrade(_ connection: Connection, _ socket: OpaquePointer) -> Int32 {
    guard case .requesting = connection.stage else { return -1 }
    let head = UpgradeHead(socket)
    let headers = RequestHeaders(socket)
    if let status = refusal(of: headers, to: connection) {
      return refuse(socket, HTTPResponse(status: status))
    }
    switch upgradeCheck.verdict(on: head) {
    case .reject(let status, let fields):
      return refuse(socket, HTTPResponse(status: status, headers: fields))
    case .accept(let route, let subprotocol):
      guard let handler = connections.handler, let listener = connection.listener else { return -1 }
      guard isSpelledWell(head.path, connection) else {
        return refuse(socket, HTTPResponse(status: 404))
      }
      let base = String(head.path.dropLast(route.path.count))
      let request = UpgradeRequest(
        id: connection.id,
        route: route,
        base: base,
        subprotocol: subprotocol,
        headers: headers,
        peer: connection.peer,
        listener: listener.id
      )
      if case .reject(let status, let fields) = handler.admit(request) {
        return refuse(socket, HTTPResponse(status: status, headers: fields))
      }
      connection.advance(to: .upgrading(route, base: base, subprotocol: subprotocol, headers))
      return 0
    }
  }

  /// The answer to an upgrade has been sent.
  func establish(_ connection: Connection, _ socket: OpaquePointer) -> Int32 {
    guard case .upgrading(let route, let base, let subprotocol, let headers) = connection.stage
    else {
      return -1
    }
    // libwebsockets parses the offers by itself; should it ever read them differently, it ends here.
    if let subprotocol {
      guard let name = lws_get_protocol(socket)?.pointee.name, String(cString: name) == subprotocol
      else { return -1 }
    }
    let info = ConnectionInfo(
      id: connection.id,
      role: .server,
      base: base,
      path: route.path,
      subprotocol: subprotocol,
      headers: headers,
      peer: connection.peer,
      endpoint: SocketAddress.local(of: lws_get_socket_fd(socket))?.endpoint ?? "",
      listener: connection.listener?.id
    )
    webSockets.begin(
      connection,
      info,
      (route.messageLimit, route.queueLimit),
      route.patience,
      greets: route.greets
    )
    return 0
  }
}

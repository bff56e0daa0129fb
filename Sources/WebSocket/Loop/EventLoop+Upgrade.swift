import CWebSockets

extension EventLoop {
  /// Decides about an upgrade.
  ///
  /// The payload of this callback may point at freed memory and is never read.
  func confirmUpgrade(_ connection: Connection, _ socket: OpaquePointer) -> Int32 {
    guard case .requesting = connection.stage else { return -1 }
    let head = UpgradeHead(socket)
    let headers = RequestHeaders(socket)
    if let status = refusal(of: headers, to: connection) {
      return refuse(connection, socket, HTTPResponse(status: status))
    }
    switch upgradeCheck.verdict(on: head) {
    case .reject(let status, let fields):
      return refuse(connection, socket, HTTPResponse(status: status, headers: fields))
    case .accept(let route, let subprotocol):
      guard let handler, let listener = connection.listener else { return -1 }
      let request = UpgradeRequest(
        id: connection.id,
        route: route,
        subprotocol: subprotocol,
        headers: headers,
        peer: connection.peer,
        listener: listener.id
      )
      if case .reject(let status, let fields) = handler.admit(request) {
        return refuse(connection, socket, HTTPResponse(status: status, headers: fields))
      }
      connection.stage = .upgrading(route, subprotocol: subprotocol, headers)
      return 0
    }
  }

  /// The status for pages of other sites.
  static let foreignOrigin = 403

  /// The status with which a request is refused whatever it asks for.
  func refusal(of headers: RequestHeaders, to connection: Connection) -> Int? {
    if isShuttingDown { return 503 }
    guard let policy = connection.listener?.configuration.originPolicy else { return nil }
    switch policy.verdict(host: headers.host, origin: headers.origin) {
    case .allowed: return nil
    case .foreignHost: return headers.host == nil ? 400 : 421
    case .foreignOrigin: return Self.foreignOrigin
    }
  }

  /// Answers and hangs up.
  func refuse(
    _ connection: Connection,
    _ socket: OpaquePointer,
    _ response: HTTPResponse
  ) -> Int32 {
    var exchange = HTTPExchange(response, keepsAlive: false, includesBody: true)
    writeHTTP(exchange.next(upTo: ProtocolTable.writeSize), socket)
    return -1
  }

  /// The answer to an upgrade has been sent.
  func establishServer(_ connection: Connection, _ socket: OpaquePointer) -> Int32 {
    guard case .upgrading(let route, let subprotocol, let headers) = connection.stage else {
      return -1
    }
    // libwebsockets parses the offers by itself; should it ever read them differently, it ends here.
    if let subprotocol {
      guard let name = lws_get_protocol(socket)?.pointee.name, String(cString: name) == subprotocol
      else { return -1 }
    }
    connection.stream = FrameStream(
      connection.id,
      messageLimit: route.messageLimit,
      queueLimit: route.queueLimit,
      isClient: false
    )
    connection.patience = route.patience
    if route.greets {
      // Until it has greeted, nobody is known to whom its bytes could be counted.
      setSender((name: "", unfinishedBytes: configuration.unauthenticatedBytes), of: connection)
    } else {
      unauthenticated.remove(connection.id)
      clearDeadline(of: connection)
    }
    begin(
      connection,
      ConnectionInfo(
        id: connection.id,
        role: .server,
        path: route.path,
        subprotocol: subprotocol,
        headers: headers,
        peer: connection.peer,
        listener: connection.listener?.id
      )
    )
    return 0
  }

  /// Tells the handler about a connection, from where on messages flow.
  func begin(_ connection: Connection, _ info: ConnectionInfo) {
    connection.stage = .open
    keepAlive(connection)
    handler?.connected(info)
    later { [unowned self] in takeOver(connection) }
  }
}

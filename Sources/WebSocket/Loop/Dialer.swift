import COpenSSL
import CWebSockets

/// Makes connections to servers, over one address of theirs after the other.
final class Dialer {
  private let library: ServiceContext
  private let schedule: Schedule
  private let shutdown: ShutdownState
  private let connections: Connections
  private let webSockets: WebSocketService
  /// Takes the result of looking up a name to the loop's thread.
  private let report: @Sendable (ConnectionID, Result<[String], WebSocketError>) -> Void
  private let resolver = NameResolver()

  init(
    _ library: ServiceContext,
    _ schedule: Schedule,
    _ shutdown: ShutdownState,
    _ connections: Connections,
    _ webSockets: WebSocketService,
    reportingLookups report:
      @escaping @Sendable (ConnectionID, Result<[String], WebSocketError>) -> Void
  ) {
    self.library = library
    self.schedule = schedule
    self.shutdown = shutdown
    self.connections = connections
    self.webSockets = webSockets
    self.report = report
  }

  /// Begins to connect; `connected` or `failed` follows, never before this returns.
  func connect(_ request: ConnectRequest) -> ConnectionID {
    let due = now + request.timeout.microseconds
    let connection = connections.make(
      nil,
      Peer(address: "", port: 0, userID: nil, isEncrypted: request.trust.isEncrypted),
      .connecting(ConnectAttempt(request: request, due: due))
    )
    connections.add(connection)
    if shutdown.hasBegun {
      connections.giveUp(
        connection,
        ConnectFailure(kind: .cancelled, message: "shutting down")
      )
      return connection.id
    }
    switch request.endpoint {
    case .unix(let path):
      attempt(connection, addresses: ["+\(path)"])
    case .tcp(let host, _):
      if Authority(host.contains(":") ? "[\(host)]" : host)?.isLiteral == true {
        attempt(connection, addresses: [host])
      } else {
        connections.setDeadline(of: connection, after: request.timeout)
        resolve(host, for: connection)
      }
    }
    return connection.id
  }

  private func resolve(_ host: String, for connection: Connection) {
    let id = connection.id
    let isStarted = resolver.resolve(host) { [report] result in report(id, result) }
    if !isStarted {
      connections.giveUp(
        connection,
        ConnectFailure(kind: .unreachable, message: "too many names to look up")
      )
    }
  }

  /// The addresses of a server are known, or that it has none.
  func goOn(_ id: ConnectionID, with result: Result<[String], WebSocketError>) {
    guard let connection = connections[id] else { return }
    switch result {
    case .success(let addresses):
      attempt(connection, addresses: addresses)
    case .failure(let error):
      connections.giveUp(
        connection,
        ConnectFailure(kind: .unreachable, message: error.message)
      )
    }
  }

  /// Tries the next address.
  private func attempt(_ connection: Connection, addresses: [String]) {
    guard case .connecting(var attempt) = connection.stage, let address = addresses.first else {
      return
    }
    attempt.addresses = Array(addresses.dropFirst())
    attempt.verdict = nil
    connection.advance(to: .connecting(attempt))
    // Every address gets its share of the time that is left.
    let share = max(attempt.due - now, 0) / Int64(addresses.count)
    connections.setDeadline(of: connection, after: .microseconds(share))
    guard let host = library.clientHost(for: attempt.request.trust) else {
      let message = "cannot read the authorities of \(attempt.request.trust)"
      connections.giveUp(connection, ConnectFailure(kind: .untrusted, message: message))
      return
    }
    // A failure inside the call is not reported by a callback.
    if !library.connect(connection, attempt.request, address: address, from: host) {
      settle(connection, message: "cannot connect")
    }
  }

  /// An address has failed: tries the next one, or ends the attempt.
  private func settle(_ connection: Connection, message: String, status: Int? = nil) {
    guard case .connecting(var attempt) = connection.stage else { return }
    connection.socket = nil
    if attempt.verdict == nil {
      attempt.verdict = ConnectFailure(
        kind: status == nil ? .unreachable : .refused,
        message: message,
        status: status
      )
    }
    connection.advance(to: .connecting(attempt))
    let isWorthwhile = !attempt.isReached && attempt.verdict?.kind == .unreachable
    if isWorthwhile, !attempt.addresses.isEmpty, !shutdown.hasBegun {
      let addresses = attempt.addresses
      schedule.later { [unowned self] in
        guard connections[connection.id] != nil else { return }
        self.attempt(connection, addresses: addresses)
      }
    } else {
      connections.end(connection)
    }
  }

  // MARK: The handshake

  /// Distributes the callbacks of connections that this side makes.
  func handle(
    _ reason: lws_callback_reasons,
    on socket: OpaquePointer,
    _ bytes: UnsafeMutableRawBufferPointer
  ) -> Int32 {
    switch reason {
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER,
      LWS_CALLBACK_CLIENT_FILTER_PRE_ESTABLISH,
      LWS_CALLBACK_CLIENT_ESTABLISHED,
      LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
      break
    default:
      return 0
    }
    guard let connection = Attachment.of(socket) as? Connection,
      case .connecting(let attempt) = connection.stage
    else { return -1 }
    switch reason {
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
      return appendHeaders(connection, attempt, socket, bytes)
    case LWS_CALLBACK_CLIENT_FILTER_PRE_ESTABLISH:
      return checkSubprotocol(connection, attempt, socket)
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
      establish(connection, attempt, socket)
    default:
      fail(connection, attempt, socket, UnsafeRawBufferPointer(bytes))
    }
    return 0
  }

  /// The last moment before the request leaves: the server's key and name are checked here, so that
  /// a token never reaches the wrong one.
  private func appendHeaders(
    _ connection: Connection,
    _ attempt: ConnectAttempt,
    _ socket: OpaquePointer,
    _ bytes: UnsafeMutableRawBufferPointer
  ) -> Int32 {
    var attempt = attempt
    attempt.isReached = true
    attempt.verdict = objection(to: socket, attempt.request)
    connection.advance(to: .connecting(attempt))
    guard attempt.verdict == nil,
      let end = bytes.baseAddress?.assumingMemoryBound(
        to: UnsafeMutablePointer<UInt8>?.self
      ),
      let start = end.pointee
    else { return -1 }
    for field in attempt.request.headers {
      let value = Array(field.value.utf8)
      let code = lws_add_http_header_by_name(
        socket,
        "\(field.name):",
        value,
        Int32(value.count),
        end,
        start + bytes.count
      )
      if code != 0 { return -1 }
    }
    return 0
  }

  /// The reason why the server must not be spoken to.
  private func objection(to socket: OpaquePointer, _ request: ConnectRequest) -> ConnectFailure? {
    guard request.trust.isEncrypted else { return nil }
    guard let session = lws_get_ssl(socket), let certificate = SSL_get1_peer_certificate(session)
    else { return ConnectFailure(kind: .untrusted, message: "the server has no certificate") }
    defer { X509_free(certificate) }
    if case .pin(let pin) = request.trust, !pin.begins(KeyPin(certificate: certificate)) {
      return ConnectFailure(kind: .otherKey, message: "the server's key is not the pinned one")
    }
    switch (request.trust, request.endpoint) {
    case (.system, .tcp(let host, _)) where request.isIPv6,
      (.authority, .tcp(let host, _)) where request.isIPv6:
      guard X509_check_ip_asc(certificate, host, 0) == 1 else {
        return ConnectFailure(
          kind: .untrusted,
          message: "the server's certificate is not for \(host)"
        )
      }
    default:
      break
    }
    return nil
  }

  /// libwebsockets lets a server ignore the subprotocol that was asked for.
  private func checkSubprotocol(
    _ connection: Connection,
    _ attempt: ConnectAttempt,
    _ socket: OpaquePointer
  ) -> Int32 {
    let agreed = header(WSI_TOKEN_PROTOCOL, of: socket)
    guard agreed != attempt.request.subprotocol else { return 0 }
    var attempt = attempt
    attempt.verdict = ConnectFailure(
      kind: .refused,
      message: "the server speaks another protocol",
      status: 101
    )
    connection.advance(to: .connecting(attempt))
    return -1
  }

  private func establish(
    _ connection: Connection,
    _ attempt: ConnectAttempt,
    _ socket: OpaquePointer
  ) {
    let request = attempt.request
    let remote = SocketAddress.remote(of: lws_get_socket_fd(socket))
    let info = ConnectionInfo(
      id: connection.id,
      role: .client,
      base: "",
      path: request.path,
      subprotocol: request.subprotocol,
      headers: RequestHeaders(),
      peer: Peer(
        address: remote?.host ?? "",
        port: remote?.port ?? 0,
        userID: nil,
        isEncrypted: request.trust.isEncrypted
      ),
      endpoint: remote?.endpoint ?? "",
      listener: nil
    )
    webSockets.begin(
      connection,
      info,
      (request.messageLimit, request.queueLimit),
      request.patience,
      greets: false
    )
  }

  /// The connection could not be made.
  private func fail(
    _ connection: Connection,
    _ attempt: ConnectAttempt,
    _ socket: OpaquePointer,
    _ text: UnsafeRawBufferPointer
  ) {
    let status = Int(lws_http_client_http_response(socket))
    let message = String(decoding: text.prefix { $0 != 0 && $0 != 10 }, as: UTF8.self)
    if attempt.request.trust.isEncrypted, !attempt.isReached, attempt.verdict == nil,
      let session = lws_get_ssl(socket)
    {
      var attempt = attempt
      let result = SSL_get_verify_result(session)
      let reason =
        result == X509_V_OK ? "TLS failed" : String(cString: X509_verify_cert_error_string(result))
      attempt.verdict = ConnectFailure(kind: .untrusted, message: reason)
      connection.advance(to: .connecting(attempt))
    }
    // The socket still exists and is about to be destroyed; it must not find the connection then.
    lws_set_opaque_user_data(socket, nil)
    settle(
      connection,
      message: status == 0 ? message : "the server answered \(status)",
      status: status == 0 ? nil : status
    )
  }
}

/// A WebSocket connection to make, to a server that says nothing before it is spoken to.
package struct ConnectRequest: Sendable {
  /// The place of a server.
  package enum Endpoint: Equatable, Sendable {
    /// A host (name or address, IPv6 without brackets) and a port.
    case tcp(host: String, port: UInt16)
    /// The path of a Unix socket, at most 107 bytes.
    case unix(path: String)
  }

  /// The place of the server.
  package let endpoint: Endpoint
  /// The server's way of proving its identity.
  package let trust: ServerTrust
  /// The path to ask for.
  package let path: String
  /// The one subprotocol to offer; the server must agree to it.
  package let subprotocol: String?
  /// Further headers, such as `authorization`.
  package let headers: [HTTPField]
  /// The most bytes in a message from the server; a larger one closes the connection with 1009.
  package let messageLimit: Int
  /// The most bytes that may wait to be sent.
  package let queueLimit: Int
  /// The time that everything from the name look-up to the answer may take.
  package let timeout: Duration
  /// The patience with a silent connection; nil for the usual one.
  package let patience: Patience?

  /// Creates a request.
  package init(
    endpoint: Endpoint,
    trust: ServerTrust = .plain,
    path: String,
    subprotocol: String?,
    headers: [HTTPField] = [],
    messageLimit: Int = Route.usualMessageLimit,
    queueLimit: Int = Route.usualQueueLimit,
    timeout: Duration = .seconds(10),
    patience: Patience? = nil
  ) {
    self.endpoint = endpoint
    self.trust = trust
    self.path = path
    self.subprotocol = subprotocol
    self.headers = headers
    self.messageLimit = messageLimit
    self.queueLimit = queueLimit
    self.timeout = timeout
    self.patience = patience
  }

  /// The `Host` header.
  var host: String {
    switch endpoint {
    case .unix: "localhost"
    case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
  }

  /// True if the host is a literal IPv6 address.
  var isIPv6: Bool {
    if case .tcp(let host, _) = endpoint { host.contains(":") } else { false }
  }
}

/// A connection that is being made, over one address after the other.
struct ConnectAttempt {
  let request: ConnectRequest
  /// The deadline for everything, in microseconds.
  let due: Int64
  /// The addresses that are left to try.
  var addresses: [String] = []
  /// The failure that this side found, in better words than libwebsockets has.
  var verdict: ConnectFailure?
  /// True if the server was reached: then other addresses will not help.
  var isReached = false
}

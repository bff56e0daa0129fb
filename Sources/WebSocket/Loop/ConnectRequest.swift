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
  /// How the server proves what it is.
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
  /// How long everything from the name look-up to the answer may take.
  package let timeout: Duration
  /// How it is found out that the connection is dead; nil for what is usual.
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

  /// Whether the host is a literal IPv6 address.
  var isIPv6: Bool {
    if case .tcp(let host, _) = endpoint { host.contains(":") } else { false }
  }
}

/// A connection that is being made, over one address after the other.
struct ConnectAttempt {
  let request: ConnectRequest
  /// When everything must be done, in microseconds.
  let due: Int64
  /// The addresses that are left to try.
  var addresses: [String] = []
  /// What this side found wrong, in better words than libwebsockets has.
  var verdict: ConnectFailure?
  /// Whether the server was reached: then other addresses will not help.
  var isReached = false
}

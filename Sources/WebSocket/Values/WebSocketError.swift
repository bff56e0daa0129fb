/// A failure in this library, with enough detail to act on it.
package struct WebSocketError: Error, Equatable, CustomStringConvertible {
  /// The kind of failure.
  package enum Code: String, Sendable {
    /// The event loop could not be created.
    case loopUnavailable
    /// The address cannot be bound: in use, not of this machine, or not permitted.
    case addressUnavailable
    /// Nobody can say now which address a name has.
    case namesUnavailable
    /// A certificate or key is missing, unreadable or does not fit its partner.
    case badCertificate
    /// The inbox of the loop is full, or the loop has stopped.
    case loopUnreachable
  }

  /// The kind of failure.
  package let code: Code
  /// The failure, in one sentence without a full stop.
  package let message: String

  /// Creates an error.
  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The code and the message.
  package var description: String { "\(code.rawValue): \(message)" }
}

/// The reason why a connection could not be made.
package struct ConnectFailure: Equatable, Sendable, CustomStringConvertible {
  /// The kind of failure, as far as it changes what to do next.
  package enum Kind: String, Sendable {
    /// Nobody answers: no such name, refused, or timed out.
    case unreachable
    /// The server's certificate or key is not the expected one, or TLS failed.
    case untrusted
    /// The server's key is not the pinned one.
    case otherKey
    /// The server answered, but not with a WebSocket.
    case refused
    /// This side gave up: the loop is shutting down, or the connection was closed meanwhile.
    case cancelled
  }

  /// The kind of failure.
  package let kind: Kind
  /// The failure, in one sentence without a full stop.
  package let message: String
  /// The HTTP status, when the server answered.
  package let status: Int?

  /// Creates a failure.
  package init(kind: Kind, message: String, status: Int? = nil) {
    self.kind = kind
    self.message = message
    self.status = status
  }

  /// The kind and the message.
  package var description: String { "\(kind.rawValue): \(message)" }
}

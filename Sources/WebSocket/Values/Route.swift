/// A path where WebSockets are accepted, and what may pass there.
package struct Route: Equatable, Sendable {
  /// The exact path.
  package let path: String
  /// The subprotocols, one of which the client must offer first among those this loop knows.
  package let subprotocols: [String]
  /// True if a client may offer no subprotocol at all.
  package let allowsNoSubprotocol: Bool
  /// The most bytes in a message; a larger one closes the connection with 1009.
  package let messageLimit: Int
  /// The most bytes that may wait to be sent on one connection.
  package let queueLimit: Int
  /// True if the handshake deadline goes on after the upgrade, until `keep` is called: for
  /// protocols that begin with a greeting of their own.
  package let greets: Bool
  /// The patience with a silent connection; nil for the usual one.
  package let patience: Patience?

  /// The usual limit of a message.
  package static let usualMessageLimit = 64 * 1024
  /// The usual limit of a queue.
  package static let usualQueueLimit = 1024 * 1024

  /// Creates a route.
  package init(
    path: String,
    subprotocols: [String],
    allowsNoSubprotocol: Bool = false,
    messageLimit: Int = Self.usualMessageLimit,
    queueLimit: Int = Self.usualQueueLimit,
    greets: Bool = false,
    patience: Patience? = nil
  ) {
    self.path = path
    self.subprotocols = subprotocols
    self.allowsNoSubprotocol = allowsNoSubprotocol
    self.messageLimit = messageLimit
    self.queueLimit = queueLimit
    self.greets = greets
    self.patience = patience
  }
}

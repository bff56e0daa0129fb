internal import WebSocket

/// What a node listens at, once it does.
struct NodeEndpoints: Sendable {
  /// The listener in the home.
  let local: ListenerID
  /// The port on the network.
  let port: UInt16
  /// The URL as bound.
  let url: String
  /// The URL of the page.
  let pageURL: String
  /// Whether the network listener encrypts.
  let isEncrypted: Bool
  /// Whether nobody outside this machine can reach the node.
  let isPrivate: Bool

  /// The name of the page's cookie; cookies know hosts and no ports, so the port is part of it.
  var cookieName: String { "hued-session-\(port)" }
}

internal import WebSocket

/// The addresses at which a node listens, once it does.
struct NodeEndpoints: Sendable {
  /// The listener in the home; nil for a node that serves nobody.
  let local: ListenerID?
  /// The listener on the network; nil for a node that serves nobody.
  let network: ListenerID?
  /// The certificate that the node makes for itself; nil where it uses none of its own.
  let ownCertificate: OwnCertificate?
  /// The port on the network.
  let port: UInt16
  /// The URL as bound.
  let url: String
  /// The URL of the page.
  let pageURL: String
  /// The URLs for join codes; none when nobody can connect.
  let joinAddresses: [String]
  /// The hash of the node's own TLS key; empty where there is none.
  let keyPin: [UInt8]
  /// True if the network listener encrypts.
  let isEncrypted: Bool
  /// True if nobody outside this machine can reach the node.
  let isPrivate: Bool

  /// The scheme of the listener on the network: `http` or `https`.
  var scheme: String { url.hasPrefix("https:") ? "https" : "http" }

  /// The name of the page's cookie; cookies know hosts and no ports, so the port is part of it.
  var cookieName: String { "hued-session-\(port)" }

  /// Those of a node that serves nobody, and only connects to its peers.
  static let none = NodeEndpoints(
    local: nil,
    network: nil,
    ownCertificate: nil,
    port: 0,
    url: "",
    pageURL: "",
    joinAddresses: [],
    keyPin: [],
    isEncrypted: false,
    isPrivate: true
  )
}

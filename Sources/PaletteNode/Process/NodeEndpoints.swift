internal import PaletteCommands
internal import WebSocket

/// The addresses at which a node listens, once it does.
struct NodeEndpoints: Sendable {
  /// The listener in the home; nil for a node that serves nobody.
  var local: ListenerID?
  /// The listener on the network; nil for a node that serves nobody.
  let network: ListenerID?
  /// The certificate that the node makes for itself; nil where it uses none of its own.
  let ownCertificate: OwnCertificate?
  /// The port on the network.
  let port: UInt16
  /// The path beneath which the library is served; empty for one that has the whole address.
  var base = ""
  /// The URL as bound.
  var url: String
  /// The URL of the page.
  var pageURL: String
  /// The URLs for join codes; none when nobody can connect.
  var joinAddresses: [String]
  /// The hash of the node's own TLS key; empty where there is none.
  let keyPin: [UInt8]
  /// True if the network listener encrypts.
  let isEncrypted: Bool
  /// True if nobody outside this machine can reach the node.
  var isPrivate: Bool

  /// The scheme of the listener on the network: `http` or `https`.
  var scheme: String { url.hasPrefix("https:") ? "https" : "http" }

  /// The name of the page's cookie; cookies know hosts and no ports, so the port is part of it.
  ///
  /// Libraries that are served by name are told apart by the cookie's path, and each may be served at any of
  /// several hubs, whose ports differ.
  var cookieName: String { base.isEmpty ? "hued-session-\(port)" : "hued-session" }

  /// The path of the page, to which the cookie of its session belongs.
  var pagePath: String { base + "/" }

  /// The addresses of a library that is served by name at these.
  func serving(_ name: String) -> NodeEndpoints {
    var named = self
    named.base = LibraryPath.base(of: name)
    named.url += named.base
    named.pageURL += named.base
    named.joinAddresses = joinAddresses.map { $0 + named.base }
    // Whoever reaches one library by its name is not let into the others.
    named.isPrivate = false
    return named
  }

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

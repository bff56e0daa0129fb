public import PaletteCommands
internal import PalettePeers
internal import WebSocket

/// The settings with which a node starts.
public struct NodeSettings: Sendable {
  /// True if others may connect; a command that only syncs serves nobody.
  package var isServing = true
  /// True if linked files follow their palettes.
  package var linksFiles = true
  /// The interval at which the node's own certificate is looked at.
  var certificateInterval: Duration = .seconds(3600)
  /// The address at which to listen.
  public var listen = ListenAddress.usual
  /// The socket that listens there already, where a service manager opened it.
  private(set) var passedSocket: Int32?
  /// The PEM files of certificate and key; nil for the node's own where it needs one.
  public var certificate: (certificateFile: String, keyFile: String)?
  /// The URL under which others reach the node.
  public var publicURL: String?
  /// Further web origins whose pages may use the node.
  public var allowedOrigins: [String] = []
  /// True if something in front of the node encrypts.
  public var isBehindProxy = false
  /// The bytes of changes that each member may have in the log.
  public var quotaBytes = WriteQuotas.usualBytes
  /// The most connections that a member may have to each of sync and RPC.
  public var connectionsOfMember = 64
  /// The web page that is served; nil for none, as in a program that only syncs.
  public var page: NodePage?
  /// True if `/echo` is served, for conformance suites.
  public var echoes = false
  /// The receiver of log lines; called on any thread.
  public var log: @Sendable (NodeLog) -> Void = { _ in }

  /// Creates the usual settings.
  public init() {}

  /// Refuses what cannot be right, before anything is made.
  func check() throws(APIError) {
    guard isServing else { return }
    guard !isBehindProxy || listen.isLoopback || publicURL != nil else {
      throw APIError(
        code: "bad-usage",
        message: "behind a proxy, other machines need the URL of the proxy",
        hint: "add --public-url https://HOST, or listen on a loopback address"
      )
    }
    let endpoint = endpoint
    do {
      try endpoint.check()
    } catch {
      // What a later start finds is no wrong flag.
      let isPassing = error.code == .namesUnavailable
      throw APIError(
        code: isPassing ? "failed" : "bad-usage",
        message: error.message,
        hint: isPassing ? nil : "choose another address with --listen HOST:PORT"
      )
    }
    do {
      try endpoint.checkHost()
      if let (certificateFile, keyFile) = certificate {
        _ = try TLSIdentity(certificateFile: certificateFile, keyFile: keyFile).validate()
      }
    } catch {
      throw APIError(starting: error)
    }
  }

  /// Sets the socket that a service manager opened as the one to listen on.
  ///
  /// - Throws: `bad-usage` where it is no such socket.
  package mutating func listen(onPassed descriptor: Int32) throws(APIError) {
    do {
      let (host, port) = try ListenerConfiguration.Endpoint.address(ofPassed: descriptor)
      listen = ListenAddress(host: host, port: port)
    } catch {
      throw APIError(
        code: "bad-usage",
        message: error.message,
        hint: "a unit of the service manager passes one socket, with ListenStream=HOST:PORT"
      )
    }
    passedSocket = descriptor
  }

  /// The place of the listener.
  var endpoint: ListenerConfiguration.Endpoint {
    passedSocket.map { .passed(descriptor: $0) } ?? .tcp(host: listen.host, port: listen.port)
  }

  /// The host of the public URL.
  var publicHost: String? {
    guard let publicURL, let start = publicURL.firstRange(of: "://")?.upperBound else { return nil }
    let authority = publicURL[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return authority.isEmpty ? nil : String(authority)
  }

  /// The address and port that peers dial, where the public URL is plain http on this machine; nil else.
  ///
  /// A proxy listens there, and what this node proves has to cover the address that was dialed.
  var dialedEndpoint: String? {
    guard let url = publicURL.flatMap({ PeerURL($0) }), !url.isEncrypted,
      !url.isPlainBeyondLoopback
    else { return nil }
    let host = url.host == "localhost" ? "127.0.0.1" : url.host
    return host.contains(":") ? "[\(host)]:\(url.port)" : "\(host):\(url.port)"
  }
}

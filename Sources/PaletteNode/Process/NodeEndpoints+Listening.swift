internal import PaletteCommands
internal import PalettePeers
internal import PalettePlatform
internal import PaletteStore
internal import WebSocket

extension NodeEndpoints {
  /// Opens both listeners, and makes sure that the one in the home can be reached.
  static func open(
    _ loop: EventLoop,
    _ home: HomeFolder,
    _ folder: LibraryFolder,
    _ settings: NodeSettings
  ) throws -> NodeEndpoints {
    guard settings.isServing else { return .none }
    let own = ownCertificate(for: settings, in: folder)
    var endpoints = try open(loop, settings, own)
    endpoints.local = try listen(loop, in: home, folder).id
    guard home.canConnect else {
      throw APIError(
        code: "storage",
        message: "the socket '\(folder.socketPath)' was made but cannot be reached"
      )
    }
    return endpoints
  }

  /// Opens a listener on the network alone, with the certificate that the settings name.
  static func open(_ loop: EventLoop, _ settings: NodeSettings) throws -> NodeEndpoints {
    try open(loop, settings, nil)
  }

  private static func open(
    _ loop: EventLoop,
    _ settings: NodeSettings,
    _ own: OwnCertificate?
  ) throws -> NodeEndpoints {
    let address = settings.listen
    let identity =
      try own.map { own in
        let (identity, isNew) = try own.keep()
        if isNew { settings.log(NodeLog(.info, .certificate, "made a certificate of its own")) }
        return identity
      } ?? settings.certificate.map { TLSIdentity(certificateFile: $0, keyFile: $1) }
    let hosts = [address.authority(port: 1)] + [settings.publicHost].compactMap { $0 }
    let listener = try loop.listen(
      ListenerConfiguration(
        endpoint: settings.endpoint,
        identity: identity,
        originPolicy: OriginPolicy(names: hosts, origins: settings.allowedOrigins),
        // All connections come from the proxy, so it has to limit them.
        unauthenticatedLimits: settings.isBehindProxy ? .none : .usual
      )
    )
    let scheme = identity == nil ? "http" : "https"
    let url = "\(scheme)://\(address.authority(port: listener.port))"
    let reachable = "\(scheme)://\(address.reachableAuthority(port: listener.port))"
    return NodeEndpoints(
      local: nil,
      network: listener.id,
      ownCertificate: own,
      port: listener.port,
      url: url,
      pageURL: settings.publicURL ?? reachable,
      joinAddresses: settings.publicURL.map { [$0] }
        ?? address.joinAuthorities(port: listener.port).map { "\(scheme)://\($0)" },
      // Nobody vouches for the node's own certificate, by whatever name others reach it. A given one
      // may get another key when it is renewed.
      keyPin: try settings.certificate == nil ? identity?.validate().bytes ?? [] : [],
      isEncrypted: identity != nil || settings.publicURL?.hasPrefix("https:") == true,
      isPrivate: address.isLoopback && !settings.isBehindProxy
    )
  }

  /// Opens the listener of the commands on this machine.
  private static func listen(
    _ loop: EventLoop,
    in home: HomeFolder,
    _ folder: LibraryFolder
  ) throws -> ListenerInfo {
    do {
      return try loop.listen(
        ListenerConfiguration(endpoint: .unix(path: home.socketPath), originPolicy: nil)
      )
    } catch {
      throw APIError(
        code: "storage",
        message: "'\(folder.socketPath)': \(error.message)",
        hint: "run 'hued doctor' to see what is wrong with the folder"
      )
    }
  }

  /// The certificate of the node's own; beyond this machine there always is one, unless another was
  /// given or a proxy encrypts.
  private static func ownCertificate(
    for settings: NodeSettings,
    in folder: LibraryFolder
  ) -> OwnCertificate? {
    guard settings.certificate == nil, !settings.listen.isLoopback, !settings.isBehindProxy else {
      return nil
    }
    return OwnCertificate(
      folder: folder.path,
      listen: settings.listen,
      publicURL: settings.publicURL
    )
  }
}

extension HomeFolder {
  /// True if somebody listens at the socket.
  var canConnect: Bool {
    guard let descriptor = connectedSocket() else { return false }
    close(descriptor)
    return true
  }
}

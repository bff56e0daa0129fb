internal import PaletteFormats
internal import PaletteModel
internal import PaletteStore
internal import PaletteSync

/// The commands about sharing palettes with other libraries.
enum SharingVerbs {
  private static let codeLifetime: Duration = .seconds(600)

  /// `share [PALETTE]`: a join code.
  static func share(_ call: LibraryCall) throws -> [UInt8] {
    guard let sharing = call.library.sharing, !sharing.joinAddresses.isEmpty else {
      throw APIError(
        code: "unreachable",
        message: "nobody could join: no node is running here",
        hint: "run 'hued serve' first"
      )
    }
    let store = try call.library.creating()
    let palette = try call.optionalPalette(in: store)
    let role = try call.role(usual: palette == nil ? .relay : .editor)
    let expires = try call.expiry() ?? call.library.now.advanced(by: codeLifetime)
    let secret = call.makeSecret()
    _ = try store.makeToken(
      secret: secret,
      role: role.rawValue,
      palette: palette,
      expiresMilliseconds: expires.milliseconds,
      isJoinCode: true
    )
    let code = JoinCode(
      addresses: sharing.joinAddresses,
      secret: secret,
      pin: sharing.keyPin
    )
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("code", code.text)
    writer.member("link", "\(sharing.joinAddresses[0])/#\(code.text)")
    writer.member("role", role.rawValue)
    writer.member("palette", palette?.description)
    writer.member("expires", expires.description)
    writer.endObject()
    return writer.bytes
  }

  /// `token [PALETTE] --role R`: a token for scripts.
  static func token(_ call: LibraryCall) throws -> [UInt8] {
    let store = try call.library.creating()
    let palette = try call.optionalPalette(in: store)
    let role = try call.role(usual: .viewer)
    let expires = try call.expiry()
    let secret = call.makeSecret()
    let token = try store.makeToken(
      secret: secret,
      role: role.rawValue,
      palette: palette,
      expiresMilliseconds: expires?.milliseconds,
      isJoinCode: false
    )
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("id", token.id)
    writer.member("token", Secret.text(secret))
    writer.member("role", role.rawValue)
    writer.member("palette", palette?.description)
    writer.member("expires", expires?.description)
    writer.endObject()
    return writer.bytes
  }

  /// `tokens`: the rights granted that still count.
  static func tokens(_ call: LibraryCall) throws -> [UInt8] {
    let now = call.library.now.milliseconds
    let tokens = try call.library.reading()?.tokens() ?? []
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("tokens")
    writer.beginArray()
    for token in tokens where !token.isRevoked && !token.isOver(milliseconds: now) {
      writer.beginObject()
      writer.member("id", token.id)
      writer.member("role", token.role)
      writer.member("palette", token.palette?.description)
      writer.member("node", token.node?.description)
      writer.member("created", Moment(milliseconds: token.createdMilliseconds).description)
      let expires = token.library == nil || !token.isJoinCode ? token.expiresMilliseconds : nil
      writer.member("expires", expires.map { Moment(milliseconds: $0).description })
      writer.member(
        "lastSeen",
        token.lastSeenMilliseconds.map { Moment(milliseconds: $0).description }
      )
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }

  /// `revoke TOKEN`: takes a right back, and ends its sessions.
  static func revoke(_ call: LibraryCall) throws -> [UInt8] {
    let argument = try call.parameters.text("token").lowercased()
    let store = try call.library.editing()
    let found = try store?.tokens().filter {
      !$0.isRevoked && argument.utf8.count >= 4 && $0.id.hasPrefix(argument)
    }
    guard let store, let token = found?.first else {
      throw APIError(
        code: "not-found",
        message: "there is no token '\(argument)'",
        hint: "'hued tokens' lists them"
      )
    }
    guard found?.count == 1 else {
      throw APIError(code: "ambiguous", message: "several tokens begin with '\(argument)'")
    }
    _ = try store.revokeToken(token.id)
    try call.library.sharing?.revoked(tokenID: token.id)
    return answer("revoked", token.id)
  }

  /// `join CODE`: remembers a peer and begins to connect; the caller waits for the first catch-up.
  static func join(_ call: LibraryCall) throws -> [UInt8] {
    let code = try JoinCode(try call.parameters.text("code"))
    try code.checkAddresses()
    guard let sharing = call.library.sharing else {
      throw APIError(code: "failed", message: "only a node can join")
    }
    let peer = StoredPeer(
      url: code.addresses[0],
      addresses: code.addresses,
      pin: code.pin,
      secret: code.secret,
      role: Role.relay.rawValue,
      palette: nil
    )
    try sharing.join(peer)
    return answer("peer", peer.url)
  }

  /// `leave PEER`: forgets a peer; what came from it stays.
  static func leave(_ call: LibraryCall) throws -> [UInt8] {
    let argument = try call.parameters.text("peer")
    let peers = try call.library.reading()?.peers() ?? []
    let exact = peers.filter { $0.url == argument }
    let found = exact.isEmpty ? peers.filter { $0.url.contains(argument) } : exact
    guard let peer = found.first else {
      throw APIError(
        code: "not-found",
        message: "'\(argument)' is no peer",
        hint: "'hued peers' lists them"
      )
    }
    guard found.count == 1 else {
      throw APIError(
        code: "ambiguous",
        message: "'\(argument)' fits \(found.count) peers",
        hint: found.map(\.url).joined(separator: ", ")
      )
    }
    if let sharing = call.library.sharing {
      try sharing.leave(url: peer.url)
    } else {
      _ = try call.library.editing()?.removePeer(peer.url)
    }
    return answer("left", peer.url)
  }

  /// An answer of one text.
  private static func answer(_ key: String, _ value: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member(key, value)
    writer.endObject()
    return writer.bytes
  }

  /// `peers`: where each joined peer stands.
  static func peers(_ call: LibraryCall) throws -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("peers")
    writer.beginArray()
    for peer in try call.library.peerStates() { writer.peer(peer) }
    writer.endArray()
    if let damage = call.library.sharing?.damage { writer.member("damage", damage.message) }
    writer.endObject()
    return writer.bytes
  }

  /// `sync`: connects to every peer at once; the caller waits.
  static func sync(_ call: LibraryCall) throws -> [UInt8] {
    guard let sharing = call.library.sharing else {
      throw APIError(code: "failed", message: "only a node can sync")
    }
    try sharing.syncNow()
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("received", sharing.receivedChanges)
    writer.member("pending", try call.library.peerStates().map(\.pending).max() ?? 0)
    writer.endObject()
    return writer.bytes
  }
}

extension StoredToken {
  /// Whether it can no longer be of use to anyone.
  fileprivate func isOver(milliseconds: Int64) -> Bool {
    guard let expiresMilliseconds, !isJoinCode || library == nil else { return false }
    return expiresMilliseconds < milliseconds
  }
}

extension LibraryCall {
  fileprivate func optionalPalette(in store: ChangeStore) throws -> PaletteID? {
    guard let argument = try parameters.optionalText("palette") else { return nil }
    return try store.visiblePalette(argument).id
  }

  fileprivate func role(usual: Role) throws(APIError) -> Role {
    guard let word = try parameters.optionalText("role") else { return usual }
    guard let role = Role(rawValue: word) else {
      throw APIError(
        code: "bad-value",
        message: "there is no role '\(word)'",
        hint: "the roles are \(Role.allCases.map(\.rawValue).joined(separator: ", "))"
      )
    }
    return role
  }

  /// When a right shall end: a duration from now, or a time.
  fileprivate func expiry() throws(APIError) -> Moment? {
    guard let text = try parameters.optionalText("expires") else { return nil }
    if let duration = Duration(compact: text) { return library.now.advanced(by: duration) }
    if let moment = Moment(iso8601: text), moment.milliseconds > library.now.milliseconds {
      return moment
    }
    throw APIError(
      code: "bad-time",
      message: "'\(text)' is no time to come",
      hint: "write 90s, 10m, 2h or 7d, or a time in ISO 8601"
    )
  }

  fileprivate func makeSecret() -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
  }
}

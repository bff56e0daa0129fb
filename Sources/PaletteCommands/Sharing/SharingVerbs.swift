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
    let expires = try call.expiry()
    let codeExpires = expires ?? call.library.now.advanced(by: codeLifetime)
    let secret = call.makeSecret()
    let grant = Grant(role, on: palette, expiresMilliseconds: expires?.milliseconds)
    try store.offer(
      grant,
      code: secret,
      codeExpiresMilliseconds: codeExpires.milliseconds,
      name: try call.parameters.optionalText("name"),
      maker: call.author.member
    )
    let code = JoinCode(
      addresses: sharing.joinAddresses,
      secret: secret,
      pin: sharing.keyPin,
      grant: Grant(role, on: palette),
      library: store.library,
      paletteName: try palette.flatMap { try store.summary(of: $0)?.name }
    )
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("code", code.text)
    writer.member("link", "\(sharing.joinAddresses[0])/#\(code.text)")
    writer.member("role", role.rawValue)
    writer.member("palette", palette?.description)
    writer.member("expires", codeExpires.description)
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
    let made = try store.makeMember(
      .script,
      secret: secret,
      grant: Grant(role, on: palette, expiresMilliseconds: expires?.milliseconds),
      name: try call.parameters.optionalText("name") ?? "",
      maker: call.author.member
    )
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("id", made.grant)
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
    let grants = try call.library.reading()?.grants() ?? []
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("tokens")
    writer.beginArray()
    for (grant, member) in grants where grant.counts(atMilliseconds: now) {
      let expires = member == nil ? grant.codeExpiresMilliseconds : grant.grant.expiresMilliseconds
      writer.beginObject()
      writer.member("id", grant.uid)
      writer.member("role", grant.grant.role.rawValue)
      writer.member("palette", grant.grant.palette?.description)
      writer.member("member", member?.uid)
      let name = member?.name ?? grant.name ?? ""
      writer.member("name", name.isEmpty ? nil : name)
      writer.member("kind", member?.kind.rawValue)
      writer.member("node", member?.node?.description)
      writer.member("created", Moment(milliseconds: grant.createdMilliseconds).description)
      writer.member("expires", expires.map { Moment(milliseconds: $0).description })
      writer.member(
        "lastSeen",
        member?.lastSeenMilliseconds.map { Moment(milliseconds: $0).description }
      )
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }

  /// `revoke TOKEN`: takes a right back, or all rights of a member, and ends their sessions.
  static func revoke(_ call: LibraryCall) throws -> [UInt8] {
    let argument = try call.parameters.text("token")
    guard let store = try call.library.editing() else { throw unknownToken(argument) }
    let live = try store.grants().filter { !$0.grant.isRevoked }
    let prefix = argument.lowercased()
    let byID = live.filter { prefix.utf8.count >= 4 && $0.grant.uid.hasPrefix(prefix) }
    guard byID.count <= 1 else {
      throw APIError(code: "ambiguous", message: "several tokens begin with '\(argument)'")
    }
    var found = byID
    if found.isEmpty {
      let members = live.filter { entry in
        guard let member = entry.member else { return entry.grant.name == argument }
        return member.name == argument || prefix.utf8.count >= 4 && member.uid.hasPrefix(prefix)
      }
      let ids = Set(members.map { $0.member?.uid ?? $0.grant.uid })
      guard ids.count <= 1 else {
        throw APIError(
          code: "ambiguous",
          message: "several members are called '\(argument)'",
          hint: ids.sorted().joined(separator: ", ")
        )
      }
      found = members
    }
    guard let first = found.first else { throw unknownToken(argument) }
    for entry in found { _ = try store.revokeGrant(entry.grant.uid) }
    try call.library.sharing?.rightsChanged()
    return answer("revoked", byID.isEmpty ? first.member?.uid ?? first.grant.uid : first.grant.uid)
  }

  private static func unknownToken(_ argument: String) -> APIError {
    APIError(
      code: "not-found",
      message: "there is no token or member '\(argument)'",
      hint: "'hued tokens' lists them"
    )
  }

  /// `join CODE`: remembers a peer and begins to connect; the caller waits for the first catch-up.
  static func join(_ call: LibraryCall) throws -> [UInt8] {
    let code = try JoinCode(try call.parameters.text("code"))
    try code.checkAddresses()
    guard let sharing = call.library.sharing else {
      throw APIError(code: "failed", message: "only a node can join")
    }
    return answer("peer", try sharing.join(code.invitation))
  }

  /// `leave PEER [PALETTE]`: gives back what a peer granted; what came from it stays.
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
    let palette = try leftPalette(call, peer)
    if let sharing = call.library.sharing {
      try sharing.leave(url: peer.url, palette: palette)
    } else if let store = try call.library.editing() {
      var rest = peer
      rest.grants.removeAll { palette == nil || $0.palette == palette }
      if rest.grants.isEmpty {
        _ = try store.removePeer(peer.url)
      } else {
        try store.save(rest)
      }
    }
    return answer("left", peer.url)
  }

  /// The palette that is given back; nil for all that the peer granted.
  private static func leftPalette(_ call: LibraryCall, _ peer: StoredPeer) throws -> PaletteID? {
    guard let argument = try call.parameters.optionalText("palette") else { return nil }
    let granted = peer.grants.compactMap(\.palette)
    let store = try call.library.reading()
    // A palette that never came has no name here.
    let byName = try? store?.visiblePalette(argument).id
    let prefix = argument.lowercased()
    let palette =
      byName
      ?? granted.first { prefix.utf8.count >= 4 && $0.description.hasPrefix(prefix) }
    guard let palette, granted.contains(palette) else {
      throw APIError(
        code: "not-found",
        message: "\(peer.url) granted nothing for '\(argument)' alone",
        hint: "'hued peers' shows what was granted; 'hued leave \(peer.url)' gives all of it back"
      )
    }
    return palette
  }

  /// An answer of one text.
  private static func answer(_ key: String, _ value: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member(key, value)
    writer.endObject()
    return writer.bytes
  }

  /// `open`: a link that opens the web page, once.
  static func open(_ call: LibraryCall) throws -> [UInt8] {
    guard let link = call.library.sharing?.makePageLink() else {
      throw APIError(
        code: "unreachable",
        message: "no node serves the page here",
        hint: "run 'hued serve' first"
      )
    }
    return answer("url", link)
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

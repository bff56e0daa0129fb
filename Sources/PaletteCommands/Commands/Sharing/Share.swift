package import PaletteMerge
package import PaletteModel
internal import PaletteStore
internal import PaletteSync

extension Command {
  package static let share = Command(
    "share",
    .sharing,
    .keep,
    view: .shared,
    summary: "Prints a join code for another machine or person",
    details: [
      "The code works once, for 10 minutes. With --expires it works until then, and the right "
        + "that it gives ends then too. With PALETTE the role is editor. Without PALETTE it gives everything, "
        + "palettes made later too, and the role is relay: on a terminal it asks first.",
      "The code is one word of letters and digits; line breaks, quotes and marks that a mail or a chat puts "
        + "into it do no harm.",
      "A viewer reads, an editor also pushes its own changes, a relay pushes anyone's, and an "
        + "owner also shares and revokes. A node must be running.",
      "With --public everybody may read the palette's files over HTTP, and nothing else; "
        + "`hued revoke` takes that back. It works without a node too.",
    ],
    positionals: [
      Positional("PALETTE", "share this palette only", need: .optional, content: .palette)
    ],
    flags: [
      .role, .expires, .memberName,
      Flag(
        "public",
        nil,
        "let everybody read the palette's files over HTTP, such as its stylesheet"
      ),
      Flag("qr", nil, "show the QR picture also where the terminal has no room for all of it"),
    ],
    examples: [
      .init("hued share", "share everything with another machine of yours"),
      .init("hued share Brand --role viewer", "let somebody read one palette"),
      .init("hued share Brand --public", "publish /p/Brand.css and its like"),
      .init("hued share Brand --name Ann --expires 7d", "lend a palette to Ann for a week"),
    ],
    otherNames: ["invite"]
  ) { call in
    if call.parameters.isSet("public") { return try call.publish() }
    let isWhole = try call.parameters.optionalText("palette") == nil
    let role = try call.role(usual: isWhole ? .relay : .editor)
    let expires = try call.expiry()
    guard let sharing = call.library.sharing, !sharing.joinAddresses.isEmpty else {
      throw APIError(
        code: "unreachable",
        message: "nobody could join: no node is running here",
        hint: "run 'hued serve' first"
      )
    }
    let store = try call.library.creating()
    let palette = try call.optionalPalette(in: store)
    let grant = try store.members.grant(
      Grant(role, on: palette, expiresMilliseconds: expires?.milliseconds),
      madeBy: call.author.member
    )
    let end = grant.expiresMilliseconds.map { Moment(milliseconds: $0) } ?? .latest
    let codeExpires = min(expires ?? call.library.now.advanced(by: .seconds(600)), end)
    let secret = Array(call.makeSecret().prefix(JoinCode.secretBytes))
    let id = try store.members.offer(
      grant,
      code: secret,
      codeExpiresMilliseconds: codeExpires.milliseconds,
      name: try call.parameters.optionalText("name"),
      maker: call.author.member
    )
    let code = JoinCode(
      addresses: Array(sharing.joinAddresses.prefix(JoinCode.addressLimit)),
      secret: secret,
      pin: sharing.keyPin,
      grant: Grant(role, on: palette),
      library: store.library,
      paletteName: try palette.flatMap { try store.summary(of: $0)?.name }
    )
    let link = "\(sharing.joinAddresses[0])/#\(code.text)"
    return SharedCode(
      id: id,
      code: code.text,
      link: link,
      qr: QRCode(link)?.rows,
      role: role,
      palette: palette,
      expires: codeExpires
    )
  }
  .with(\.programPart, .sharing)
  .with(\.clientPart, .sharing)
  .logged(as: "share", "shared")
}

extension LibraryCall {
  /// Publishes a palette; one that is published already stays so, until the time that is said now.
  fileprivate func publish() throws -> SharedCode {
    let store = try library.creating()
    guard let palette = try optionalPalette(in: store) else {
      throw APIError(
        code: "bad-usage",
        message: "which palette? The whole library cannot be published",
        hint: "hued share PALETTE --public"
      )
    }
    guard try role(usual: .viewer) == .viewer else {
      throw APIError(code: "bad-usage", message: "a public palette can only be read")
    }
    let grant = try store.members.grant(
      Grant(.viewer, on: palette, expiresMilliseconds: try expiry()?.milliseconds),
      madeBy: author.member
    )
    let own = try store.members.publicGrants().filter {
      $0.grant.palette == palette && $0.maker == author.member
    }
    let id =
      try own.first { $0.grant == grant }?.uid
      ?? store.members.makeMember(
        .public,
        secret: makeSecret(),
        grant: grant,
        name: try parameters.optionalText("name") ?? "everybody",
        maker: author.member
      ).grant
    // Published until another time, it is not public beyond that.
    let others = own.filter { $0.grant != grant }
    for other in others { _ = try store.members.revokeGrant(other.uid, by: author) }
    if !others.isEmpty { try library.sharing?.rightsChanged() }
    let base = library.sharing?.joinAddresses.first ?? ""
    return SharedCode(
      id: id,
      code: nil,
      link: "\(base)/p/\(palette).css",
      qr: nil,
      role: .viewer,
      palette: palette,
      expires: grant.expiresMilliseconds.map { Moment(milliseconds: $0) }
    )
  }
}

/// A join code, or where a palette is published.
package struct SharedCode: ObjectAnswer {
  /// The right, as `tokens` and `revoke` call it.
  package let id: String
  package let code: String?
  package let link: String
  let qr: [String]?
  package let role: Role
  package let palette: PaletteID?
  package let expires: Moment?

  package static let fields: [Field<Self>] = [
    Field("id", "for revoke") { $0.id },
    Field("code", "null for a public palette") { $0.code }, Field("link") { $0.link },
    Field("role") { $0.role.rawValue },
    Field("palette") { $0.palette?.description },
    Field("expires", "ISO 8601") { $0.expires?.description },
    Field("qr", "the link as a QR code: a row a text, 1 for a dark module, no border") { $0.qr },
  ]
}

extension Received where Form == SharedCode {
  package var code: String? { optionalText("code") }
  package var link: String { text("link") }
  package var palette: String? { optionalText("palette") }
  package var role: String { text("role") }
  package var expires: String? { optionalText("expires") }
  package var qr: [String]? { has("qr") ? texts("qr") : nil }
}

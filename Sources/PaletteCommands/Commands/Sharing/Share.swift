internal import PaletteModel
internal import PaletteStore
internal import PaletteSync

extension Command {
  package static let share = Command(
    "share",
    .sharing,
    .keep,
    summary: "Prints a join code for another machine or person",
    details: [
      "The code works once, for 10 minutes. With --expires it works until then, and the right "
        + "that it gives ends then too. Without PALETTE it covers the whole library, and the "
        + "role is relay; with PALETTE the role is editor.",
      "A viewer reads, an editor also pushes its own changes, a relay pushes anyone's, and an "
        + "owner also shares and revokes. A node must be running.",
    ],
    positionals: [
      Positional("PALETTE", "share this palette only", need: .optional, content: .palette)
    ],
    flags: [.role, .expires, .memberName],
    examples: [
      .init("hued share", "share everything with another machine of yours"),
      .init("hued share Brand --role viewer", "let somebody read one palette"),
      .init("hued share Brand --name Ann --expires 7d", "lend a palette to Ann for a week"),
    ],
    otherNames: ["invite"]
  ) { call in
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
    let codeExpires = expires ?? call.library.now.advanced(by: .seconds(600))
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
    let link = "\(sharing.joinAddresses[0])/#\(code.text)"
    return SharedCode(
      code: code.text,
      link: link,
      qr: QRCode(link)?.rows,
      role: role,
      palette: palette,
      expires: codeExpires
    )
  }
}

/// A join code.
private struct SharedCode: ObjectAnswer {
  let code: String
  let link: String
  let qr: [String]?
  let role: Role
  let palette: PaletteID?
  let expires: Moment

  static let fields: [Field<Self>] = [
    Field("code") { $0.code }, Field("link") { $0.link }, Field("role") { $0.role.rawValue },
    Field("palette") { $0.palette?.description },
    Field("expires", "ISO 8601") { $0.expires.description },
    Field("qr", "the link as a QR code: a row a text, 1 for a dark module, no border") { $0.qr },
  ]
}

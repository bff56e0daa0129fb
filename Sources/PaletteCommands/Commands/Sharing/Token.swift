internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore
internal import PaletteSync

extension Command {
  package static let token = Command(
    "token",
    .sharing,
    .keep,
    view: .token,
    summary: "Prints a token for scripts",
    details: ["The token is shown once, and stored hashed. Without --role it is a viewer's."],
    positionals: [
      Positional("PALETTE", "for this palette only", need: .optional, content: .palette)
    ],
    flags: [.role, .expires, .memberName],
    examples: [.init("hued token Brand --role viewer", "let a script read one palette")]
  ) { call in
    let store = try call.library.creating()
    let palette = try call.optionalPalette(in: store)
    let role = try call.role(usual: .viewer)
    let grant = try store.members.grant(
      Grant(role, on: palette, expiresMilliseconds: try call.expiry()?.milliseconds),
      madeBy: call.author.member
    )
    let secret = call.makeSecret()
    let made = try store.members.makeMember(
      .script,
      secret: secret,
      grant: grant,
      name: try call.parameters.optionalText("name") ?? "",
      maker: call.author.member
    )
    return MadeToken(
      id: made.grant,
      token: Secret.text(secret),
      role: role,
      palette: palette,
      expires: grant.expiresMilliseconds.map { Moment(milliseconds: $0) }
    )
  }
  .logged(as: "token", "made a token")
}

/// A token, which is shown once.
package struct MadeToken: ObjectAnswer {
  let id: String
  let token: String
  let role: Role
  let palette: PaletteID?
  let expires: Moment?

  package static let fields: [Field<Self>] = [
    Field("id") { $0.id }, Field("token") { $0.token }, Field("role") { $0.role.rawValue },
    Field("palette") { $0.palette?.description },
    Field("expires", "ISO 8601") { $0.expires?.description },
  ]
}

extension Received where Form == MadeToken {
  package var id: String { text("id") }
  package var token: String { text("token") }
  package var role: String { text("role") }
  package var expires: String? { optionalText("expires") }
}

internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let tokens = Command(
    "tokens",
    .sharing,
    .read,
    view: .accesses,
    summary: "Lists the rights that were granted",
    details: [
      "Columns when piped: id, role, palette, node, created, expires, last seen, member, name, "
        + "kind, granted by. A join code that nobody has redeemed has no member. What an owner "
        + "granted ends with that owner's own right."
    ],
    examples: [.init("hued tokens", "see who may do what")],
    access: .owner
  ) { call in
    let now = call.library.now.milliseconds
    let store = try call.library.reading()
    let grants = try store?.members.grants() ?? []
    let live = grants.filter { $0.grant.counts(atMilliseconds: now) }
    // Who grants was granted that, and so is among the members.
    let members = Dictionary(
      grants.compactMap(\.member).map { ($0.id, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    let presences = try call.library.sharing?.presences(of: live.compactMap(\.member)) ?? [:]
    return TokensAnswer(
      tokens: try live.map { grant, member in
        GrantedRight(
          grant: grant,
          member: member,
          maker: grant.maker.flatMap { members[$0] },
          paletteName: try grant.grant.palette.flatMap { try store?.summary(of: $0)?.name },
          lastSeen: member.flatMap { member in
            presences[member.id]?.isLive == true ? now : member.lastSeenMilliseconds
          }
        )
      }
    )
  }
  .with(\.isPaged)
}

/// The rights that were granted and still count.
package struct TokensAnswer: ObjectAnswer {
  let tokens: [GrantedRight]

  package static let fields: [Field<Self>] = [Field("tokens") { $0.tokens }]
}

package struct GrantedRight: ObjectAnswer {
  let grant: StoredGrant
  let member: Member?
  let maker: Member?
  let paletteName: String?
  /// When the member was last there: now, while it is connected.
  let lastSeen: Int64?

  private var name: String { member?.name ?? grant.name ?? "" }

  private var expires: Int64? {
    member == nil ? grant.codeExpiresMilliseconds : grant.grant.expiresMilliseconds
  }

  package static let fields: [Field<Self>] = [
    Field("id") { $0.grant.uid }, Field("role") { $0.grant.grant.role.rawValue },
    Field("palette") { $0.grant.grant.palette?.description },
    Field(whereKnown: "paletteName", "its name") { $0.paletteName },
    Field("member") { $0.member?.uid },
    Field("name") { $0.name.isEmpty ? nil : $0.name },
    Field(whereKnown: "letInAs", "the name that it was granted under, if that is another") {
      $0.member.flatMap($0.grant.otherName)
    },
    Field("kind") { $0.member?.kind.rawValue },
    Field("node") { $0.member?.node?.description },
    Field("created", "ISO 8601") { $0.grant.createdMilliseconds.moment },
    Field("expires", "ISO 8601") { $0.expires.map { $0.moment } },
    Field("lastSeen", "ISO 8601") { $0.lastSeen.map { $0.moment } },
    Field("grantedBy", "null for the library itself") { $0.maker.map { GrantMaker(member: $0) } },
  ]
}

/// The owner that granted a right.
private struct GrantMaker: ObjectAnswer {
  let member: Member

  static let fields: [Field<Self>] = [
    Field("member") { $0.member.uid },
    Field("name") { $0.member.name.isEmpty ? nil : $0.member.name },
  ]
}

extension Received where Form == TokensAnswer {
  package var tokens: [Received<GrantedRight>] { parts("tokens") }
}

extension Received where Form == GrantedRight {
  package var id: String { text("id") }
  package var role: String { text("role") }
  package var palette: String? { optionalText("palette") }
  package var paletteName: String? { optionalText("paletteName") }
  package var member: String { text("member") }
  package var name: String { text("name") }
  /// The name that it was granted under; nil where the member is called so.
  package var formerName: String? { optionalText("letInAs") }
  /// The kind of the member; nil where nobody has redeemed the code.
  package var kind: String? { optionalText("kind") }
  package var node: String { text("node") }
  package var created: String { text("created") }
  package var expires: String? { optionalText("expires") }
  package var lastSeen: String? { optionalText("lastSeen") }
  /// The owner that granted it, by name if there is one; nil for the library itself.
  package var maker: String? {
    let maker: Received<GrantMaker> = part("grantedBy")
    return maker.optionalText("name") ?? maker.optionalText("member")
  }
}

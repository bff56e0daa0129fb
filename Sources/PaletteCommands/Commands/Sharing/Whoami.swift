internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let whoami = Command(
    "whoami",
    .sharing,
    .read,
    view: .caller,
    summary: "Tells who asks, and with what rights",
    details: [
      "On this machine that is the library itself, which may do everything; a script or a page learns "
        + "what it was granted."
    ],
    examples: [.init("hued whoami", "see under which name and node id your edits appear")],
    otherNames: ["me", "identity"],
    remark:
      "role is the one for the whole library, null for whoever has rights on single palettes alone; "
      + "node is null before the first edit"
  ) { call in
    let author = call.author
    guard let store = try call.library.reading() else {
      return CallerAnswer(
        member: nil,
        grants: [Grant(.owner)],
        node: nil,
        author: call.library.ownName
      )
    }
    return try CallerAnswer(author, store)
      ?? CallerAnswer(
        member: nil,
        grants: [Grant(.owner)],
        node: store.presentNode(of: .library),
        author: call.library.ownName
      )
  }
  .with(\.isWithinAnyScope)

  package static let introduce = Command(
    "introduce",
    .sharing,
    .keep,
    view: .caller,
    summary: "Changes the name that is shown beside the caller's edits",
    remark: "for scripts and pages; the library's own name is a setting",
    access: .viewer,
    parameters: [Parameter("name", .text(), "the name that the caller wants; a claim")]
  ) { call in
    let name = try call.parameters.name("name")
    guard let number = call.author.member, let store = try call.library.editing() else {
      throw APIError(
        code: "bad-usage",
        message: "the library's own name is a setting",
        hint: "hued config set name NAME"
      )
    }
    try store.members.rename(number, to: name)
    guard let caller = try CallerAnswer(call.author, store) else {
      throw APIError(code: "not-found", message: "the member is gone")
    }
    return caller
  }.ofAPIAlone
    .with(\.isWithinAnyScope)
}

extension CallerAnswer {
  /// Describes a member that calls; nil for the library itself, or a member that is gone.
  fileprivate init?(_ author: AuthorID, _ store: ChangeStore) throws {
    guard let number = author.member, let member = try store.members.member(number) else {
      return nil
    }
    self.init(
      member: member,
      grants: try store.members.liveGrants(of: member.id),
      node: store.presentNode(of: author),
      author: try store.authors.name(of: author)
    )
  }
}

/// The maker of a call.
package struct CallerAnswer: ObjectAnswer {
  /// The member; nil for the library itself.
  let member: Member?
  let grants: [Grant]
  /// The node id of the caller's edits; nil where it has to take one.
  let node: NodeID?
  let author: String?

  package static let schemaName = "Caller"
  package static let fields: [Field<Self>] = [
    Field("member", "null for the library itself") { $0.member?.uid },
    Field("name", "what the caller is called") { $0.author },
    Field("kind", "machine, script, page, or null for the library itself") {
      $0.member?.kind.rawValue
    },
    Field("role", "for the whole library: viewer, editor, relay, owner or null") {
      Trust.member($0.grants).libraryRole?.rawValue
    },
    Field("grants") { $0.grants.map { GrantAnswer(grant: $0) } },
    Field("node", "under which the caller's edits are made") { $0.node?.description },
    Field("author", "what is shown beside the caller's edits") { $0.author },
  ]
}

extension Received where Form == CallerAnswer {
  /// The id of the member; nil for the library itself.
  package var member: String? { optionalText("member") }
  package var name: String { text("name") }
  package var kind: String { text("kind") }
  package var grants: [Received<GrantAnswer>] { parts("grants") }
  package var node: String { text("node") }
}

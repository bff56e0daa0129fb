internal import PaletteMerge
package import PaletteModel
internal import PaletteStore

extension LibraryAccess {
  /// Everyone who is let in, in the order of names; codes that nobody has redeemed let nobody in.
  ///
  /// - Parameter palette: The palette that alone counts, with those who may read it; nil for all.
  /// - Returns: The members.
  /// - Throws: `StoreError` when the store failed.
  package func memberStates(of palette: PaletteID? = nil) throws -> [MemberState] {
    guard let store = try reading() else { return [] }
    let now = now.milliseconds
    var grants: [Int64: [StoredGrant]] = [:]
    var members: [Int64: Member] = [:]
    for (grant, member) in try store.members.grants() {
      guard let member, member.kind != .public, grant.counts(atMilliseconds: now) else { continue }
      members[member.id] = member
      grants[member.id, default: []].append(grant)
    }
    let told = members.values.filter { member in
      palette.map { Trust.member((grants[member.id] ?? []).map(\.grant)).reads($0) } ?? true
    }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    let presences = try sharing?.presences(of: told) ?? [:]
    return told.map { member in
      var presence = presences[member.id] ?? MemberPresence()
      // Whoever keeps no library lacks nothing.
      if member.kind != .machine { presence.pending = 0 }
      return MemberState(member: member, presence: presence, grants: grants[member.id] ?? [])
    }
  }
}

extension LibraryCall {
  /// Whether the library's owner asks, or somebody with an owner's rights.
  private func isAskedByOwner(in store: ChangeStore?) throws -> Bool {
    guard let member = author.member else { return true }
    return Trust.member(try store?.members.liveGrants(of: member) ?? []).shares
  }

  /// Everyone who is let in; nil where it is no owner who asks.
  func members(of palette: PaletteID? = nil) throws -> [MemberAnswer]? {
    guard try isAskedByOwner(in: library.reading()) else { return nil }
    return try library.memberStates(of: palette).map { MemberAnswer(state: $0) }
  }
}

/// A member as `status` and `peers` tell of it.
package struct MemberAnswer: ObjectAnswer {
  /// The connection of a member.
  package enum Attendance: String, CaseIterable {
    case live, away
  }

  /// The kinds that are told of.
  package enum Kind: String, CaseIterable {
    case machine, script, page
  }

  let state: MemberState

  private var attendance: Attendance { state.presence.isLive ? .live : .away }

  package static let schemaName = "Member"
  package static let fields: [Field<Self>] = [
    Field("member") { $0.state.member.uid },
    Field("name") { $0.state.member.name.isEmpty ? nil : $0.state.member.name },
    Field("kind", words: Kind.allCases.map(\.rawValue)) { $0.state.member.kind.rawValue },
    Field("state", words: Attendance.allCases.map(\.rawValue)) { $0.attendance.rawValue },
    Field("since", "ISO 8601") { $0.state.presence.sinceMilliseconds.map { $0.moment } },
    Field("lastContact", "ISO 8601") { $0.state.lastContactMilliseconds.map { $0.moment } },
    Field("pending", "changes that it lacks; null where that is not known") {
      $0.state.presence.pending
    },
    Field("views", "the palettes in view") { $0.state.presence.views.map(\.description) },
  ]
}

extension Received where Form == MemberAnswer {
  package var member: String { text("member") }
  package var name: String? { optionalText("name") }
  package var kind: Word<MemberAnswer.Kind> { word("kind") }
  package var state: Word<MemberAnswer.Attendance> { word("state") }
  package var since: String? { optionalText("since") }
  package var lastContact: String? { optionalText("lastContact") }
  package var pending: Int? { integer("pending") }
  package var views: [String] { texts("views") }
}

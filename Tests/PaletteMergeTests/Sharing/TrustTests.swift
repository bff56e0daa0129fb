import PaletteMerge
import PaletteModel
import Testing

/// The table of what a peer may cause, cell by cell.
struct TrustTests {
  private static let palette = PaletteID(RecordID(high: 1, low: 1))
  private static let other = PaletteID(RecordID(high: 1, low: 2))
  private static let own = NodeID(7)
  private static let stranger = NodeID(8)

  /// A standing with a grant on one palette, and what it may cause.
  struct Row: CustomTestStringConvertible {
    let testDescription: String
    let trust: Trust
    /// Changes of its own ids, and of anybody's; state and issuing again; the clock; presence of
    /// anybody.
    let ownChanges: Bool
    let anyChanges: Bool
    let state: Bool
    let clock: Bool
    let anyPresence: Bool
    /// What may be pushed there: own changes, anybody's, snapshots.
    let pushesOwn: Bool
    let pushesAny: Bool
    let pushesState: Bool
  }

  private static func row(_ name: String, _ trust: Trust, _ cells: String) -> Row {
    let cells = cells.map { $0 == "x" }
    return Row(
      testDescription: name,
      trust: trust,
      ownChanges: cells[0],
      anyChanges: cells[1],
      state: cells[2],
      clock: cells[3],
      anyPresence: cells[4],
      pushesOwn: cells[5],
      pushesAny: cells[6],
      pushesState: cells[7]
    )
  }

  private static func member(_ role: Role) -> Trust {
    .member([Grant(role, on: palette)], nodes: [own])
  }

  private static func hub(_ role: Role) -> Trust { .hub([Grant(role, on: palette)]) }

  static let rows = [
    row("a viewer", member(.viewer), ".....xxx"),
    row("an editor", member(.editor), "x....xxx"),
    row("a relay", member(.relay), "xxxxxxxx"),
    row("an owner", member(.owner), "xxxxxxxx"),
    row("a hub joined as viewer", hub(.viewer), "xxxxx..."),
    row("a hub joined as editor", hub(.editor), "xxxxxx.."),
    row("a hub joined as relay", hub(.relay), "xxxxxxxx"),
    row("nobody", .none, "........"),
  ]

  @Test(arguments: rows)
  func allowsWhatTheTableSays(row: Row) {
    let (trust, palette) = (row.trust, Self.palette)
    #expect(trust.letsIn(changesBy: Self.own, in: palette) == row.ownChanges)
    #expect(trust.letsIn(changesBy: Self.stranger, in: palette) == row.anyChanges)
    #expect(trust.letsInChanges(in: palette) == row.ownChanges)
    #expect(trust.letsInState(of: palette) == row.state)
    #expect(trust.letsReissue(in: palette) == row.state)
    #expect(trust.votesOnClock == row.clock)
    #expect(trust.letsIn(presenceOf: Self.stranger) == row.anyPresence)
    #expect(trust.letsOut(palette, isOwn: true) == row.pushesOwn)
    #expect(trust.letsOut(palette, isOwn: false) == row.pushesAny)
    #expect(trust.letsOutState(of: palette) == row.pushesState)
    #expect(trust.letsOutChanges(of: palette) == row.pushesOwn)
    #expect(!trust.exchangesBindings && !trust.shares && !trust.editsAll && !trust.reads(nil))
  }

  @Test(arguments: rows)
  func allowsNothingOutOfScope(row: Row) {
    let (trust, palette) = (row.trust, Self.other)
    #expect(!trust.scope.covers(palette) && !trust.reads(palette) && !trust.edits(palette))
    #expect(!trust.letsIn(changesBy: Self.own, in: palette))
    #expect(!trust.letsInChanges(in: palette) && !trust.letsInState(of: palette))
    #expect(!trust.letsReissue(in: palette))
    #expect(!trust.letsOut(palette, isOwn: true) && !trust.letsOutChanges(of: palette))
    #expect(!trust.letsOutState(of: palette))
  }

  @Test(arguments: Role.allCases)
  func rightsOnTheLibraryAreForThoseWhoHaveThem(role: Role) {
    for trust in [Trust.member([Grant(role)], nodes: [Self.own]), .hub([Grant(role)])] {
      #expect(trust.scope == .library && trust.reads(nil))
      #expect(trust.exchangesBindings == (role >= .relay))
      #expect(trust.editsAll == (role >= .editor))
      #expect(trust.shares == (role == .owner))
    }
    // Ids are told by those who write: their own, where they do not share everything.
    let (library, another) = (RecordID(high: 1, low: 1), RecordID(high: 1, low: 2))
    let member = Trust.member([Grant(role)], nodes: [Self.own])
    let hub = Trust.hub([Grant(role)])
    #expect(member.letsIn(bindingTo: library, from: library) == (role >= .editor))
    #expect(member.letsIn(bindingTo: library, from: another) == (role >= .relay))
    #expect(hub.letsIn(bindingTo: library, from: library) == (role >= .relay))
    #expect(hub.isToldOwnBindings == (role >= .editor))
    #expect(member.isToldOwnBindings == (role >= .relay))
    // An owner of one palette shares nothing.
    #expect(!Trust.member([Grant(role, on: Self.palette)]).shares)
  }

  @Test func aMemberMaySpeakAsMoreNodes() {
    let trust = Trust.member([Grant(.editor, on: Self.palette)], nodes: [Self.own])
    let more = trust.speaking(as: [Self.stranger])
    for node in [Self.own, Self.stranger] {
      #expect(more.letsIn(changesBy: node, in: Self.palette))
      #expect(!more.letsIn(changesBy: node, in: Self.other))
    }
    #expect(Trust.hub([]).speaking(as: [Self.own]) == .hub([]))
  }

  @Test func severalGrantsAddUp() {
    let trust = Trust.member(
      [Grant(.viewer), Grant(.editor, on: Self.palette), Grant(.viewer, on: Self.palette)],
      nodes: [Self.own]
    )
    #expect(trust.role(on: Self.palette) == .editor && trust.role(on: Self.other) == .viewer)
    #expect(trust.edits(Self.palette) && !trust.edits(Self.other) && trust.edits(nil))
    #expect(!trust.editsAll && trust.scope == .library)
  }

  @Test func aGrantCoversLessAndNothingElse() {
    let (viewer, editor) = (Grant(.viewer, on: Self.palette), Grant(.editor, on: Self.palette))
    #expect(editor.covers(viewer) && !viewer.covers(editor))
    #expect(Grant(.editor).covers(editor) && !editor.covers(Grant(.editor)))
    #expect(!editor.covers(Grant(.editor, on: Self.other)))
    let ending = Grant(.viewer, expiresMilliseconds: 5)
    #expect(ending.isLive(atMilliseconds: 4) && !ending.isLive(atMilliseconds: 5))
  }
}

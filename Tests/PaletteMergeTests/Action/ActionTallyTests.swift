import Testing

@testable import PaletteMerge
@testable import PaletteModel

/// What is counted of an action, and which claims fit that.
struct ActionTallyTests {
  private static let palette = PaletteID(RecordID(high: 1, low: 1))
  private static let node = NodeID(7)
  private static let id = ActionID(Stamp(milliseconds: 5), by: node)

  private static func color(_ number: UInt64) -> RecordID { RecordID(high: 2, low: number) }

  private static func change(
    _ kind: ChangeKind,
    _ record: RecordID,
    _ registers: [Register] = [],
    saw: [SeenDot] = []
  ) -> Change {
    Change(
      dot: Dot(node, 9),
      stamp: id.stamp,
      previous: 0,
      record: record,
      kind: kind,
      writes: registers.map { .init($0, saw: saw, value: RegisterValue(text: "x")) }
    )
  }

  private static func tally(_ changes: [Change], claim: ActionClaim? = nil) -> ActionTally {
    var tally = ActionTally(id)
    for change in changes.reversed() { tally.count(change, in: palette) }
    tally.claim = claim
    return tally
  }

  private static func adds(_ numbers: ClosedRange<UInt64>) -> [Change] {
    numbers.map { change(.add, color($0), [.name, .color, .place]) }
  }

  private static let own = SeenDot(Dot(node, 1))

  private static let kinds: [(ActionKind, [Change])] = [
    (.add, adds(1...7)), (.recolor, [change(.set, color(1), [.color])]),
    (.rename, [change(.set, color(1), [.name]), change(.set, color(2), [.name])]),
    (.note, [change(.set, color(1), [.note])]), (.move, [change(.set, color(1), [.place])]),
    (.delete, [change(.delete, color(1)), change(.delete, color(2))]),
    (.restore, [change(.restore, color(1), [.place])]),
    (.title, [change(.add, palette.record, [.name])]),
    (.title, [change(.set, palette.record, [.name], saw: [own])]),
    (.drop, [change(.drop, palette.record)]),
    (.restore, [change(.restore, palette.record, [.name])]),
    (.mixed, adds(1...1) + [change(.set, color(2), [.place])]),
    (.mixed, [change(.set, color(1), [.name, .color])]),
    (.mixed, adds(1...2) + [change(.add, palette.record, [.name])]),
    (.mixed, [change(.set, color(1), [Register(rawValue: 77)])]),
    // An addition that replaces values recolors what was there.
    (.recolor, [change(.add, color(1), [.color], saw: [own])]),
  ]

  @Test(arguments: ActionTallyTests.kinds)
  func isNamedByItsChanges(_ kind: ActionKind, _ changes: [Change]) {
    #expect(Self.tally(changes).countedKind(replaced: []) == kind)
  }

  @Test func settlesAConflictWithOneOfItsValues() {
    let tally = Self.tally([Self.change(.set, Self.color(1), [.name], saw: [Self.own])])
    let (x, y) = (RegisterValue(text: "x"), RegisterValue(text: "y"))
    #expect(tally.countedKind(replaced: [x, y]) == .resolve)
    #expect(tally.countedKind(replaced: [y, RegisterValue(text: "z")]) == .rename)
    #expect(tally.countedKind(replaced: [x, x]) == .rename)
  }

  @Test func countsEachColorOnce() {
    let changes =
      Self.adds(1...12) + [Self.change(.set, Self.color(3), [.name])]
      + [Self.change(.set, Self.color(20), [.place])]
    let tally = Self.tally(changes)
    #expect(tally.count == 13 && tally.count(of: .added) == 12 && tally.count(of: .moved) == 1)
    #expect(tally.count(of: .renamed) == 0)
    #expect(tally.firstColors.count == ActionTally.listedColors)
    #expect(tally.firstColors.prefix(2) == [Self.color(1), Self.color(2)])
  }

  /// Nobody can call a removal sorting, or a rename the undoing of something else.
  @Test func claimsThatDoNotFitAreNotBelieved() {
    let moves = [1, 2].map { Self.change(.set, Self.color($0), [.place]) }
    let deletes = [1, 2].map { Self.change(.delete, Self.color($0)) }
    let drop = [Self.change(.drop, Self.palette.record)]
    func kind(_ changes: [Change], _ claim: ActionClaim, _ subject: [Change]? = nil) -> ActionKind?
    {
      Self.tally(changes, claim: claim).claimedKind(about: subject.map { Self.tally($0) })
    }
    #expect(kind(moves, .sort(.hue)) == .sort)
    #expect(kind(deletes, .sort(.hue)) == nil && kind(moves + deletes, .sort(.hue)) == nil)
    #expect(kind(deletes + Self.adds(5...6), .import(file: "a", others: 0)) == .import)
    #expect(kind(drop, .import(file: "a", others: 0)) == nil)
    #expect(kind(drop, .revertToTime(5)) == nil && kind(deletes, .revertToTime(5)) == .revert)
    let undo = ActionClaim.undo(Stamp(rawValue: 1), nil)
    #expect(kind(deletes, undo, Self.adds(1...2)) == .undo)
    #expect(kind(deletes, undo, Self.adds(1...9)) == .undo, "some of it was left alone")
    #expect(kind(deletes, undo, Self.adds(2...3)) == nil, "a color that it did not add")
    #expect(kind(deletes, undo, moves) == nil && kind(deletes, undo, nil) == nil)
    #expect(kind(moves, undo, moves) == .undo && kind(drop, undo, moves) == nil)
    let redo = ActionClaim.redo(Stamp(rawValue: 1), nil)
    let back = [Self.change(.restore, Self.color(1), [.place])]
    #expect(kind(back, redo, Self.adds(1...2)) == .redo && kind(back, undo, deletes) == .undo)
    #expect(kind(back, redo, deletes) == nil && kind(deletes, redo, Self.adds(1...2)) == nil)
  }
}

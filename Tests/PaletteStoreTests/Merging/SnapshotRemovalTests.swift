import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// A snapshot may remove what it says was replaced; nothing of it is lost before the horizon.
struct SnapshotRemovalTests {
  private static let palette = PaletteID(RecordID(high: 1, low: 1))
  private static let day: Int64 = 86_400_000
  private let library: TemporaryLibrary
  private let clock = ManualClock()
  private let store: ChangeStore

  init() throws {
    library = try TemporaryLibrary()
    let clock = clock
    store = try ChangeStore(
      writing: library.folder,
      random: SeededRandom(seed: 1),
      milliseconds: { clock.milliseconds }
    )
    try act(.add(Self.palette.record, [.name: RegisterValue(text: "P")]))
    for number in 1...5 as ClosedRange<UInt64> {
      let color = NamedColor(
        id: Self.color(number),
        name: "c\(number)",
        color: Color(.srgb, 0, 0, 1),
        note: number == 2 ? "a note" : ""
      )
      try act(.add(color, at: try #require(Place(bytes: [UInt8(number)]))))
    }
    try act(.set(Self.color(2), [.name: RegisterValue(text: "renamed")]))
    try act(.delete(Self.color(5)))
  }

  private static func color(_ number: UInt64) -> RecordID { RecordID(high: 2, low: number) }

  private func act(_ edits: Edit...) throws {
    clock.milliseconds += 1_000
    try store.write { transaction throws(StoreError) in
      _ = try transaction.palette(beginning: Self.palette).act(edits)
    }
  }

  /// What somebody sends who claims to hold everything and has none of some records.
  private func snapshot(without records: Set<RecordID>) throws -> Snapshot {
    var snapshot = try #require(try store.snapshot(of: Self.palette))
    snapshot.rows.removeAll { row in
      (try? Change(decoding: row.bytes, in: Self.palette)).map { records.contains($0.record) }
        ?? true
    }
    return snapshot
  }

  private func merge(_ snapshot: Snapshot) throws -> Int {
    var pure = PaletteState(Self.palette)
    try pure.merge(try #require(try store.snapshot(of: Self.palette)))
    try pure.merge(snapshot)
    clock.milliseconds += 1_000
    let outcome = try store.merge(snapshot, into: Self.palette)
    #expect(outcome.refusal == nil)
    // The outcome of the merge itself is what it is everywhere.
    #expect(try store.digest(of: Self.palette) == pure.digest)
    #expect(try store.verify(Self.palette) == [])
    return outcome.removed
  }

  private func restore(_ number: UInt64) throws {
    try act(try #require(try store.restoring(Self.color(number), in: Self.palette)))
  }

  private func removedNames() throws -> [String] {
    try store.names(of: Self.palette, removed: true).map(\.name).sorted()
  }

  private func listed() throws -> [String] {
    try store.colors(of: Self.palette).map(\.color.name)
  }

  /// It says that a color was deleted, and holds no change that does.
  @Test func whatNoChangeCoversMayBeCovered() throws {
    var snapshot = try #require(try store.snapshot(of: Self.palette))
    for index in snapshot.rows.indices {
      let change = try Change(decoding: snapshot.rows[index].bytes, in: Self.palette)
      if change.record == Self.color(2) { snapshot.rows[index].isCovered = true }
    }
    #expect(try merge(snapshot) == 0)
    #expect(try listed() == ["c1", "c3", "c4"])
    try restore(2)
    #expect(try listed() == ["c1", "renamed", "c3", "c4"])
    #expect(try store.verify(Self.palette) == [])
  }

  /// It says that the palette was dropped, and holds no change that does.
  @Test func whatNoChangeDropsMayBeDropped() throws {
    var snapshot = try #require(try store.snapshot(of: Self.palette))
    snapshot.dropped = snapshot.frontier.mapValues(\.sequence)
    #expect(try merge(snapshot) == 0)
    #expect(try store.summary(of: Self.palette)?.isDropped == true)
  }

  @Test func aColorComesBackWhole() throws {
    let before = try store.colors(of: Self.palette)
    let history = try store.history(of: Self.palette)
    #expect(try merge(try snapshot(without: [Self.color(2), Self.color(5)])) == 1)
    #expect(try listed() == ["c1", "c3", "c4"])
    #expect(try removedNames() == ["c5", "renamed"])
    #expect(try store.history(of: Self.palette) == history)
    try restore(2)
    #expect(try store.colors(of: Self.palette).map(\.color) == before.map(\.color))
    #expect(try store.colors(of: Self.palette).map(\.place) == before.map(\.place))
    #expect(try removedNames() == ["c5"])
    // What was removed by somebody before comes back too.
    try restore(5)
    #expect(try listed() == ["c1", "renamed", "c3", "c4", "c5"])
    #expect(try store.verify(Self.palette) == [])
    // It is an edit like any other.
    func undo() throws {
      try store.write { transaction throws(StoreError) in
        _ = try transaction.undo(in: Self.palette)
      }
    }
    try undo()
    try undo()
    #expect(try listed() == ["c1", "c3", "c4"])
    #expect(try removedNames() == ["c5", "renamed"])
    try store.write { transaction throws(StoreError) in
      _ = try transaction.redo(in: Self.palette)
    }
    #expect(try listed() == ["c1", "renamed", "c3", "c4"])
    // The same claim again does not reach what was written since.
    #expect(try merge(try snapshot(without: [])) == 0)
    #expect(try listed() == ["c1", "renamed", "c3", "c4"])
  }

  @Test func aPaletteComesBackWithItsColors() throws {
    let all = Set((1...5).map(Self.color)).union([Self.palette.record])
    #expect(try merge(try snapshot(without: all)) == 5)
    #expect(try store.palettes().isEmpty)
    #expect(try store.removedPaletteNames().map(\.name) == ["P"])
    #expect(try store.removedPaletteNames().map(\.id) == [Self.palette])
    // Nothing of it is in anybody's way.
    #expect(try store.names(of: Self.palette).isEmpty)
    let colors = try store.restoringRemovals(of: Self.palette)
    #expect(colors.count == 4)
    try store.write { transaction throws(StoreError) in
      let writer = try transaction.palette(beginning: Self.palette)
      try writer.author(.restore(Self.palette.record, [.name: RegisterValue(text: "P")]))
      try writer.act(colors)
    }
    #expect(try store.palettes().map(\.name) == ["P"])
    #expect(try store.palettes().map(\.isDropped) == [false])
    #expect(try listed() == ["c1", "renamed", "c3", "c4"])
    #expect(try removedNames() == ["c5"])
    #expect(try store.removedPaletteNames().isEmpty)
    #expect(try store.verify(Self.palette) == [])
  }

  @Test func valuesThatAreReplacedAreNoRemoval() throws {
    var hostile = try snapshot(without: [Self.color(3)])
    let other = Change(
      dot: Dot(NodeID(7), 1),
      stamp: Stamp(milliseconds: 1),
      previous: 0,
      record: Self.color(3),
      kind: .add,
      writes: [
        .init(.name, value: RegisterValue(text: "theirs")),
        .init(.color, value: RegisterValue(color: Color(.srgb, 1, 0, 0))),
        .init(.place, value: RegisterValue(placeBytes: [3])),
      ]
    )
    let link = ChangeHash(of: other.encoded, in: Self.palette).link
    hostile.frontier[NodeID(7)] = StreamHead(sequence: 1, link: link)
    hostile.rows.append(
      Snapshot.Row(bytes: other.encoded, live: [.name, .color, .place], isCovered: false)
    )
    #expect(try merge(hostile) == 0)
    #expect(try listed() == ["c1", "renamed", "theirs", "c4"])
    #expect(try removedNames() == ["c5"])
    // The replaced values stay in the log until the horizon, though they were written long before.
    clock.milliseconds += 10 * Self.day
    let recent = clock.milliseconds - 20 * Self.day
    _ = try store.compact(Self.palette, beforeMilliseconds: recent)
    let known = try store.history(of: Self.palette).flatMap(\.writes).map(\.value)
    #expect(known.contains(RegisterValue(text: "c3")))
  }

  @Test func compactionForgetsAfterTheHorizon() throws {
    clock.milliseconds += 60 * Self.day
    #expect(try merge(try snapshot(without: [Self.color(2), Self.color(3)])) == 2)
    func names() throws -> Set<String> {
      let values = try store.history(of: Self.palette).flatMap(\.writes).map(\.value)
      return Set(values.compactMap(\.text))
    }
    clock.milliseconds += Self.day
    _ = try store.compact(Self.palette, beforeMilliseconds: clock.milliseconds - 30 * Self.day)
    #expect(try removedNames() == ["c3", "c5", "renamed"])
    #expect(try names().isSuperset(of: ["c3", "renamed", "c2", "a note"]))
    clock.milliseconds += 40 * Self.day
    try act(.set(Self.color(1), [.note: RegisterValue(text: "later")]))
    _ = try store.compact(Self.palette, beforeMilliseconds: clock.milliseconds - 30 * Self.day)
    #expect(try removedNames() == ["c5"])
    #expect(try names().isDisjoint(with: ["c3", "renamed", "c2", "a note"]))
    #expect(try store.restoring(Self.color(3), in: Self.palette) == nil)
    #expect(try store.verify(Self.palette) == [])
  }
}

import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// Edits that see more than one change can name become several changes of one action.
struct LongEditTests {
  private static let palette = PaletteID(RecordID(high: 1, low: 1))
  private static let color = RecordID(high: 2, low: 1)
  /// More than one change can name.
  private static let siblings: UInt32 = 5_000
  private let libraries: [TemporaryLibrary]
  private let store: ChangeStore
  /// Who takes what the store wrote, change by change.
  private let peer: ChangeStore

  init() throws {
    libraries = [try TemporaryLibrary(), try TemporaryLibrary()]
    store = try ChangeStore(writing: libraries[0].folder, random: SeededRandom(seed: 1))
    peer = try ChangeStore(writing: libraries[1].folder, random: SeededRandom(seed: 2))
    try act(.add(Self.palette.record, [.name: RegisterValue(text: "P")]))
    try act(
      .add(
        Self.color,
        [
          .name: RegisterValue(text: "mine"),
          .color: RegisterValue(color: Color(.srgb, 0, 0, 1)),
          .place: RegisterValue(placeBytes: [9]),
        ]
      )
    )
  }

  private func act(_ edits: Edit...) throws {
    try store.write { transaction throws(StoreError) in
      _ = try transaction.palette(beginning: Self.palette).act(edits)
    }
  }

  /// Merges writes of a register by somebody who says to have seen nothing.
  private func write(
    _ register: Register,
    of record: RecordID,
    times: UInt32 = siblings
  ) throws {
    var changes: [[UInt8]] = []
    var previous: UInt64 = 0
    for sequence in 1...times {
      let value =
        switch register {
        case .color:
          RegisterValue(color: Color(.srgb, Double(sequence % 256) / 255, 0, 1))
        case .place: RegisterValue(placeBytes: [UInt8(sequence & 0x7F), 1])
        default: RegisterValue(text: "theirs \(sequence)")
        }
      let change = Change(
        dot: Dot(NodeID(.max - UInt64(register.rawValue)), sequence),
        stamp: Stamp(milliseconds: Int64(sequence)),
        previous: previous,
        record: record,
        kind: .set,
        writes: [.init(register, value: value)]
      )
      changes.append(change.encoded)
      previous = ChangeHash(of: change.encoded, in: Self.palette).link
    }
    try store.merge(changes, into: Self.palette)
  }

  private func count(_ register: Register, of record: RecordID = color) throws -> Int {
    try store.liveValues(of: record, in: Self.palette).count { $0.value.register == register }
  }

  private func undo() throws -> UndoOutcome? {
    try store.write { transaction throws(StoreError) in
      try transaction.undo(in: Self.palette)
    } ?? nil
  }

  /// Every change fits, and whoever takes them one by one comes to the same.
  private func expectThatPeersFollow() throws {
    let changes = try #require(try store.changes(of: Self.palette))
    #expect(changes.allSatisfy { $0.count <= ChangeLimits.changeBytes })
    for arrival in try peer.merge(changes, into: Self.palette) {
      if case .refused(let refusal) = arrival { Issue.record("\(refusal)") }
    }
    #expect(try peer.digest() == store.digest())
    #expect(try store.verify(Self.palette) == [])
    #expect(
      try peer.colors(of: Self.palette).map(\.color.name)
        == store.colors(of: Self.palette).map(\.color.name)
    )
  }

  @Test(arguments: [Register.name, .color, .place, .note])
  func everyRegisterCanBeWritten(_ register: Register) throws {
    try write(register, of: Self.color)
    #expect(try count(register) >= Int(Self.siblings))
    let value =
      switch register {
      case .color: RegisterValue(color: Color(.srgb, 0, 1, 0))
      case .place: RegisterValue(placeBytes: [77])
      default: RegisterValue(text: "decided")
      }
    let held = try store.history(of: Self.palette).count
    try act(.set(Self.color, [register: value]))
    #expect(try count(register) == 1)
    #expect(try store.history(of: Self.palette).count == held + 2)
    try expectThatPeersFollow()
    // All of it is one action.
    #expect(try undo()?.changed == [Self.color])
    #expect(try count(register) == 1)
    let shown = try #require(
      try store.liveValues(of: Self.color, in: Self.palette).map(\.value).first {
        $0.register == register
      }
    )
    #expect(shown.value != value)
    try expectThatPeersFollow()
  }

  @Test func aColorCanBeRemovedAndBroughtBack() throws {
    try write(.name, of: Self.color, times: Self.siblings / 2)
    try write(.place, of: Self.color, times: Self.siblings / 2)
    try act(.delete(Self.color))
    #expect(try store.colors(of: Self.palette).isEmpty)
    try expectThatPeersFollow()
    #expect(try undo()?.changed == [Self.color])
    #expect(try store.colors(of: Self.palette).map(\.color.id) == [Self.color])
    try act(.delete(Self.color))
    #expect(try store.colors(of: Self.palette).isEmpty)
    let place = try #require(try store.record(Self.color, in: Self.palette)?.place)
    try act(.restore(Self.color, [.place: RegisterValue(placeBytes: place.bytes)]))
    #expect(try store.colors(of: Self.palette).map(\.color.id) == [Self.color])
    try expectThatPeersFollow()
  }

  @Test(arguments: [true, false])
  func whatSomebodyHasNotSeenStays(_ isRemoved: Bool) throws {
    try write(.name, of: Self.color)
    let seen = try #require(try store.record(Self.color, in: Self.palette)?.seen)
    let unseen = Change(
      dot: Dot(NodeID(5), 1),
      stamp: Stamp(milliseconds: 1),
      previous: 0,
      record: Self.color,
      kind: .set,
      writes: [.init(.name, value: RegisterValue(text: "unseen"))]
    )
    try store.merge([unseen.encoded], into: Self.palette)
    let values: KeyValuePairs = [Register.name: RegisterValue(text: "late")]
    let edit = isRemoved ? Edit.delete(Self.color) : .set(Self.color, values)
    try act(edit.seeing(seen))
    let names = try store.liveValues(of: Self.color, in: Self.palette).map(\.value)
      .filter { $0.register == .name && !$0.isCovered }
    #expect(Set(names.map(\.value.text)) == (isRemoved ? ["unseen"] : ["unseen", "late"]))
    #expect(try store.colors(of: Self.palette).map(\.color.id) == [Self.color])
    try expectThatPeersFollow()
  }

  @Test func severalRegistersAtOnce() throws {
    try write(.name, of: Self.color, times: Self.siblings / 2)
    try write(.note, of: Self.color, times: Self.siblings / 2)
    let held = try store.history(of: Self.palette).count
    try act(
      .set(
        Self.color,
        [.name: RegisterValue(text: "a"), .note: RegisterValue(text: "b")]
      )
    )
    #expect(try count(.name) == 1)
    #expect(try count(.note) == 1)
    #expect(try store.history(of: Self.palette).count == held + 2)
    try expectThatPeersFollow()
  }

  @Test func aPaletteWithManyNamesAndAuthorsCanBeDropped() throws {
    try write(.name, of: Self.palette.record)
    try act(.set(Self.palette.record, [.name: RegisterValue(text: "titled")]))
    #expect(try count(.name, of: Self.palette.record) == 1)
    var changes: [[UInt8]] = []
    for author in 1...Self.siblings {
      changes.append(
        Change(
          dot: Dot(NodeID(.max - 100 - UInt64(author)), 1),
          stamp: Stamp(milliseconds: 1),
          previous: 0,
          record: Self.palette.record,
          kind: .set,
          writes: [.init(.name, value: RegisterValue(text: "n\(author)"))]
        ).encoded
      )
    }
    try store.merge(changes, into: Self.palette)
    let summary = try #require(try store.summary(of: Self.palette))
    #expect(!summary.isDropped)
    try store.write { transaction throws(StoreError) in
      _ = try transaction.palette(Self.palette)?.author(.drop(Self.palette))
    }
    #expect(try store.summary(of: Self.palette)?.isDropped == true)
    let drops = try store.history(of: Self.palette).filter { $0.kind == .drop }
    #expect(drops.count > 1)
    // Together they saw every author once, as one drop would have.
    let seen = drops.flatMap(\.frontier.dots).filter { !store.isOwn($0.node) }
    #expect(seen.count == Int(Self.siblings) + 1)
    try expectThatPeersFollow()
    #expect(try peer.summary(of: Self.palette)?.isDropped == true)
    // What none of them saw brings all of it back.
    try peer.write { transaction throws(StoreError) in
      _ = try transaction.palette(Self.palette)?.author(
        .restore(Self.palette.record, [.name: RegisterValue(text: "back")])
      )
    }
    #expect(try peer.summary(of: Self.palette)?.isDropped == false)
  }
}

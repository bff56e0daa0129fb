import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// What is refused leaves nothing behind: strangers name as many palettes as they like.
struct RefusedChangesTests {
  private let library: TemporaryLibrary
  private let store: ChangeStore
  private let palette = PaletteID(RecordID(high: 1, low: 1))

  init() throws {
    library = try TemporaryLibrary()
    store = try ChangeStore(writing: library.folder)
    store.keepState()
  }

  /// How many rows each table has of those that a change may write.
  private func rows() throws -> [Int64] {
    try ["palette", "stream", "change", "record", "ahead", "moment"].map { table in
      try store.database.connection.prepare("SELECT count(*) FROM \(table)").row { $0.int64(0) }
        ?? -1
    }
  }

  private func change(_ sequence: UInt32, previous: UInt64 = 0) -> [UInt8] {
    Change(
      dot: Dot(NodeID(7), sequence),
      stamp: Stamp(milliseconds: 1),
      previous: previous,
      record: palette.record,
      kind: .add,
      writes: [.init(.name, value: RegisterValue(text: "P"))]
    ).encoded
  }

  @Test(arguments: [true, false])
  func noRowOfAnyKind(inAGroup: Bool) throws {
    store.followsCommits = true
    let empty = Snapshot(frontier: [:], dropped: [:], highestWrite: [:], ahead: [], rows: [])
    func refuse(in palette: PaletteID) throws {
      // No change, one that comes too early, and one that continues another log.
      let changes: [[UInt8]] = [[1, 2, 3], change(2), change(1, previous: 9)]
      for arrival in try store.merge(changes, into: palette) {
        guard case .refused = arrival else {
          Issue.record("\(arrival)")
          continue
        }
      }
      _ = try store.merge(empty, into: palette)
    }
    for number in 1...300 as ClosedRange<UInt64> {
      let palette = PaletteID(RecordID(high: 1, low: number))
      guard inAGroup else {
        try refuse(in: palette)
        continue
      }
      try store.group {
        do { try refuse(in: palette) } catch { Issue.record("\(error)") }
      }
    }
    #expect(try rows() == [0, 0, 0, 0, 0, 0])
    #expect(store.cache.palettes?.row(of: palette) == nil)
    #expect(!store.hasCommitted)
  }

  @Test func aChangeThatIsTakenBeginsThePalette() throws {
    let other = PaletteID(RecordID(high: 1, low: 2))
    try store.write { transaction throws(StoreError) in
      _ = try transaction.palette(beginning: other).merge([9])
      let writer = try transaction.palette(beginning: palette)
      _ = try writer.merge(change(2))
      _ = try writer.merge(change(1))
    }
    #expect(try rows() == [1, 1, 1, 1, 0, 1])
    #expect(try store.palettes().map(\.name) == ["P"])
    #expect(try store.verify(palette) == [])
  }
}

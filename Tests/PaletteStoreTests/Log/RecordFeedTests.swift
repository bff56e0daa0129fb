import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// What the feed tells of a row does not depend on when SQLite asks.
struct RecordFeedTests {
  private static let palette = PaletteID(RecordID(high: 7, low: 7))

  @Test(arguments: 0..<10 as Range<UInt64>)
  func tellsTheSameInAnyOrder(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder, random: SeededRandom(seed: seed))
    let ids = (0..<40).map { _ in RecordID(using: &random) }.sorted()
    try store.write { transaction throws(StoreError) in
      let palette = try transaction.palette(beginning: Self.palette)
      var batch = RecordBatch()
      for (number, id) in ids.enumerated() {
        let values: KeyValuePairs<Register, RegisterValue> = [
          .name: RegisterValue(text: number == 0 ? "" : "color \(number)"),
          .place: RegisterValue(placeBytes: [UInt8(number + 1)]),
        ]
        try palette.author(.add(id, values))
        guard number % 2 == 0 else { continue }
        let state = try palette.state(of: id)
        let image = try RecordImage(state, isPalette: false) { dot throws(StoreError) in
          try palette.facts(of: dot)
        }
        batch.add(id, image, in: palette)
      }
      let asked = ids.indices.shuffled(using: &random)
      try store.recordFeed().lend(batch) { (_) throws(StoreError) in
        let select = try store.connection.prepare(
          "SELECT hued_fed(?1), hued_fed_cell(?1, 1), hued_fed_cell(?1, 2), hued_fed_cell(?1, 3)"
        )
        for number in asked {
          try select.bind(ids[number], at: 1)
          let isThere = number % 2 == 0
          let cells = try select.row { row in
            (
              isThere: row.int64(0) == 1,
              place: row.isNull(1) ? nil : row.bytes(1),
              hasColor: !row.isNull(2),
              name: row.isNull(3) ? nil : row.text(3)
            )
          }
          #expect(cells?.isThere == isThere && cells?.hasColor == false)
          #expect(cells?.place == (isThere ? [UInt8(number + 1)] : nil))
          #expect(cells?.name == (isThere ? number == 0 ? "" : "color \(number)" : nil))
        }
      }
      // Nothing is lent any more.
      let after = try store.connection.prepare("SELECT hued_fed(?1)")
      try after.bind(ids[0], at: 1)
      let isThere = try after.row { $0.int64(0) }
      #expect(isThere == 0)
    }
  }

  /// A schema that calls them does nothing: a foreign file must not reach them.
  @Test func isNotForSchemas() throws {
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder)
    _ = try store.recordFeed()
    try store.connection.execute("CREATE VIEW fed AS SELECT hued_fed(x'00') AS x")
    #expect(throws: StoreError.self) { try store.connection.execute("SELECT x FROM fed") }
  }
}

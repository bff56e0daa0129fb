import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// What the feed tells of a row does not depend on when SQLite asks, and no cell is one of another row.
struct RecordFeedTests {
  private static let palette = PaletteID(RecordID(high: 7, low: 7))

  @Test(arguments: TestSeeds.some(of: 10))
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
        let image = try RecordRowBuilder(state, isPalette: false) { dot throws(StoreError) in
          try palette.facts(of: dot)
        }
        batch.add(id, image, in: palette.records.table)
      }
      let asked = ids.indices.shuffled(using: &random)
      try store.parts.functions.recordFeed().lend(batch) { (_) throws(StoreError) in
        let contains = try store.database.connection.prepare("SELECT hued_fed(?1)")
        let select = try store.database.connection.prepare(
          "SELECT hued_fed_flags(?1), hued_fed_cell(1), hued_fed_cell(2), hued_fed_cell(3)"
        )
        for number in asked {
          try contains.bind(ids[number], at: 1)
          let isThere = try contains.row { $0.int64(0) == 1 }
          #expect(isThere == (number % 2 == 0))
          try select.bind(ids[number], at: 1)
          guard number % 2 == 0 else {
            #expect(throws: StoreError.self) { _ = try select.row { $0.int64(0) } }
            continue
          }
          let cells = try select.row { row in
            (place: row.bytes(1), hasColor: !row.isNull(2), name: row.text(3))
          }
          #expect(cells?.hasColor == false)
          #expect(cells?.place == [UInt8(number + 1)])
          #expect(cells?.name == (number == 0 ? "" : "color \(number)"))
        }
      }
      // Nothing is lent any more.
      let after = try store.database.connection.prepare("SELECT hued_fed(?1)")
      try after.bind(ids[0], at: 1)
      let isThere = try after.row { $0.int64(0) }
      #expect(isThere == 0)
    }
  }

  /// What would be a cell of another row, or in another column, is an error.
  @Test(arguments: [
    "SELECT hued_fed_cell(1)",
    "SELECT hued_fed_flags(?1), hued_fed_cell(2)",
    "SELECT hued_fed_flags(?1), hued_fed_cell(1), hued_fed_cell(1)",
    "SELECT hued_fed_flags(?1), hued_fed(?1), hued_fed_cell(1)",
  ])
  func refusesAnotherOrder(sql: String) throws {
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder)
    let id = RecordID(high: 1, low: 2)
    try store.write { transaction throws(StoreError) in
      let palette = try transaction.palette(beginning: Self.palette)
      try palette.author(.add(id, [.name: RegisterValue(text: "red")]))
      let image = try RecordRowBuilder(try palette.state(of: id), isPalette: false) {
        dot throws(StoreError) in try palette.facts(of: dot)
      }
      var batch = RecordBatch()
      batch.add(id, image, in: palette.records.table)
      try store.parts.functions.recordFeed().lend(batch) { (_) throws(StoreError) in
        let inOrder = try store.database.connection.prepare(
          "SELECT hued_fed_flags(?1), hued_fed_cell(1)"
        )
        try inOrder.bind(id, at: 1)
        _ = try inOrder.row { $0.int64(0) }
        let select = try store.database.connection.prepare(sql)
        if sql.contains("?1") { try select.bind(id, at: 1) }
        #expect(throws: StoreError.self) { _ = try select.row { $0.int64(0) } }
      }
    }
  }

  /// A schema that calls them does nothing: a foreign file must not reach them.
  @Test func isNotForSchemas() throws {
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder)
    _ = try store.parts.functions.recordFeed()
    try store.database.connection.execute("CREATE VIEW fed AS SELECT hued_fed(x'00') AS x")
    #expect(throws: StoreError.self) { try store.database.connection.execute("SELECT x FROM fed") }
  }
}

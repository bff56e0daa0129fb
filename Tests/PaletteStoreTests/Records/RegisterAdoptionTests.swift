import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

struct RegisterAdoptionTests {
  private static let palette = PaletteID(RecordID(high: 1, low: 1))

  private func notes(_ store: ChangeStore) throws -> [String] {
    try store.colors(of: Self.palette).map(\.color.note)
  }

  /// A version that does not show a register has its values among the siblings.
  @Test func valuesThatWereKeptUnreadAreShown() throws {
    let library = try TemporaryLibrary()
    do {
      let store = try ChangeStore(writing: library.folder)
      let color = NamedColor(name: "Sea", color: Color(.srgb, 0, 0, 1), note: "kept")
      let place = try #require(Place(bytes: [1]))
      try store.write { transaction throws(StoreError) in
        _ = try transaction.palette(beginning: Self.palette).act([
          .add(Self.palette.record, [.name: RegisterValue(text: "P")]), .add(color, at: place),
        ])
      }
      try store.database.execute(
        """
        INSERT INTO sibling SELECT palette, uuid, 3, noteDot, 0, x'646b657074' FROM record
        WHERE note NOT NULL;
        UPDATE record SET note = NULL, noteDot = NULL,
          flags = flags | \(RecordFlags.hasSiblings.rawValue) WHERE note NOT NULL;
        """
      )
      try store.database.setMeta(.addedRegisters, [1])
      #expect(try notes(store) == [""])
    }
    let store = try ChangeStore(writing: library.folder)
    #expect(try notes(store) == ["kept"])
    #expect(try store.verify(Self.palette) == [])
    #expect(try store.database.meta(.addedRegisters) == nil)
  }

  @Test func aMigrationAddsColumns() throws {
    let connection = try DatabaseConnection(path: "", mode: .memory)
    for migration in LibrarySchema.current.migrations { try migration.apply(connection) }
    try RegisterAdoption.addColumns(of: Register(rawValue: 5), on: connection)
    try connection.execute(#"SELECT record."5", "5Dot", removal."5" FROM record, removal"#)
    #expect(try connection.meta(.addedRegisters) == [1])
  }
}

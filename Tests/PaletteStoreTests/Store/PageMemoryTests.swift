import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// The memory that a long read fills with pages is given back when it is asked for.
struct PageMemoryTests {
  @Test func aLongReadLeavesPagesThatCanBeReleased() throws {
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder)
    let palette = try store.makePalette(named: "P")
    try store.write { transaction throws(StoreError) in
      guard let writer = try transaction.palette(palette) else { return }
      let note = String(repeating: "x", count: 900)
      let colors = (0..<6_000).map {
        NamedColor(name: "c\($0)", color: Color(.srgb, 0, 0, 1), note: note)
      }
      try writer.act(try writer.appending(colors))
    }
    #expect(try store.colors(of: palette).count == 6_000)
    let before = store.database.connection.cachedBytes
    #expect(store.releasePages())
    #expect(store.database.connection.cachedBytes < before / 4)
    #expect(!store.releasePages())
    #expect(try store.colors(of: palette).count == 6_000)
  }
}

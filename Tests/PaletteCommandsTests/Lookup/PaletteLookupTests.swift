import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

@testable import PaletteCommands

/// Finds palettes among those that a library holds.
struct PaletteLookupTests {
  private let library: TemporaryLibrary
  private let store: ChangeStore

  init() throws {
    library = try TemporaryLibrary()
    store = try ChangeStore(writing: library.folder)
  }

  private func drop(_ id: PaletteID) throws {
    try store.write { transaction throws(StoreError) in
      _ = try transaction.palette(id)?.act([.drop(id)])
    }
  }

  private func code(_ argument: String) -> String? {
    do {
      _ = try store.visiblePalette(argument)
      return nil
    } catch {
      return (error as? APIError)?.code
    }
  }

  @Test func findsByNameBeginningAndWholeID() throws {
    let coral = try store.makePalette(named: "Coral")
    let sea = try store.makePalette(named: String(coral.description.prefix(8)))
    #expect(try store.visiblePalette(" Coral ").id == coral)
    #expect(try store.visiblePalette(coral.description.uppercased()).id == coral)
    #expect(try store.visiblePalette(String(coral.description.prefix(12))).id == coral)
    // A name wins over the beginning of an id.
    #expect(try store.visiblePalette(String(coral.description.prefix(8))).id == sea)
    #expect(code("Corall") == "not-found")
    #expect(code(coral.description + "0") == "not-found")
  }

  @Test func doesNotSeeWhatIsDropped() throws {
    let old = try store.makePalette(named: "Coral")
    let new = try store.makePalette(named: "Coral")
    #expect(code("Coral") == "ambiguous")
    try drop(old)
    #expect(try store.visiblePalette("Coral").id == new)
    #expect(code(old.description) == "not-found")
    try drop(new)
    #expect(code("Coral") == "not-found")
  }
}

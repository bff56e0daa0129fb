import PaletteMerge
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

  /// Somebody calls another palette as this one is called, or as its id begins.
  @Test func whatIsNotSeenMakesNothingAmbiguous() throws {
    let coral = try store.makePalette(named: "Coral")
    let other = try store.makePalette(named: "Coral")
    let beginning = String(coral.description.prefix(12))
    let third = try store.makePalette(named: beginning)
    func fitting(_ argument: String, _ seen: PaletteID...) throws -> [PaletteID] {
      try store.visiblePalettes(fitting: argument) { seen.contains($0) }.map(\.id)
    }
    #expect(try fitting(" Coral", coral) == [coral] && fitting("Coral", other) == [other])
    #expect(try Set(fitting("Coral", coral, other)) == [coral, other])
    #expect(try fitting("Coral", third) == [] && fitting("Coral") == [])
    #expect(try fitting(beginning, coral) == [coral])
    #expect(try fitting(beginning, coral, third) == [third])
    #expect(try fitting(coral.description, coral, other) == [coral])
    #expect(try fitting(coral.description, other) == [])
    try drop(coral)
    #expect(try fitting("Coral", coral, other) == [other])
    #expect(try fitting(coral.description, coral, other) == [])
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

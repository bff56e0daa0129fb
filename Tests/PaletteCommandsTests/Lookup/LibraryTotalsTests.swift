import PaletteJSON
import PaletteStore
import Testing

@testable import PaletteCommands

struct LibraryTotalsTests {
  @Test func countsWhatTheListShows() throws {
    let library = try TestLibrary(colors: ["red", "lime", "blue"])
    for name in ["Gone", "Back", "Empty"] { try library.call("new", ["name": JSON(name)]) }
    for name in ["Gone", "Back"] {
      try library.call("add", ["palette": JSON(name), "value": "red"])
      try library.call("drop", ["palette": JSON(name)])
    }
    try library.call("restore", ["palette": "Back"])
    let store = try #require(try ChangeStore.reading(LibraryFolder(library.home)))
    let palettes = try store.visiblePalettes()
    let totals = try store.totals()
    #expect(totals.palettes == palettes.count && totals.palettes == 3)
    #expect(totals.colors == palettes.reduce(0) { $0 + $1.count } && totals.colors == 4)
    #expect(totals.conflicts == 0)
  }
}

import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

struct PaletteDirectoryTests {
  let library: TemporaryLibrary
  let store: ChangeStore

  init() throws {
    library = try TemporaryLibrary()
    store = try ChangeStore(writing: library.folder, random: SeededRandom(seed: 7))
  }

  private func drop(_ palette: PaletteID) throws {
    try store.write { transaction throws(StoreError) in
      _ = try transaction.palette(palette)?.author(.drop(palette))
    }
  }

  @Test func pagesAreInTheOrderOfNamesAndIDs() throws {
    var ids: [PaletteID] = []
    for name in ["b", "a", "", "é", "B", "a", "a\u{1F3A8}", "b"] {
      ids.append(try store.makePalette(named: name))
    }
    try drop(ids[4])
    let all = try #require(try store.palettePage()).palettes
    #expect(all.map(\.name) == ["", "a", "a", "a\u{1F3A8}", "b", "b", "é"])
    #expect(all[1].id < all[2].id)
    #expect(all[4].id < all[5].id)
    for limit in 1...8 {
      var paged: [PaletteID] = []
      var page = try #require(try store.palettePage(limit: limit))
      while true {
        paged += page.palettes.map(\.id)
        #expect(page.hasMore == (paged.count < all.count))
        guard page.hasMore else { break }
        page = try #require(try store.palettePage(after: paged.last, limit: limit))
      }
      #expect(paged == all.map(\.id))
    }
    // What was dropped meanwhile still says where it was.
    let behind = try #require(try store.palettePage(after: ids[4])).palettes
    #expect(behind.map(\.name) == ["a", "a", "a\u{1F3A8}", "b", "b", "é"])
    #expect(try store.palettePage(after: PaletteID(RecordID(high: 1, low: 1))) == nil)
  }

  @Test func pagesAreInTheOrderOfEdits() throws {
    var now: Int64 = 1_700_000_000_000
    let library = try TemporaryLibrary()
    let store = try ChangeStore(
      writing: library.folder,
      random: SeededRandom(seed: 7),
      milliseconds: { now }
    )
    var ids: [PaletteID] = []
    for name in ["a", "b", "c", "d"] {
      now += 10
      ids.append(try store.makePalette(named: name))
    }
    // Within the minute of which one moment is kept.
    for index in [1, 0] {
      now += 10
      try store.rename(ids[index], to: "x\(index)")
    }
    let all = try #require(try store.palettePageByEdit()).palettes.map(\.palette.id)
    #expect(all == [ids[0], ids[1], ids[3], ids[2]])
    #expect(try store.editedMilliseconds(of: ids[0]) == now)
    for (palette, milliseconds) in try #require(try store.palettePageByEdit()).palettes {
      #expect(try store.editedMilliseconds(of: palette.id) == milliseconds)
    }
    for limit in 1...5 {
      var paged: [PaletteID] = []
      var page = try #require(try store.palettePageByEdit(limit: limit))
      while true {
        paged += page.palettes.map(\.palette.id)
        #expect(page.hasMore == (paged.count < all.count))
        guard page.hasMore else { break }
        page = try #require(try store.palettePageByEdit(after: paged.last, limit: limit))
      }
      #expect(paged == all)
    }
    let unknown = PaletteID(RecordID(high: 1, low: 1))
    #expect(try store.palettePageByEdit(after: unknown) == nil)
    #expect(try store.editedMilliseconds(of: unknown) == nil)
  }

  @Test func aPageEndsWhereItIsLongEnough() throws {
    for number in 0..<10 { _ = try store.makePalette(named: "p\(number)") }
    let page = try #require(try store.palettePage(byteLimit: 600))
    #expect((1..<10).contains(page.palettes.count))
    #expect(page.hasMore)
    #expect(try store.palettePage(byteLimit: 1)?.palettes.count == 1)
  }

  @Test func findsByNameAndByTheBeginningOfTheID() throws {
    let first = try store.makePalette(named: "Sea")
    let second = try store.makePalette(named: "Sea")
    let third = try store.makePalette(named: "sea")
    #expect(try store.palettes(named: "Sea").count == 2)
    #expect(try store.palettes(named: "Sea", limit: 1).palettes.count == 1)
    #expect(try store.palettes(named: "Sea", limit: 1).count == 2)
    #expect(try store.palettes(named: "Se").count == 0)
    let range = third.record...third.record
    #expect(try store.palettes(in: range).palettes.map(\.name) == ["sea"])
    try drop(first)
    #expect(try store.palettes(named: "Sea").palettes.map(\.id) == [second])
    #expect(try store.palettes(named: "Sea", .dropped).palettes.map(\.id) == [first])
    try store.rename(second, to: "Lake")
    #expect(try store.palettes(named: "Sea").count == 0)
    #expect(try store.palettes(named: "Lake").palettes.map(\.id) == [second])
    var names: [String] = []
    try store.forEachName { name in
      names.append(name)
      return true
    }
    #expect(names == ["Lake", "sea"])
  }
}

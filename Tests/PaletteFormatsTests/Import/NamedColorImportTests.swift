import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteFormats

struct NamedColorImportTests {
  private func imported(
    _ entries: [FileEntry],
    into old: [NamedColor],
    from format: (any FileFormat)? = nil
  ) throws
    -> (new: [NamedColor], diff: PaletteDiff)
  {
    var random = SeededRandom(seed: 1)
    let new = old.importing(entries, from: format, using: &random)
    return (new, try PaletteDiff(from: old, to: new))
  }

  @Test(arguments: FormatRegistry.standard.formats.filter { $0.reads && $0.writes }.map(\.name))
  func changesNothingWhenTheFileDidNot(_ name: String) throws {
    let format = try FormatRegistry.standard.format(named: name)
    let entries = try format.read(try format.write(Samples.sheet())).entries
    #expect(try imported(entries, into: Samples.colors, from: format).diff.isEmpty)
  }

  /// Spellings, and colors without their opacity, that are alike in a file tell nothing apart but by their order.
  @Test(arguments: FormatRegistry.standard.formats.filter { $0.reads && $0.writes }.map(\.name))
  func anExportThatNobodyChangedIsThePalette(_ name: String) throws {
    let format = try FormatRegistry.standard.format(named: name)
    func named(_ number: UInt64, _ name: String, _ hex: String, note: String = "") throws
      -> NamedColor
    {
      Samples.named(number, name, try Color(css: hex), note: note)
    }
    let palettes = [
      [
        try named(1, "Red 500", "#ff0000", note: "brand red"), try named(2, "red_500", "#00ff00"),
        try named(3, "red-500", "#0000ff"),
      ],
      [
        try named(1, "Shadow", "#00000080"), try named(2, "Ink", "#000"),
        try named(3, "Veil", "#fff8"), try named(4, "Paper", "#fff"),
      ],
      [
        try named(1, "Sea/Deep", "#010203"), try named(2, "Land", "#010203"),
        try named(3, "Sea", "#040506"), try named(4, "Sea/Deep", "#070809"),
        try named(5, "#070809", "#040506"),
      ],
    ]
    for colors in palettes {
      let entries = try format.read(try format.write(Samples.sheet(colors))).entries
      let (new, diff) = try imported(entries, into: colors, from: format)
      #expect(diff.isEmpty, "\(new.map(\.name))")
    }
  }

  @Test func insertsIntoAnEmptyPalette() throws {
    let red = Color(red8: 255, green8: 0, blue8: 0)
    let entries = [FileEntry(color: red), FileEntry(name: "Fire", color: red, note: "n")]
    let (new, diff) = try imported(entries, into: [])
    #expect(new.map(\.name) == ["#ff0000", "Fire"])
    #expect(new.map(\.note) == ["", "n"])
    #expect(diff.insertions.count == 2 && Set(new.map(\.id)).count == 2)
  }

  @Test func updatesDeletesAndInserts() throws {
    let entries = [
      FileEntry(name: "New", color: Color(.hsl, 1, 2, 3)),
      FileEntry(name: "Coral", color: Color(.srgb, 0, 0, 1)),
      FileEntry(name: "Renamed", color: Samples.colors[2].color),
    ]
    let (new, diff) = try imported(entries, into: Samples.colors)
    #expect(diff.insertions.count == 1 && diff.deletions.count == 1 && diff.updates.count == 2)
    #expect(diff.moves.isEmpty)
    #expect(new[1].id == Samples.id(1) && new[2].id == Samples.id(3))
    #expect(new[2].name == "Renamed")
  }

  @Test func movesWhatMoved() throws {
    let entries = Samples.colors.reversed().map { FileEntry(name: $0.name, color: $0.color) }
    let (new, diff) = try imported(entries, into: Samples.colors)
    #expect(new.map(\.id) == Samples.colors.reversed().map(\.id))
    #expect(diff.moves.count == 2 && diff.updates.isEmpty)
  }

  @Test func keepsWhatTheFileDoesNotSay() throws {
    let entries = Samples.colors.map { FileEntry(name: $0.name, color: $0.color) }
    #expect(try imported(entries, into: Samples.colors).new[1].note == "two\nlines")
    let cleared = Samples.colors.map { FileEntry(name: $0.name, color: $0.color, note: "") }
    #expect(try imported(cleared, into: Samples.colors).new[1].note.isEmpty)
  }
}

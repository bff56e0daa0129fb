import PaletteModel
import Testing

@testable import PaletteFormats
@testable import PaletteJSON

struct FormatRegistryTests {
  private let registry = FormatRegistry.standard
  private static let names = [
    "hex", "json", "txt", "gpl", "ase", "aco", "jasc", "riff", "act", "vga", "paintnet", "css",
    "tailwind", "scss", "less", "android", "soc", "scribus", "kde", "corel", "csv", "sketchpalette",
    "skp", "dtcg", "tailwind3", "swatches", "kpl", "xcassets", "html", "svg", "png", "swift",
  ]

  @Test func listsItsFormats() throws {
    let rows = try #require(try JSON(parsing: registry.document)["formats"]?.arrayValue)
    #expect(rows.compactMap { $0["name"]?.stringValue } == Self.names)
    #expect(
      rows.first == [
        "name": "hex", "title": "Hex list", "extensions": ["hex"], "reads": true, "writes": true,
      ]
    )
  }

  @Test func findsByName() throws {
    #expect(try registry.format(named: "JSON").name == "json")
    let error = try #require(throws: FormatError.self) { try registry.format(named: "gif") }
    #expect(
      error.code == "bad-format"
        && error.hint?.hasPrefix("the formats are hex, json, txt, gpl") == true
    )
  }

  @Test(arguments: [
    ("hex", "hex"), ("JSON", "json"), ("txt", "txt"), ("pal", "jasc"), ("psppalette", "jasc"),
    ("gpl", "gpl"), ("ase", "ase"), ("act", "act"),
  ])
  func choosesTheWriterByExtension(_ ending: String, _ name: String) throws {
    #expect(try registry.format(toWriteExtension: ending).name == name)
  }

  @Test(arguments: [
    ("gif", "there is no format for files that end in '.gif'"),
    (".hex", "there is no format for files that end in '..hex'"),
    ("", "no ending of the file's name says its format"),
    ("SKP", "the format skp can only be read"),
  ])
  func knowsNoWriter(_ ending: String, _ message: String) throws {
    let error = try #require(throws: FormatError.self) {
      try registry.format(toWriteExtension: ending)
    }
    #expect(error.message == message)
  }

  @Test(
    arguments: [
      ("a.hex", "hex"), ("/x.y/b.JSON", "json"), ("c.d.txt", "txt"), ("a", ""), ("a.", ""),
      ("x.hex/a", ""), ("", ""),
    ]
  )
  func knowsExtensions(_ path: String, _ ending: String) {
    #expect(FormatRegistry.pathExtension(of: path) == ending)
  }

  @Test(arguments: [
    ("ff7f50\n", "a.hex", "hex"),
    ("ff7f50\n", "a.bin", "hex"),
    ("red\tFire\n", "noextension", "txt"),
    (#"{"colors":[]}"#, "a.txt", "json"),
    ("#ff7f50\n", "a.txt", "txt"),
    ("#ff7f50\n", "a.hex", "hex"),
    ("", "a.hex", "hex"), ("", "a.txt", "txt"), ("FFf6edc1\n", "a.hex", "hex"),
    ("FFf6edc1\n", "a.txt", "paintnet"), ("garbage", "a.json", "json"),
  ])
  func letsTheBytesDecide(_ text: String, _ file: String, _ name: String) throws {
    #expect(try registry.format(toRead: Array(text.utf8), named: file).name == name)
  }

  @Test func refusesWhatNothingReads() throws {
    let error = try #require(throws: FormatError.self) {
      try registry.format(toRead: Array("garbage".utf8), named: "a.gif")
    }
    #expect(error.code == "bad-format")
  }

  @Test(
    arguments: [
      ("nothing here", "a.hex", nil),
      (#"{"colors":[{}]}"#, "a.json", nil), ("ff7f50", "a.hex", "json"), ("ff7f50", "a.hex", "gif"),
    ] as [(String, String, String?)]
  )
  func refusesFilesWithoutColors(_ text: String, _ file: String, _ format: String?) {
    #expect(throws: FormatError.self) {
      try registry.read(Array(text.utf8), named: file, as: format)
    }
  }

  /// What somebody's site looks like is no list of colors that all were deleted from.
  @Test(
    arguments: [
      ("css", "a { color: red }\n"), ("css", ":root { --gap: 4px }\n"), ("css", ""),
      ("css", "@import 'tailwindcss';\n@theme { --font-x: serif }\n"),
      ("scss", "$gap: 4px;\n.x { color: red }\n"), ("less", "// nothing\n"),
    ]
  )
  func aStylesheetWithoutColorsIsNoPalette(_ ending: String, _ text: String) throws {
    #expect(try !registry.read(Array(text.utf8), named: "a.\(ending)").contents.isPalette)
  }

  @Test(
    arguments: [
      ("strings.xml", "<resources><string name='a'>b</string></resources>"),
      ("tool.config.js", "module.exports = { depth: 1 }\n"),
      ("sizes.tokens", #"{"s":{"$type":"dimension","$value":"1px"}}"#),
    ]
  )
  func aFileOfOtherThingsIsNoPalette(_ name: String, _ text: String) throws {
    #expect(try !registry.read(Array(text.utf8), named: name).contents.isPalette)
  }

  @Test func aStylesheetMaySayThatItIsAnEmptyPalette() throws {
    let text = "/* Palette: Reef */\n:root {\n  --gap: 4px;\n}\n"
    #expect(try registry.read(Array(text.utf8), named: "a.css").contents.isPalette)
  }

  @Test func readsAsTold() throws {
    let (format, contents) = try registry.read(Array("FFf6edc1".utf8), named: "a.txt", as: "hex")
    #expect(format.name == "hex" && contents.entries.count == 1)
  }

  @Test(
    arguments: FormatRegistry.standard.formats.filter { $0.reads && $0.writes }.map(\.name),
    [0, 1, 3]
  )
  func readsBackWhatItWrites(_ name: String, _ count: Int) throws {
    let format = try registry.format(named: name)
    let colors = Array(Samples.colors.prefix(count))
    let bytes = try format.write(Samples.sheet(colors))
    let file = "palette.\(format.extensions[0])"
    let (found, contents) = try registry.read(bytes, named: file)
    #expect(found.name == name && contents.skipped.isEmpty)
    #expect(contents.isPalette || count > 0)
    let keeps = format.keeps
    if keeps.contains(.title) { #expect(contents.title == "Reef") }
    #expect(contents.entries.count == count)
    for (entry, color) in zip(contents.entries, colors) {
      let hex = color.color.hex
      #expect(entry.color.hex == (keeps.contains(.alpha) ? hex : String(hex.prefix(7))))
      if keeps.contains(.identifiers) {
        #expect(entry.name?.isEmpty == false)
      } else {
        #expect(entry.name == (keeps.contains(.names) ? color.name : nil))
      }
      #expect(entry.id == (keeps.contains(.ids) ? color.id : nil))
      #expect((entry.note ?? "") == (keeps.contains(.notes) ? color.note : ""))
      if keeps.contains(.spaces) { #expect(entry.color.space == color.color.space) }
    }
  }

  private func losses(_ name: String, _ sheet: PaletteSheet) throws -> [String] {
    let format = try registry.format(named: name)
    return format.losses(of: sheet, in: try format.write(sheet))
  }

  @Test func saysWhatAnExportDrops() throws {
    let sheet = Samples.sheet()
    #expect(try losses("json", sheet) == [])
    #expect(
      try losses("gpl", sheet) == [
        "the note of 1 color", "the opacity of 1 color", "the exact value of 1 color",
      ]
    )
    #expect(
      try losses("act", sheet).first == "the name of 3 colors"
    )
    #expect(
      try losses("android", sheet).first == "the spelling of the name of 3 colors"
    )
    #expect(try losses("hex", Samples.sheet([])).isEmpty)
    #expect(try losses("swift", sheet) == ["the exact value of 1 color"])
    #expect(try losses("css", sheet) == ["the note of 1 color"])
    #expect(try losses("dtcg", sheet) == [])
    #expect(try losses("xcassets", sheet).contains("the order of 3 colors"))
    #expect(try losses("xcassets", Samples.sheet([Samples.colors[0]])).isEmpty)
  }
}

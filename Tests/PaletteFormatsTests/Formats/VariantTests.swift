import PaletteModel
import Testing

@testable import PaletteFormats

/// What programs write beside the usual: remains, missing counts, comments, references.
struct VariantTests {
  private func read(_ text: String, _ name: String) throws -> (String, FileContents) {
    let (format, contents) = try FormatRegistry.standard.read(Array(text.utf8), named: name)
    return (format.name, contents)
  }

  @Test func bytesBehindTheSwatchesAreNoBlocks() throws {
    let bytes = try ASEFormat().write(Samples.sheet()) + [0, 0, 0]
    #expect(try ASEFormat().read(bytes).entries.count == 3)
    #expect(throws: FormatError.self) { try ASEFormat().read(Array(bytes.dropLast(6))) }
  }

  @Test func aDamagedListOfNamesLeavesTheColors() throws {
    let bytes = try ACOFormat().write(Samples.sheet())
    let contents = try ACOFormat().read(Array(bytes.dropLast(3)))
    #expect(contents.entries.map(\.color.hex) == ["#ff7f50", "#000000", "#40b1b7"])
    #expect(contents.skipped.map(\.at) == ["byte 34"])
    let first = Array(bytes.prefix(34)) + [0]
    #expect(try ACOFormat().read(first).entries.count == 3)
    #expect(throws: FormatError.self) { try ACOFormat().read(Array(bytes.prefix(33))) }
  }

  @Test func aDarkColorTableHasEightBits() throws {
    let dark = (0..<768).map { UInt8($0 % 64) }
    let (format, contents) = try FormatRegistry.standard.read(dark, named: "a.act")
    #expect(format.name == "act" && contents.entries[7].color.hex == "#151617")
  }

  @Test func aColorTableWithoutItsCountHasAllSlots() throws {
    let bytes = [UInt8](repeating: 9, count: 768) + [0, 0, 0xFF, 0xFF]
    #expect(try ACTFormat().read(bytes).entries.count == 256)
    #expect(try ACTFormat().read(try ACTFormat().write(Samples.sheet([]))).entries.isEmpty)
  }

  @Test func aTextIsNoColorTable() {
    let text = Array("All work and no play.\n".utf8)
    let bytes = (0..<768).map { text[$0 % text.count] }
    #expect(throws: FormatError.self) { try FormatRegistry.standard.read(bytes, named: "README") }
  }

  @Test func commentsStandBehindColorsToo() throws {
    let (format, contents) = try read("; paint.net Palette\nFF010203 ; ink\n80040506;x\n", "a.txt")
    #expect(format == "paintnet" && contents.skipped.isEmpty)
    #expect(contents.entries.map(\.color.hex) == ["#010203", "#04050680"])
  }

  @Test func groupsOfKritaHoldGroups() throws {
    let entry = "<ColorSetEntry name='a'><sRGB r='1' g='0' b='0'/></ColorSetEntry>"
    let xml =
      "<ColorSet name='K'><Group name='G'>\(entry)<Group name='H'>\(entry)</Group></Group></ColorSet>"
    var writer = ZipWriter()
    writer.add("colorset.xml", Array(xml.utf8))
    let contents = try KritaFormat().read(writer.finished())
    #expect(contents.entries.map(\.name) == ["G/a", "G/H/a"])
  }

  @Test func tokensSayTheOpacityOfOthers() throws {
    let (_, contents) = try read(
      #"""
      {"a": {"value": "#ff0000", "type": "color"},
       "b": {"value": "rgba({a}, 0.5)", "type": "color"},
       "c": {"value": "rgba({b}, 20%)", "type": "color"},
       "d": {"value": "rgba(#00ff00, 0)", "type": "color"},
       "e": {"value": "rgba({e}, 0.5)", "type": "color"},
       "f": {"value": "rgba({none}, 0.5)", "type": "color"}}
      """#,
      "a.json"
    )
    #expect(contents.entries.map(\.name) == ["a", "b", "c", "d"])
    #expect(
      contents.entries.map(\.color.hex) == ["#ff0000", "#ff000080", "#ff000033", "#00ff0000"]
    )
    #expect(contents.skipped.map(\.at) == ["e", "f"])
  }

  @Test func draftsOfTokensSaidOtherwise() throws {
    let (_, contents) = try read(
      #"""
      {"$type": "color", "a": {"$value": {"colorSpace": "srgb", "channels": [1, 0, 0]}},
       "b": {"$value": {"hex": "#00ff00"}}, "c": {"$value": {"hue": 1}}}
      """#,
      "a.json"
    )
    #expect(contents.entries.map(\.color.hex) == ["#ff0000", "#00ff00"])
    #expect(contents.skipped.map(\.at) == ["c"])
  }

  @Test func whatAConfigurationOnlyNamesIsTold() throws {
    let (format, contents) = try read(
      """
      module.exports = { theme: { screens: { sm: '640px' }, colors: {
        zinc: colors.zinc, primary: withOpacity('--primary'), red: { 500: '#f00', DEFAULT: "#e00" },
      } } }
      """,
      "tailwind.config.js"
    )
    #expect(format == "tailwind3" && contents.entries.map(\.name) == ["red/500", "red"])
    #expect(contents.skipped.map(\.at) == ["line 2", "line 2"])
  }

  @Test(
    arguments: [
      (#""red":"1","green":"0.5","blue":"0","alpha":"1""#, "#ff8000"),
      (#""red":"1","green":"0","blue":"0","alpha":"1""#, "#ff0000"),
      (#""red":"1","green":"2","blue":"255","alpha":"0.5""#, "#0102ff80"),
      (#""white":"1","alpha":"1.000""#, "#ffffff"), (#""red":1,"green":0,"blue":0"#, "#ff0000"),
      (#""red":"0x01","green":"0x80","blue":"0xFF","alpha":"1.000""#, "#0180ff"),
    ]
  )
  func oneIsTheWholeWhereItCannotBeAByte(_ components: String, _ hex: String) throws {
    let text =
      #"{"colors":[{"idiom":"universal","color":{"color-space":"srgb","components":{\#(components)}}}]}"#
    #expect(try read(text, "Contents.json").1.entries.map(\.color.hex) == [hex])
  }

  @Test func aSchemeMayHaveHexadecimalColors() throws {
    let (format, contents) = try read("[Colors:View]\nA=#010203\nB=1,2,3,128\n", "a.colors")
    #expect(format == "kde" && contents.entries.map(\.color.hex) == ["#010203", "#01020380"])
  }

  @Test(arguments: [("a.colors", "[General]\nName=X\n"), ("a.colors", "nothing\n")])
  func aSchemeWithoutColorsIsNoPalette(_ name: String, _ text: String) throws {
    #expect(try !read(text, name).1.isPalette)
  }

  @Test func aCatalogOfPicturesIsNoPalette() throws {
    var writer = ZipWriter()
    writer.add("A.xcassets/Contents.json", Array("{}".utf8))
    writer.add("A.xcassets/Icon.appiconset/Contents.json", Array("{}".utf8))
    let bytes = writer.finished()
    #expect(try !FormatRegistry.standard.read(bytes, named: "A.xcassets").contents.isPalette)
  }

  /// In a configuration of Tailwind `colors` holds what is read, and `DEFAULT` is a group's own color.
  @Test func namesThatMeanSomethingInAPathStayNames() throws {
    let names = ["colors", "DEFAULT", "colors/red", "a/DEFAULT", "a/colors/b", "a/b"]
    let colors = names.enumerated().map {
      Samples.named(UInt64($0.offset), $0.element, Color(red8: 1, green8: 2, blue8: 3))
    }
    let bytes = try TailwindConfigFormat().write(Samples.sheet(colors))
    #expect(try TailwindConfigFormat().read(bytes).entries.map(\.name) == names)
  }

  /// An accent behind a quote or a slash makes another character of both, and ends a text nonetheless.
  @Test(arguments: ["csv", "tailwind3", "css", "scss", "xcassets"])
  func marksWithAccentsAreMarks(_ name: String) throws {
    let accent = "\u{312}"
    let names = [
      "a\"\(accent)b,c", "'\(accent), x: '#fff', '", "\\\(accent)d", "*/\(accent); --x: red; /*",
      "e/\(accent)f",
    ]
    let colors = names.enumerated().map {
      Samples.named(
        UInt64($0.offset),
        $0.element,
        Color(red8: UInt8($0.offset), green8: 2, blue8: 3)
      )
    }
    let format = try FormatRegistry.standard.format(named: name)
    let contents = try format.read(try format.write(Samples.sheet(colors)))
    #expect(contents.entries.map(\.color.hex) == colors.map(\.color.hex))
    if name == "csv" || name == "tailwind3" { #expect(contents.entries.map(\.name) == names) }
    if name == "xcassets" {
      #expect(contents.entries.allSatisfy { $0.name?.contains("/") != true })
    }
  }

  /// Systems take 255 bytes for a name of a file, and to a Mac names that differ in case are one.
  @Test func colorSetsHaveNamesOfFiles() throws {
    let long = String(repeating: "é", count: 300)
    let names = [long, "Brand/\(long)", "Red", "red", "brand/Red", "..", "Red/Light"]
    let colors = names.enumerated().map {
      Samples.named(
        UInt64($0.offset),
        $0.element,
        Color(red8: UInt8($0.offset), green8: 2, blue8: 3)
      )
    }
    let sheet = PaletteSheet(
      id: PaletteID(Samples.id(99)),
      name: long,
      digest: "",
      colors: colors
    )
    let format = try FormatRegistry.standard.format(named: "xcassets")
    let archive = try ZipArchive(try format.write(sheet))
    let paths = try archive.files().map(\.path)
    #expect(Set(paths.map { $0.lowercased() }).count == paths.count)
    #expect(paths.allSatisfy { $0.split(separator: "/").allSatisfy { $0.utf8.count <= 255 } })
    #expect(try format.read(try format.write(sheet)).entries.count == names.count)
  }

  /// A table without a header is known by its rows, whatever the file is called.
  @Test(
    arguments: [
      ("#FF0, 255, 255, 0\n#00F, 0, 0, 255\n", "csv"),
      ("Background, 170, 123, 0\nText, 1, 2, 3\n", "csv"),
      ("Dear all, how are you\nfine, thanks\n", nil),
      ("a, 1\nb, 2\n", nil),
    ] as [(String, String?)]
  )
  func aTableWithoutAHeaderIsKnown(_ text: String, _ name: String?) {
    let format = try? FormatRegistry.standard.format(toRead: Array(text.utf8), named: "table")
    #expect(format?.name == name)
  }
}

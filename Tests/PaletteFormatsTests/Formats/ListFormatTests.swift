import PaletteModel
import Testing

@testable import PaletteFormats

/// Lists and tables of many programs, as these write them.
struct ListFormatTests {
  private func read(_ text: String, _ name: String) throws -> (String, FileContents) {
    let (format, contents) = try FormatRegistry.standard.read(Array(text.utf8), named: name)
    return (format.name, contents)
  }

  @Test func readsPaintNET() throws {
    let (format, contents) = try read(
      "\u{FEFF}; Paint.NET Palette File\r\n;Palette Name: Oil\r\n80FF0000\r\n00FF00\r\nx\r\n",
      "a.txt"
    )
    #expect(format == "paintnet" && contents.title == "Oil")
    #expect(contents.entries.map(\.color.hex) == ["#ff000080", "#00ff00"])
    #expect(contents.skipped.map(\.at) == ["line 5"])
  }

  @Test func readsTables() throws {
    let (format, contents) = try read(
      "Name;Red;Green;Blue;Alpha;Notes\n\"a;\"\"b\"\"\";255;0;0;0.5;\"two\nlines\"\nc;1;2;999;1;\n",
      "a.csv"
    )
    #expect(format == "csv" && contents.entries.map(\.name) == ["a;\"b\""])
    #expect(contents.entries.map(\.color.hex) == ["#ff000080"])
    #expect(contents.entries.map(\.note) == ["two\nlines"])
    #expect(contents.skipped.map(\.at) == ["line 4"])
    #expect(
      try read("Name\t#\tRGB\nA\t1\t1 2 \"3\"\n", "a.tsv").1.entries.map(\.color.hex) == ["#010203"]
    )
    #expect(
      try read("Coral,ff7f50\nRed,#f00\n", "a.csv").1.entries.map(\.name) == ["Coral", "Red"]
    )
    #expect(throws: FormatError.self) { try read("a,b\nc,d\n", "a.csv") }
    let (_, dialect) = try read("Color,Hex\nRed,#f00\nSky,00aaff\n", "a.csv")
    #expect(dialect.entries.map(\.name) == ["Red", "Sky"])
    #expect(dialect.entries.map(\.color.hex) == ["#ff0000", "#00aaff"])
    let (_, floats) = try read("name,r,g,b\nA,1,0.5,0\nB,100%,0%,20%\n", "a.csv")
    #expect(floats.entries.map(\.color.hex) == ["#ff8000", "#ff0033"])
    let (_, own) = try read("Farbe,Wert\nRot,#f00\n", "a.csv")
    #expect(own.entries.map(\.name) == ["Rot"])
    let units = Array("name\tcolor\r\n\u{E9}\t#123456\r\n".utf16)
    let utf16: [UInt8] = [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    let (_, wide) = try FormatRegistry.standard.read(utf16, named: "a.csv")
    #expect(wide.entries.map(\.name) == ["\u{E9}"] && wide.entries[0].color.hex == "#123456")
  }

  @Test func readsKDE() throws {
    let (list, colors) = try read(
      "KDE RGB Palette\n0 0 1\tDeep blue\n255 255 255 White\n\nx\n",
      "a"
    )
    #expect(list == "kde" && colors.entries.map(\.name) == ["Deep blue", "White"])
    #expect(colors.skipped.map(\.at) == ["line 5"])
    let (scheme, keys) = try read(
      "[ColorEffects:Disabled]\nColor=1,2,3\nColorAmount=0\n[Colors:View]\nFocus=4,5,6\n[General]\nName=X\n",
      "x.colors"
    )
    #expect(scheme == "kde")
    #expect(keys.entries.map(\.name) == ["ColorEffects:Disabled/Color", "View/Focus"])
  }

  @Test func readsCorelLinesWithQuotesInNames() throws {
    let (format, contents) = try read(
      "\"Jade\"Forever\"\" 0 20 12 44\r\n\"Black\" 0 0 0 100\r\nx\r\n",
      "a.pal"
    )
    #expect(format == "corel" && contents.entries.map(\.name) == ["Jade\"Forever\"", "Black"])
    #expect(contents.entries.map(\.color.hex) == ["#8f727e", "#000000"])
    #expect(contents.skipped.map(\.at) == ["line 3"])
  }

  @Test func readsSK1() throws {
    let (format, contents) = try read(
      """
      ##sK1 palette
      palette()
      set_name('Tom\\'s')
      color(['RGB', [1.0, 0.0, 0.0], 0.5, u'Red [x]'])
      color(['CMYK', [0.0, 1.0, 1.0, 0.0], 1.0, "Ink"])
      color(['SPOT', [0.0], 1.0, 'no'])
      palette_end()
      """,
      "a"
    )
    #expect(format == "skp" && contents.title == "Tom's")
    #expect(contents.entries.map(\.name) == ["Red [x]", "Ink"])
    #expect(contents.entries.map(\.color.hex) == ["#ff000080", "#ff0000"])
    #expect(contents.skipped.map(\.at) == ["line 6"])
  }

  @Test func readsSketch() throws {
    let (format, contents) = try read(
      #"{"compatibleVersion":"1.4","colors":[{"red":1,"green":0,"blue":0,"alpha":0.5},"00ff00",{}]}"#,
      "a.sketchpalette"
    )
    #expect(format == "sketchpalette")
    #expect(contents.entries.map(\.color.hex) == ["#ff000080", "#00ff00"])
    #expect(contents.skipped.map(\.at) == ["colors[2]"])
  }

  /// Both lists, the first only, and the second only; a color of every space.
  @Test func readsSwatchesOfPhotoshop() throws {
    let spaces: [[UInt16]] = [
      [0, 65535, 0, 0, 0], [1, 0, 65535, 65535, 0], [2, 65535, 0, 0, 65535], [7, 5000, 0, 0, 0],
      [8, 10000, 0, 0, 0], [9, 0, 10000, 10000, 0], [3, 1, 2, 3, 4],
    ]
    func list(_ version: UInt16) -> [UInt8] {
      var bytes: [UInt8] = []
      bytes.append(big: version)
      bytes.append(big: UInt16(spaces.count))
      for words in spaces {
        for word in words { bytes.append(big: word) }
        if version == 2 { bytes += [0, 0, 0, 2, 0, 0x41, 0, 0] }
      }
      return bytes
    }
    for (bytes, name) in [(list(1), nil), (list(2), "A"), (list(1) + list(2), "A")]
      as [([UInt8], String?)]
    {
      let (format, contents) = try FormatRegistry.standard.read(bytes, named: "a")
      #expect(format.name == "aco")
      #expect(
        contents.entries.map(\.color.hex) == [
          "#ff0000", "#ff0000", "#ff0000", "#777777", "#ffffff", "#ff0000",
        ]
      )
      #expect(contents.entries.allSatisfy { $0.name == name } && contents.skipped.count == 1)
      for count in bytes.indices { _ = try? ACOFormat().read(Array(bytes[..<count])) }
    }
  }

  @Test func readsBothKindsOfVGA() throws {
    let six = (0..<768).map { UInt8($0 % 64) }
    let (format, contents) = try FormatRegistry.standard.read(six, named: "a")
    #expect(format.name == "vga" && contents.entries.count == 256)
    #expect(
      contents.entries[20].color.hex == "#f3f7fb" && contents.entries[21].color.hex == "#ff0004"
    )
    let eight = (0..<768).map { UInt8($0 % 256) }
    #expect(try FormatRegistry.standard.read(eight, named: "a.pal").format.name == "vga")
    #expect(try FormatRegistry.standard.read(eight, named: "a.act").format.name == "act")
  }

  @Test func drawsPictures() throws {
    func text(_ name: String, _ sheet: PaletteSheet) throws -> String {
      String(decoding: try FormatRegistry.standard.format(named: name).write(sheet), as: UTF8.self)
    }
    var sheet = Samples.sheet()
    sheet.name = "<Reef> & \"co\""
    let html = try text("html", sheet)
    #expect(html.contains("&lt;Reef&gt; &amp; &quot;co&quot;") && !html.contains("<Reef>"))
    #expect(html.contains("two&#10;lines") && html.contains("background: #ff7f50"))
    let svg = try XMLElement(parsing: Array(try text("svg", sheet).utf8))
    #expect(svg.descendants("rect").map { $0["fill"] ?? "" }.first == "#ff7f50")
    #expect(svg.descendants("text").count == 3)
    let png = try FormatRegistry.standard.format(named: "png")
    #expect(try png.write(sheet).starts(with: [0x89, 0x50, 0x4E, 0x47]))
    #expect(throws: FormatError.self) { try png.write(Samples.sheet([])) }
    let names = ["default", "2 fast", "Café au lait", "default"]
    let colors = names.enumerated().map { Samples.named(UInt64($0.offset), $0.element) }
    let swift = try text("swift", Samples.sheet(colors + Samples.colors))
    for line in [
      "enum Reef {", "  static let `default` = Color(.sRGB, red: 1, green: 0, blue: 0)",
      "  static let color2Fast = ", "  static let cafAuLait = ", "  static let default2 = ",
      "opacity: 0.50",
    ] { #expect(swift.contains(line), "\(line) in \(swift)") }
  }
}

import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteFormats

/// Files that belong to somebody: what a change of the palette may do to them, and what it may not.
struct OwnersFilesTests {
  private static let sheet = """
    @use "sass:map";
    $red: #e63946;
    // shades
    $mist: (
      100: #eeeeee,
      200: #cccccc
    );
    .a { color: $red }

    """

  /// Nothing is written whole over a stylesheet with rules: a color that cannot stand where the palette has it
  /// stays beside those of its group.
  @Test(arguments: [(0, 1), (2, 0), (0, 2), (1, 0)])
  func aMoveOutOfAMapIsNoneInTheFile(_ start: Int, _ end: Int) throws {
    let result = try Samples.patched(Self.sheet, "scss") {
      $0.insert($0.remove(at: start), at: end)
    }
    #expect(result.contains(".a { color: $red }\n"))
    #expect(result.contains("$red: #e63946;\n"))
    #expect(result.contains("$mist: (\n"))
    let format = try FormatRegistry.standard.format(named: "scss")
    let names = Set(try format.read(Array(result.utf8)).entries.map(\.name))
    #expect(names == ["red", "mist/100", "mist/200"])
  }

  /// A color of no group comes to stand behind a map, one of a group in it.
  @Test func aColorBehindAMapIsADeclaration() throws {
    let sheet = Self.sheet.replacing(");", with: ") !default; // greys")
    let leaf = try Samples.patched(sheet, "scss") { $0.append(Samples.named(9, "leaf")) }
    #expect(leaf == sheet.replacing("// greys\n", with: "// greys\n$leaf: #ff0000;\n"))
    let shade = try Samples.patched(sheet, "scss") {
      $0.insert(Samples.named(9, "mist/300"), at: 0)
    }
    #expect(shade == sheet.replacing("(\n", with: "(\n  300: #ff0000,\n"))
    let less = "@red: #e63946;\n@mist: {\n  a: #eeeeee;\n}\n.a { b: c }\n"
    #expect(
      try Samples.patched(less, "less") { $0.append(Samples.named(9, "leaf")) }
        == less.replacing("}\n.a", with: "}\n@leaf: #ff0000;\n.a")
    )
  }

  /// A new token stands in its group, wherever the palette has it.
  @Test func aNewColorStandsInItsGroup() throws {
    let tokens = """
      {
        "a": {
          "x": { "$type": "color", "$value": "#ffffff" }
        },
        "b": { "y": { "$type": "color", "$value": "#000000cc" } }
      }

      """
    #expect(
      try Samples.patched(tokens, "dtcg") { $0.append(Samples.named(9, "a/z")) }
        == tokens.replacing(
          "\"#ffffff\" }",
          with: "\"#ffffff\" },\n    \"z\": { \"$type\": \"color\", \"$value\": \"#ff0000\" }"
        )
    )
  }

  @Test func aColorBehindTheGroupsOfAnExchangeFileIsInNone() throws {
    let format = try FormatRegistry.standard.format(named: "ase")
    let colors = [Samples.named(1, "A/x"), Samples.named(2, "B/y")]
    let file = try format.write(Samples.sheet(colors))
    let result = try Samples.patched(file, "ase") { $0.append(Samples.named(9, "Leaf")) }
    #expect(try format.read(result).entries.map(\.name) == ["A/x", "B/y", "Leaf"])
    #expect(result[12..<file.count] == file[12...])
  }

  @Test func aNameThatAFixedKeyCannotSayIsRefused() throws {
    let text = "module.exports = { colors: { mist: { DEFAULT: '#eee', 500: '#ccc' } } } // mine\n"
    #expect(throws: FormatError.self) {
      _ = try Samples.patched(text, "tailwind3") { $0[0].name = "Fog" }
    }
  }

  /// A document that the program wrote is written anew; with one member of somebody else's it is patched.
  @Test func aDocumentOfOursIsGenerated() throws {
    let format = try FormatRegistry.standard.format(named: "json")
    var colors = Samples.colors
    let bytes = try format.write(Samples.sheet(colors))
    let ids = colors.map(\.id)
    colors.swapAt(0, 1)
    colors[2].color = Color(red8: 1, green8: 2, blue8: 3)
    let whole = try format.write(Samples.sheet(colors))
    #expect(try format.patched(bytes, ids: ids, to: Samples.sheet(colors)) == whole)
    let own =
      Array(String(decoding: bytes, as: UTF8.self).dropLast(2).utf8) + Array(",\"x\":1}".utf8)
    let patched = try format.patched(own, ids: ids, to: Samples.sheet(colors))
    #expect(String(decoding: patched, as: UTF8.self).hasSuffix(",\"x\":1}"))
    #expect(try format.read(patched).entries.map(\.color) == colors.map(\.color))
  }

  /// A file that has lost its last color, or had none, keeps what it has and gets the palette.
  @Test(
    arguments: [
      ("gpl", "GIMP Palette\n# mine\n", "GIMP Palette\n# mine\n255   0   0\tOcean\n"),
      ("hex", ";mine\r\n", ";mine\r\nff0000\r\n"), ("jasc", "JASC-PAL\n0100\n0\n", nil),
      (
        "android", "<resources>\n  <dimen name=\"x\">1dp</dimen>\n</resources>\n",
        "<resources>\n  <dimen name=\"x\">1dp</dimen>\n  <color name=\"ocean\">#FF0000</color>\n</resources>\n"
      ),
      ("dtcg", "{\"a\": {\"$type\": \"number\", \"$value\": 1}}\n", nil),
    ] as [(String, String, String?)]
  )
  func aFileWithoutAColorGetsSome(_ format: String, _ text: String, _ result: String?) throws {
    let found = try Samples.patched(text, format) { $0 = [Samples.named(7, "Ocean")] }
    if let result { #expect(found == result) }
    if format != "jasc" { #expect(found.hasPrefix(text.prefix(7))) }
    let read = try FormatRegistry.standard.format(named: format).read(Array(found.utf8))
    #expect(read.entries.map(\.color.hex) == ["#ff0000"])
  }

  private func exchangeFile() -> [UInt8] {
    func block(_ name: String, _ model: String, _ values: [Float], _ kind: UInt8) -> [UInt8] {
      var body: [UInt8] = [0, UInt8(name.utf16.count + 1)]
      for unit in Array(name.utf16) + [0] { body += [UInt8(unit >> 8), UInt8(unit & 255)] }
      body += Array(model.utf8)
      for value in values { body.append(big: value.bitPattern) }
      return [0, 1, 0, 0, 0, UInt8(body.count + 2)] + body + [0, kind]
    }
    let blocks = [
      block("Press", "CMYK", [0.1, 0.9, 0.3, 0.05], 1), block("Dye", "LAB ", [0.5, 20, -30], 0),
      block("Red", "RGB ", [1, 0, 0], 2),
    ]
    return Array("ASEF".utf8) + [0, 1, 0, 0, 0, 0, 0, 3] + blocks.joined()
  }

  /// An entry that did not change is copied, whatever it is; one that did keeps its model.
  @Test func pressColorsOfAnExchangeFileStay() throws {
    let file = exchangeFile()
    let renamed = try Samples.patched(file, "ase") { $0[2].name = "Rot" }
    #expect(renamed.prefix(file.count - 34) == file.prefix(file.count - 34))
    #expect(renamed.count == file.count)
    let removed = try Samples.patched(file, "ase") { $0.removeLast() }
    #expect(removed[12...] == file[12..<removed.count] && removed[11] == 2)
    let added = try Samples.patched(file, "ase") { $0.insert(Samples.named(9, "New"), at: 1) }
    #expect(added[11] == 4)
    let recolored = try Samples.patched(file, "ase") {
      $0[0].color = Color(red8: 9, green8: 99, blue8: 199)
    }
    #expect(String(decoding: recolored, as: UTF8.self).contains("CMYK"))
    #expect(recolored.suffix(60) == file.suffix(60))
    #expect(try Samples.patched(file, "ase") { $0.swapAt(0, 1) }.count == file.count)
  }

  @Test func inksOfSwatchesStay() throws {
    func entry(_ words: [UInt16], _ name: String?) -> [UInt8] {
      var bytes: [UInt8] = []
      for word in words { bytes.append(big: word) }
      guard let name else { return bytes }
      bytes.append(big: UInt32(name.utf16.count + 1))
      for unit in Array(name.utf16) + [0] { bytes.append(big: unit) }
      return bytes
    }
    let colors: [([UInt16], String)] = [
      ([2, 60000, 500, 9000, 65535], "Ink"), ([7, 5000, 2000, 62536, 0], "Lab"),
      ([0, 65535, 0, 0, 0], "Red"),
    ]
    func file(_ colors: [([UInt16], String)]) -> [UInt8] {
      let count = UInt8(colors.count)
      return [0, 1, 0, count] + colors.flatMap { entry($0.0, nil) } + [0, 2, 0, count]
        + colors.flatMap { entry($0.0, $0.1) }
    }
    var changed = colors
    changed[2].1 = "Rot"
    #expect(try Samples.patched(file(colors), "aco") { $0[2].name = "Rot" } == file(changed))
    changed.remove(at: 1)
    let removed = try Samples.patched(file(colors), "aco") {
      $0[2].name = "Rot"
      $0.remove(at: 1)
    }
    #expect(removed == file(changed))
    let ink = try Samples.patched(file(colors), "aco") {
      $0[0].color = Color(red8: 9, green8: 9, blue8: 200)
    }
    #expect(ink.prefix(6) == file(colors).prefix(6), "it is an ink still")
  }

  @Test func channelsOfAsepriteKeepTheirOpacity() throws {
    let text = "GIMP Palette\nChannels: RGBA\n# mine\n255 0 0 128 Half\n0 255 0 255 Green\n"
    let result = try Samples.patched(text, "gpl") {
      $0[1].color = Color(red8: 0, green8: 0, blue8: 9)
    }
    #expect(result == text.replacing("0 255 0 255", with: "0 0 9 255"))
    let clear = try Samples.patched(text, "gpl") { $0[1].color.alpha = 0 }
    #expect(clear == text.replacing("0 255 0 255", with: "0 255 0 0"))
  }

  @Test func columnsOfATableAreItsOwners() throws {
    let text = "Name;R;G;B;Stock\r\nSea;1;2;3;yes\r\nSky;4;5;6;no\r\n"
    let half = Color(red8: 255, green8: 0, blue8: 0, alpha8: 128)
    #expect(
      try Samples.patched(text, "csv") { $0[0].color = half }
        == text.replacing("1;2;3", with: "255;0;0")
    )
    let wide = try Color(css: "color(display-p3 0.2 0.8 0.3)")
    let result = try Samples.patched("name,hex\nSea,#010203\n", "csv") { $0[0].color = wide }
    #expect(result == "name,hex\nSea,\(wide.opaque.hex)\n")
  }

  @Test func inksOfScribusStayInks() throws {
    let text =
      "<SCRIBUSCOLORS Name=\"x\">\n <!-- mine -->\n <COLOR NAME=\"A\" SPACE=\"CMYK\" C=\"0\" M=\"100\" Y=\"0\" K=\"0\"/>\n <COLOR NAME=\"B\" SPACE=\"LAB\" L=\"50\" A=\"10\" B=\"20\"/>\n</SCRIBUSCOLORS>\n"
    let result = try Samples.patched(text, "scribus") {
      $0[0].color = Color(red8: 0, green8: 0, blue8: 255)
    }
    #expect(
      result
        == text.replacing(
          "C=\"0\" M=\"100\" Y=\"0\" K=\"0\"",
          with: "C=\"100\" M=\"100\" Y=\"0\" K=\"0\""
        )
    )
  }

  @Test func textInUTF16StaysSo() throws {
    func encoded(_ text: String) -> [UInt8] {
      [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }
    let text = "name,hex,x\r\nCaf\u{E9} \u{1F30A},#010203,y\r\n"
    let result = try Samples.patched(encoded(text), "csv") {
      $0[0].color = Color(red8: 9, green8: 9, blue8: 9)
    }
    #expect(result == encoded(text.replacing("#010203", with: "#090909")))
  }

  /// A color without a group stands beside the group that its neighbor is in.
  @Test func whatHasNoGroupIsAddedBesideOne() throws {
    let text = """
      module.exports = {
        theme: {
          colors: {
            red: '#e63946',
            mist: {
              DEFAULT: '#eeeeee',
              500: '#cccccc',
            }, // grey
          },
        },
      }

      """
    let added = try Samples.patched(text, "tailwind3") { $0.append(Samples.named(9, "leaf")) }
    #expect(added == text.replacing("// grey\n", with: "// grey\n      leaf: '#ff0000',\n"))
    #expect(try Samples.patched(added, "tailwind3") { $0.removeLast() } == text)
    let tokens =
      "{\n  \"a\": {\n    \"b\": { \"$type\": \"color\", \"$value\": \"#fff\" }\n  }\n}\n"
    let token = try Samples.patched(tokens, "dtcg") { $0.append(Samples.named(9, "leaf")) }
    #expect(
      token
        == tokens.replacing(
          "  }\n}",
          with: "  },\n  \"leaf\": { \"$type\": \"color\", \"$value\": \"#f00\" }\n}"
        )
    )
  }

  @Test func aNewTokenIsNoCopyOfItsNeighbor() throws {
    let text =
      "{\n  \"a\": { \"$type\": \"color\", \"$value\": \"#ffffff\", \"$deprecated\": true, \"$extensions\": {\"com.figma\": {\"id\": 1}} }\n}\n"
    let result = try Samples.patched(text, "dtcg") { $0.append(Samples.named(9, "leaf")) }
    #expect(
      result
        == text.replacing(
          "} }\n}",
          with: "} },\n  \"leaf\": { \"$type\": \"color\", \"$value\": \"#ff0000\" }\n}"
        )
    )
  }

  /// A token file of hexadecimal texts gets no function that its readers do not know.
  @Test(arguments: ["oklch(0.7 0.15 200)", "color(display-p3 0.2 0.8 0.3)", "lab(50 20 30)"])
  func aDraftOfTokensGetsDigits(_ css: String) throws {
    let color = try Color(css: css)
    let text =
      "{\"a\": {\"value\": \"#ffffff\", \"type\": \"color\"}, \"b\": {\"value\": \"{a}\"}}\n"
    let result = try Samples.patched(text, "dtcg") { $0[0].color = color }
    #expect(result.contains("\"value\": \"\(color.hex)\""))
    #expect(!result.contains("("))
  }

  @Test func keysOfASchemeAreFixed() throws {
    let text = "[Colors:View]\nBackgroundNormal=1,2,3\nForegroundNormal=4,5,6\n"
    let result = try Samples.patched(text, "kde") {
      $0[1].color = Color(red8: 7, green8: 8, blue8: 9)
    }
    #expect(result == text.replacing("4,5,6", with: "7,8,9"))
    for change: (inout [NamedColor]) -> Void in [
      { $0.swapAt(0, 1) }, { $0[0].name = "Paper" }, { $0.append(Samples.named(9, "New")) },
      { $0.removeLast() },
    ] {
      #expect(try Samples.patched(text, "kde", change) == text)
      let both = try Samples.patched(text, "kde") {
        $0[0].color = Color(red8: 9, green8: 9, blue8: 9)
        change(&$0)
      }
      #expect(both == text.replacing("1,2,3", with: "9,9,9"))
    }
  }

  @Test func anAssetOfDisplayP3KeepsItsGamut() throws {
    let format = try FormatRegistry.standard.format(named: "xcassets")
    let color = try Color(css: "color(display-p3 0.2 0.8 0.3)")
    let bytes = try format.write(Samples.sheet([Samples.named(1, "Wide", color)]))
    let read = try #require(try format.read(bytes).entries.first?.color)
    for (found, wanted) in zip(read.components, [0.2, 0.8, 0.3]) {
      #expect(abs((found ?? 0) - wanted) < 0.001)
    }
  }

  @Test func anExchangeFileThatIsCutOffIsRefused() throws {
    let format = try FormatRegistry.standard.format(named: "ase")
    let bytes = try format.write(Samples.sheet())
    var (place, ends) = (12, [12])
    while place < bytes.count {
      let size = bytes[(place + 2)..<(place + 6)].reduce(0) { $0 << 8 | Int($1) }
      place += 6 + size
      ends.append(place)
    }
    #expect(throws: Never.self) { _ = try format.read(bytes) }
    for end in ends.dropLast() {
      #expect(throws: FormatError.self) { _ = try format.read(Array(bytes[..<end])) }
    }
  }
}

import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteFormats

/// Names, notes and titles that would be code, formulas or other entries if they were written as they are.
struct HostileNameTests {
  private static let words = [
    "${alert(1)}", "#{alert(1)}", "@{alert(1)}", "`", "`+alert(1)+`", "\\", "\\`", "a\\${x}",
    "'+x+'",
    "\"+x+\"", "*/", "*/ }", "x */ --y: red; /*", "-->", "</script>", "</title><script>x</script>",
    "=1+1", "+1", "-1", "@SUM(1)", "'=1+1", "''-1", " =1", "\u{FF1D}1", "]]>", "' y='", "\" y=\"",
    "a\u{2028}b", "a\u{2029}$x: red;", "\u{202E}txet", "\u{2066}x\u{2069}", "\u{301}x", "\"\u{301}",
    "'\u{301}", "`\u{301}", "$\u{301}{x}", "//", "# sourceMappingURL=x", "__proto__",
    "a: b", "a, b", "a;b", "{", "}", "(", ")", "constructor", "500", "05", "a-b", "not", "&amp;",
    "<!--", "%PDF", "url(x)", "@import 'x';", "$value", "{a.b}", "x\ty",
  ]

  private static let written = FormatRegistry.standard.formats.filter(\.writes).map(\.name)

  private static let color = Color(red8: 10, green8: 20, blue8: 30)

  /// What is written whole holds one entry a color and none of anybody's words.
  @Test(arguments: written)
  func wordsStayWordsInAWholeFile(_ name: String) throws {
    let format = try FormatRegistry.standard.format(named: name)
    for word in Self.words {
      let colors = [
        Samples.named(1, word, Self.color, note: word), Samples.named(2, "End", Self.color),
      ]
      var sheet = Samples.sheet(colors)
      sheet.name = word
      let bytes = try format.write(sheet)
      try expectHarmless(bytes, name, word)
      guard format.reads else { continue }
      let entries = try format.read(bytes).entries
      #expect(
        entries.count == 2 && entries.allSatisfy { $0.color.hex == Self.color.hex },
        "\(word)"
      )
      // What was read is what was written: a round trip changes nothing.
      let again = try format.patched(bytes, ids: colors.map(\.id), to: sheet)
      #expect(again == bytes, "\(word): \(String(decoding: again, as: UTF8.self))")
    }
  }

  /// A file in its owner's clothes, in which a color gets a name and another is added.
  private static let files: [(format: String, text: String)] = [
    ("tailwind3", "module.exports = { colors: { [`a`]: `#000001`, [`z`]: `#000003` } }\n"),
    ("tailwind3", "module.exports = { colors: { 'a': '#000001', 'z': '#000003' } }\n"),
    ("tailwind3", "module.exports = { colors: { \"a\": \"#000001\", \"z\": \"#000003\" } }\n"),
    ("tailwind3", "module.exports = { colors: { a: '#000001', z: '#000003' } }\n"),
    ("tailwind3", "module.exports = { colors: { m: { 500: '#000001', 600: '#000003' } } }\n"),
    ("scss", "$m: (\"a\": #000001, \"z\": #000003);\n$gap: 1px;\n"),
    ("scss", "$m: ('a': #000001, 'z': #000003);\n$gap: 1px;\n"),
    ("scss", "$m: (a: #000001, z: #000003);\n$gap: 1px;\n"),
    ("scss", "$a: #000001; /* A */\n$z: #000003; /* Z */\n$gap: 1px;\n"),
    ("scss", "$a: #000001; // A\n$z: #000003; // Z\n$gap: 1px;\n"),
    ("less", "@a: #000001; // A\n@z: #000003; /* Z */\n@gap: 1px;\n"),
    ("less", "@m: {\n  a: #000001;\n  z: #000003;\n}\n@gap: 1px;\n"),
    ("css", ":root {\n  --a: #000001; /* A */\n  --z: #000003; /* Z */\n}\n"),
    ("tailwind", "@theme {\n  --color-a: #000001;\n  --color-z: #000003;\n}\n"),
    ("csv", "name;color;note\na;#000001;n\nz;#000003;\n"),
    ("csv", "color,name,note\n#000001,a,n\n#000003,z,\n"),
    (
      "soc",
      "<t:color-table xmlns:t='o'><t:color t:name='a' t:color='#000001'/><t:color t:name='z' t:color='#000003'/></t:color-table>\n"
    ),
    (
      "scribus",
      "<SCRIBUSCOLORS><COLOR NAME='a' RGB='#000001'/><COLOR NAME=\"z\" RGB=\"#000003\"/></SCRIBUSCOLORS>\n"
    ),
    (
      "android",
      "<resources><color name='a'>#000001</color><color name='z'>#000003</color></resources>\n"
    ),
    (
      "dtcg",
      "{\"a\": {\"$type\": \"color\", \"$value\": \"#000001\"}, \"z\": {\"$type\": \"color\", \"$value\": \"#000003\"}}\n"
    ),
    (
      "json",
      "{\"colors\": [{\"name\": \"a\", \"hex\": \"#000001\", \"note\": \"\"}, {\"name\": \"z\", \"hex\": \"#000003\", \"note\": \"\"}]}\n"
    ),
    ("gpl", "GIMP Palette\n# mine\n0 0 1\ta\n0 0 3\tz\n"),
    ("kde", "KDE RGB Palette\n# mine\n0 0 1\ta\n0 0 3\tz\n"),
    ("txt", "#000001\ta\n#000003\tz\n"),
  ]

  @Test(arguments: files.indices)
  func wordsStayWordsInAPatchedFile(_ index: Int) throws {
    let (name, text) = Self.files[index]
    let format = try FormatRegistry.standard.format(named: name)
    let old = Array(text.utf8)
    var random = SeededRandom(seed: 1)
    let colors = [].importing(try format.read(old).entries, using: &random)
    // A color in a map can have no name of another place.
    let group = colors[0].name.contains("/") ? "m/" : ""
    for word in Self.words {
      var changed = colors
      changed[0].name = group + word
      changed[0].note = word
      changed.insert(Samples.named(7, group + "2 " + word, Self.color, note: word), at: 1)
      let sheet = Samples.sheet(changed)
      let bytes = try format.patched(old, ids: colors.map(\.id), to: sheet)
      try expectHarmless(bytes, name, word)
      let hexes = try format.read(bytes).entries.map(\.color.hex)
      #expect(
        hexes == ["#000001", Self.color.hex, "#000003"],
        "\(word): \(String(decoding: bytes, as: UTF8.self))"
      )
    }
  }

  /// A key that is no word of the language gets quotes, and one that is a word needs none.
  @Test func keysAreQuotedWhereTheyMustBe() throws {
    func renamed(_ name: String, _ text: String, _ format: String) throws -> String {
      let format = try FormatRegistry.standard.format(named: format)
      var random = SeededRandom(seed: 1)
      var colors = [].importing(try format.read(Array(text.utf8)).entries, using: &random)
      let ids = colors.map(\.id)
      colors[0].name = name
      let bytes = try format.patched(Array(text.utf8), ids: ids, to: Samples.sheet(colors))
      return String(decoding: bytes, as: UTF8.self)
    }
    let script = "module.exports = { colors: { red: '#f00', b: '#00f' } }\n"
    for (name, key) in [
      ("Brand red", "'Brand red'"), ("brand-red", "'brand-red'"), ("5a", "'5a'"), ("05", "'05'"),
      ("500", "500"), ("rot", "rot"), ("it's", "'it\\'s'"), ("__proto__", "'-__proto__'"),
    ] {
      #expect(
        try renamed(name, script, "tailwind3")
          == "module.exports = { colors: { \(key): '#f00', b: '#00f' } }\n"
      )
    }
    let sass = "$m: (red: #f00, b: #00f);\n"
    for (name, key) in [
      ("m/brand-red", "brand-red"), ("m/Brand red", "'Brand red'"), ("m/not", "'not'"),
      ("m/5a", "'5a'"), ("m/500", "500"), ("m/#{x}", "'\\#{x}'"),
    ] {
      #expect(try renamed(name, sass, "scss") == "$m: (\(key): #f00, b: #00f);\n")
    }
  }

  /// A cell that a spreadsheet would evaluate gets an apostrophe in front, and is read without it.
  @Test func formulasAreWrittenAsTexts() throws {
    for (text, cell) in [
      ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@x", "'@x"), ("'=1", "''=1"),
      ("\u{FF1D}1", "'\u{FF1D}1"), ("=\"a\",b", "\"'=\"\"a\"\",b\""), ("\n=1", "\"'\n=1\""),
      (" =1", "' =1"), ("'a'", "'a'"), ("a=1", "a=1"), ("\u{301}=1", "\u{301}=1"),
    ] {
      #expect(Quoting.cell.quoted(text).utf8.elementsEqual(cell.utf8), "\(text)")
      let csv = Array("name,color,note\na,#fff,\(cell)\n".utf8)
      let note = try FormatRegistry.standard.format(named: "csv").read(csv).entries[0].note
      #expect(
        note.map { $0.hasSameBytes(as: TextRule.note.cleaned(text) ?? "") } == true,
        "\(text)"
      )
    }
  }

  // MARK: Judges that do not read as our readers do

  private func expectHarmless(_ bytes: [UInt8], _ format: String, _ word: String) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    switch format {
    case "tailwind3":
      let code = try #require(Self.code(of: bytes, lineComments: true), "\(word): \(text)")
      let words = Set(code.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "$" })
      let known = [
        "module", "exports", "colors", "a", "z", "m", "constructor", "not", "2", "500", "600",
      ]
      #expect(words.isSubset(of: known.map { $0[...] }), "\(word): \(text)")
    case "css", "tailwind", "scss", "less":
      let code = try #require(
        Self.code(of: bytes, lineComments: format != "css" && format != "tailwind"),
        "\(word): \(text)"
      )
      let isCode = ["alert(", "red;", "`", "#{", "@{", "${", "@import ", "url("]
      #expect(!isCode.contains { code.contains($0) }, "\(word): \(text)")
      #expect(!text.contains("/* # sourceMappingURL="), "\(word)")
      #expect(!text.contains("// # sourceMappingURL="), "\(word)")
      if format == "scss" { #expect(Self.loudComments(text).allSatisfy { !$0.contains("#{") }) }
    case "csv":
      for cell in text.split(whereSeparator: {
        $0 == "\r\n" || $0 == "\n" || $0 == "," || $0 == ";"
      }) {
        // The quotes around a cell do not count, one that is doubled does.
        let isQuoted = cell.utf8.first == UInt8(ascii: "\"") && !cell.utf8.starts(with: "\"\"".utf8)
        let content = cell.utf8.dropFirst(isQuoted ? 1 : 0)
        #expect(
          !["=", "+", "-", "@"].contains { content.starts(with: $0.utf8) },
          "\(word): \(text)"
        )
      }
    case "html", "svg", "soc", "scribus", "android":
      let plain = text.replacing("&amp;", with: "").replacing("&lt;", with: "")
      #expect(!plain.contains("<script"), "\(word)")
      // A drawing has attributes of this name, and no words in attributes.
      let isOwn = format == "svg"
      #expect(isOwn || !plain.contains("' y=") && !plain.contains("\" y="), "\(word): \(text)")
    case "swift":
      let code = text.split(separator: "\n").filter { !$0.contains("///") }.joined()
      #expect(!code.contains("alert(") && !text.unicodeScalars.contains("\u{2028}"), "\(word)")
    default: break
    }
    // Nothing turns the order of the code around in which a comment stands.
    if ["css", "tailwind", "scss", "less", "swift"].contains(format), !text.contains("$m:") {
      let marks = ["\u{2028}", "\u{2029}", "\u{202E}", "\u{2066}"] as [Unicode.Scalar]
      #expect(!marks.contains { text.unicodeScalars.contains($0) }, "\(word): \(text)")
    }
  }

  /// A script or a stylesheet without its texts and comments; nil where a text does not end on its line, or
  /// has something in it that is evaluated.
  private static func code(of bytes: [UInt8], lineComments: Bool) -> String? {
    var code: [UInt8] = []
    var place = 0
    while place < bytes.count {
      let rest = bytes[place...]
      let byte = bytes[place]
      if rest.starts(with: "/*".utf8) {
        place += 2
        while place < bytes.count, !bytes[place...].starts(with: "*/".utf8) { place += 1 }
        place += 2
      } else if lineComments, rest.starts(with: "//".utf8) {
        while place < bytes.count, bytes[place] != 0x0A { place += 1 }
      } else if [0x22, 0x27, 0x60].contains(byte) {
        place += 1
        while place < bytes.count, bytes[place] != byte {
          let isEvaluated = ["${", "#{", "@{"].contains { bytes[place...].starts(with: $0.utf8) }
          guard !isEvaluated, bytes[place] != 0x0A else { return nil }
          place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard place < bytes.count else { return nil }
        place += 1
      } else {
        code.append(byte)
        place += 1
      }
    }
    return String(decoding: code, as: UTF8.self)
  }

  /// The contents of comments that Sass looks into.
  private static func loudComments(_ text: String) -> [Substring] {
    text.split(separator: "\n").compactMap { line in
      line.firstRange(of: "/*").map { line[$0.upperBound...] }
    }
  }
}

import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteFormats

/// Files in the clothes of their owners, of which one thing is changed.
struct PatchTests {
  private static let red = Color(red8: 255, green8: 0, blue8: 0)

  private static let files: [(format: String, text: String)] = [
    (
      "gpl",
      "\u{FEFF}GIMP Palette\r\nName: Sea\r\nColumns: 4\r\n# mine\r\n 12  34  56\tDeep #1\r\n\r\n  1   2   3\r\n# end\r\n100 100 100   Foam"
    ),
    ("jasc", "JASC-PAL\n0100\n3\n1 2 3\n4 5 6  \n7 8 9"),
    ("paintnet", "; Paint.NET\r\n;Colors: 2\r\nFF0a0b0c\r\n; between\r\n80FFFFFF\r\n"),
    ("hex", ";mine\n#0A0b0c\n\nfff\n00ff0080"),
    ("txt", "#0a0b0c\tDark\n\nrgb(1 2 3) Sky\nhsl(120 100% 50% / 50%)\ttomato\n"),
    ("kde", "KDE RGB Palette\n# x\n1 2 3\tA\n4 5 6\n"),
    ("kde", "[Colors:View]\nA=1,2,3\nContrast=4\nB=4, 5, 6\n[Colors:Button]\nA=7,8,9\n"),
    ("csv", "id;name;hex;x\r\n1;\"a;b\";#0a0b0c;keep\r\n2;c;ffff00;me\r\n"),
    ("csv", "Red,Green,Blue,Name,Alpha\n1,2,3,A,1\n4,5,6,B,0.5"),
    (
      "css",
      "/* head */\n:root{--a:#ABCDEF;--gap: 4px;--b: rgb(1, 2, 3) /* own */ }\n.dark {\n\t--a: tomato; /* A */\n\n  --c : hsl(120, 100%, 50%) !important; /* other */\n}\n"
    ),
    (
      "scss",
      "$a: #00f !default; // first\n$b: $a;\n$m: (\n  // reds\n  \"100\": #eee, // light\n  'deep': (900: #111, 950: $a),\n  last: #123\n);\n.x { color: $a }\n"
    ),
    ("less", "@a: #00F;\n@set: {\n  one: red;\n  two: { three: blue }\n}\n@c: @a;\n"),
    (
      "tailwind3",
      "// mine\nmodule.exports = {\n  theme: { colors: { a: '#ABC', 'b c': \"rgb(1, 2, 3)\" // last\n  } },\n  deep: {\n    // reds\n    colors: {\n      red: { DEFAULT: '#f00', 900: 'tomato' },\n      x: theme('y'), // keep\n    },\n  },\n}\n"
    ),
    (
      "android",
      "<?xml version=\"1.0\"?>\r\n<resources>\r\n  <!-- head -->\r\n  <color name=\"colorPrimary\">#FF0a0b0c</color> <!-- own -->\r\n  <dimen name=\"d\">1dp</dimen>\r\n  <color name=\"b\">\r\n    #abc\r\n  </color><item name=\"c\" type=\"color\">#80ffffff</item>\r\n  <color name=\"d\">@color/b</color>\r\n</resources>"
    ),
    (
      "soc",
      "<?xml version='1.0'?>\n<ooo:color-table xmlns:draw='d' xmlns:ooo='o'>\n\t<draw:color draw:name='A &amp; B' draw:color='#0A0B0C' x='1'/>\n\t<draw:color draw:color=\"#ffffff\" draw:name=\"\"></draw:color>\n</ooo:color-table>\n"
    ),
    (
      "scribus",
      "<SCRIBUSCOLORS Name=\"x\">\n <COLOR RGB=\"#0a0b0c\" NAME=\"A\" Spot=\"0\"/>\n <COLOR NAME=\"B\" SPACE=\"RGB\" R=\"1\" G=\"2\" B=\"3\" />\n</SCRIBUSCOLORS>\n"
    ),
    (
      "dtcg",
      "{\n\t\"$schema\": \"s\",\n\t\"brand\": {\n\t\t\"$type\": \"color\",\n\t\t\"a\": { \"$value\": {\"colorSpace\":\"srgb\",\"components\":[1,0,0.2],\"x\":1,\"hex\":\"#ff0033\"}, \"$extensions\": {\"y\": [1, 2]} },\n\t\t\"b\": { \"$value\": \"{brand.a}\" },\n\t\t\"size\": {\"$type\": \"dimension\", \"$value\": \"1px\"},\n\t\t\"c\": { \"$value\": \"#ABCDEF\", \"$description\": \"n\" }\n\t}\n}"
    ),
    (
      "dtcg",
      "{\"a\":{\"value\":\"#fff\",\"type\":\"color\"},\"b\":{\"value\":\"{a.value}\",\"comment\":\"x\"}}\r\n"
    ),
    (
      "json",
      "{ \"mine\": 1, \"colors\": [\n  {\"name\": \"A\", \"hex\": \"#0A0B0C\", \"k\": [1,2]},\n  {\"color\": \"rgb(1, 2, 3)\", \"note\": \"x\"}\n] }\n"
    ),
    (
      "tailwind",
      "@import 'x';\n@theme {\n  --font-x: red;\n  --color-red-500: oklch(63.7% 0.237 25.331);\n  --color-b: #123;\n}\n"
    ),
  ]

  @Test(arguments: files.indices)
  func staysWhenNothingChanged(_ index: Int) throws {
    let (format, text) = Self.files[index]
    #expect(try Samples.patched(text, format) { _ in } == text)
  }

  /// A color that changes, changes its own line and no other.
  @Test(arguments: files.indices)
  func recolorsOneLine(_ index: Int) throws {
    let (format, text) = Self.files[index]
    var count = 0
    _ = try Samples.patched(text, format) { count = $0.count }
    for place in 0..<count {
      let result = try Samples.patched(text, format) {
        $0[place].color = Color(red8: 200, green8: 10, blue8: 30)
      }
      let old = text.split(separator: "\n", omittingEmptySubsequences: false)
      let new = result.split(separator: "\n", omittingEmptySubsequences: false)
      // Others that stand for it get a color of their own.
      let hasReferences = ["scss", "less", "android", "dtcg"].contains(format)
      let most = hasReferences && place < 2 ? 3 : 1
      #expect(
        old.count == new.count && zip(old, new).count { $0 != $1 } <= most,
        "\(place): \(result)"
      )
      #expect(result != text)
    }
  }

  @Test func keepsNotations() throws {
    func recolored(_ old: String, _ new: Color) throws -> String {
      let text = try Samples.patched(":root { --a: \(old); }", "css") { $0[0].color = new }
      return String(text.dropFirst(13).dropLast(3))
    }
    let half = Color(red8: 1, green8: 2, blue8: 3, alpha8: 51)
    for (old, new, text) in [
      ("#FA0", Color(red8: 255, green8: 0, blue8: 17), "#F01"),
      ("#FA0", Color(red8: 255, green8: 1, blue8: 17), "#FF0111"),
      ("#ffaa00ff", Self.red, "#ff0000ff"), ("#ffaa00", half, "#01020333"),
      ("rgb(1, 2, 3)", Self.red, "rgb(255, 0, 0)"), ("rgb(1 2 3)", half, "rgb(1 2 3 / 0.2)"),
      ("rgba(1,2,3,.5)", Self.red, "rgb(255, 0, 0)"),
      ("RGB(1 2 3 / 50%)", half, "rgb(1 2 3 / 20%)"),
      ("hsl(120 100% 50%)", Self.red, "hsl(0 100% 50%)"), ("tomato", Self.red, "red"),
      ("tomato", Color(red8: 1, green8: 2, blue8: 3), "#010203"),
      ("oklch(70% 0.1 200)", Self.red, "#ff0000"),
      ("oklch(63.7% 0.237 25.331)", Color(.oklch, 0.65, 0.2, 30), "oklch(65% 0.2 30)"),
      (
        "oklch(63.7% 50% 25deg / 50%)", Color(.oklch, 0.637, 0.1, 30, alpha: 0.25),
        "oklch(63.7% 25% 30deg / 25%)"
      ),
      ("lab(50% 20 25%)", Color(.lab, 40, 10, 50), "lab(40% 10 40%)"),
      (
        "color(display-p3 20% 0.5 10%)", Color(.displayP3, 0.3, 0.4, 0.5),
        "color(display-p3 30% 0.4 50%)"
      ),
      ("color(display-p3 20% 0.5 10%)", Color(.srgb, 0.31, 0.4, 0.5), "color(srgb 0.31 0.4 0.5)"),
      ("#fff", Color(.oklch, 0.7, 0.1, 200), "oklch(0.7 0.1 200)"),
      // It is the same color as it is seen.
      ("#4BA3F7", Color(.oklch, 0.7, 0.15, 250), "#4BA3F7"),
    ] as [(String, Color, String)] {
      let result = try recolored(old, new)
      #expect(result == text, "\(old) became \(result)")
    }
  }

  @Test func insertsAsTheNeighborsAre() throws {
    let ocean = Samples.named(7, "Ocean \u{20AC}", Color(red8: 5, green8: 50, blue8: 250))
    func added(_ index: Int, _ text: String, _ format: String) throws -> String {
      try Samples.patched(text, format) { $0.insert(ocean, at: index) }
    }
    #expect(
      try added(1, "GIMP Palette\r\n# a\r\n  1   2   3\tA\r\n# b\r\n100 100 100\tB", "gpl")
        == "GIMP Palette\r\n# a\r\n  1   2   3\tA\r\n  5  50 250\tOcean \u{20AC}\r\n# b\r\n100 100 100\tB"
    )
    #expect(
      try added(2, "GIMP Palette\n1 2 3\tA\n4 5 6", "gpl")
        == "GIMP Palette\n1 2 3\tA\n4 5 6\n5 50 250\tOcean \u{20AC}"
    )
    #expect(
      try added(1, "JASC-PAL\n0100\n1\n1 2 3\n", "jasc") == "JASC-PAL\n0100\n2\n1 2 3\n5 50 250\n"
    )
    #expect(try added(0, ";x\n#ABC\n", "hex") == ";x\n#0532FA\n#ABC\n")
    #expect(
      try added(1, ":root {\n  --a: #FFF; /* own */\n  --gap: 1px;\n}\n", "css")
        == ":root {\n  --a: #FFF; /* own */\n  --ocean: #0532FA; /* Ocean \u{20AC} */\n  --gap: 1px;\n}\n"
    )
    #expect(
      try added(2, ":root{--a:#fff;--b:#000}", "css")
        == ":root{--a:#fff;--b:#000;--ocean:#0532fa /* Ocean \u{20AC} */}"
    )
    #expect(
      try added(1, "id,name,color\n7,a,#fff\n", "csv")
        == "id,name,color\n7,a,#fff\n,Ocean \u{20AC},#0532fa\n"
    )
  }

  @Test func deletesAndMovesLines() throws {
    let gpl = "GIMP Palette\n# a\n1 2 3\tA\n# b\n4 5 6\tB\n7 8 9\tC"
    #expect(
      try Samples.patched(gpl, "gpl") { $0.remove(at: 0) }
        == "GIMP Palette\n# a\n# b\n4 5 6\tB\n7 8 9\tC"
    )
    #expect(
      try Samples.patched(gpl, "gpl") { $0.remove(at: 2) }
        == "GIMP Palette\n# a\n1 2 3\tA\n# b\n4 5 6\tB"
    )
    #expect(
      try Samples.patched(gpl, "gpl") { $0.swapAt(1, 2) }
        == "GIMP Palette\n# a\n1 2 3\tA\n7 8 9\tC\n# b\n4 5 6\tB"
    )
    let css = "a{}\n:root { --a: #fff; --gap: 1px; --b: #000 }\n"
    #expect(
      try Samples.patched(css, "css") { $0.remove(at: 0) }
        == "a{}\n:root { --gap: 1px; --b: #000 }\n"
    )
    #expect(
      try Samples.patched(css, "css") { $0.remove(at: 1) }
        == "a{}\n:root { --a: #fff; --gap: 1px; }\n"
    )
    let reversed = try Samples.patched(css, "css") { $0.reverse() }
    #expect(reversed == "a{}\n:root { --b: #000; --a: #fff; --gap: 1px; }\n")
    let scss = "$m: (\n  a: #fff, // x\n  b: #000\n);\n"
    #expect(try Samples.patched(scss, "scss") { $0.remove(at: 0) } == "$m: (\n  b: #000\n);\n")
    #expect(
      try Samples.patched(scss, "scss") { $0.append(Samples.named(9, "m/c")) }
        == "$m: (\n  a: #fff, // x\n  b: #000,\n  c: #f00\n);\n"
    )
  }

  /// A file whose last color goes keeps what else it has.
  @Test func keepsTheRestOfAFileThatBecomesEmpty() throws {
    #expect(
      try Samples.patched("a{}\n:root { --a: #fff; --gap: 1px }\n", "css") { $0 = [] }
        == "a{}\n:root { --gap: 1px }\n"
    )
    #expect(
      try Samples.patched("GIMP Palette\n# a\n1 2 3\tA\n", "gpl") { $0 = [] }
        == "GIMP Palette\n# a\n"
    )
    #expect(
      try Samples.patched("{\"x\": 1, \"colors\": [{\"hex\": \"#fff\"}]}", "json") { $0 = [] }
        == "{\"x\": 1, \"colors\": []}"
    )
  }

  @Test func whatStandsForAnotherKeepsItsColor() throws {
    let text = "$a: #00f;\n$b: $a;\n"
    #expect(
      try Samples.patched(text, "scss") { $0[0].color = Self.red } == "$a: #f00;\n$b: #0000ff;\n"
    )
    #expect(try Samples.patched(text, "scss") { $0.remove(at: 0) } == "$b: #00f;\n")
    #expect(
      try Samples.patched(text, "scss") {
        $0[0].color = Self.red
        $0[1].color = Self.red
      } == "$a: #f00;\n$b: $a;\n"
    )
  }

  @Test func keepsLatin1() throws {
    let format = try FormatRegistry.standard.format(named: "gpl")
    let bytes = Array(
      "GIMP Palette\n#\u{E9}\n1 2 3\tCaf\u{E9}\n".unicodeScalars.map { UInt8($0.value) }
    )
    let entry = try #require(try format.read(bytes).entries.first)
    let color = Samples.named(1, entry.name ?? "", Self.red)
    let result = try format.patched(bytes, ids: [color.id], to: Samples.sheet([color]))
    #expect(
      result
        == Array(
          "GIMP Palette\n#\u{E9}\n255 0 0\tCaf\u{E9}\n".unicodeScalars.map { UInt8($0.value) }
        )
    )
  }

  /// A file that has no color yet keeps what it has.
  @Test(
    arguments: [
      (
        "css", "a { color: red }",
        "a { color: red }\n\n/* Palette: Reef */\n:root {\n  --ocean: #ff0000; /* Ocean */\n}\n"
      ),
      (
        "css", "\u{FEFF}:root {\r\n  --ocean: var(--x);\r\n}\r\n",
        "\u{FEFF}:root {\r\n  --ocean: var(--x);\r\n}\r\n\r\n/* Palette: Reef */\r\n:root {\r\n  --ocean-2: #ff0000; /* Ocean */\r\n}\r\n"
      ),
      (
        "tailwind", "@import 'x';\n@theme {\n  --font-x: serif;\n}\n",
        "@import 'x';\n@theme {\n  --font-x: serif;\n}\n\n/* Palette: Reef */\n@theme {\n  --color-ocean: #ff0000; /* Ocean */\n}\n"
      ),
      (
        "scss", "$gap: 4px;\n",
        "$gap: 4px;\n\n// Palette: Reef\n$ocean: #ff0000; // Ocean\n"
      ),
      ("less", "// mine\n", "// mine\n\n// Palette: Reef\n@ocean: #ff0000; // Ocean\n"),
      // There is nothing to keep.
      ("less", "\n", "// Palette: Reef\n@ocean: #ff0000; // Ocean\n"),
      (
        "css", "/* Palette: Old */\n:root {\n}\n",
        "/* Palette: Reef */\n:root {\n  --ocean: #ff0000; /* Ocean */\n}\n"
      ),
    ]
  )
  func addsABlockWhereNoColorIs(_ format: String, _ text: String, _ result: String) throws {
    let ocean = Samples.named(7, "Ocean", Self.red)
    #expect(try Samples.patched(text, format) { $0 = [ocean] } == result)
    // What becomes empty is filled again in its place.
    let emptied = try Samples.patched(result, format) { $0 = [] }
    #expect(try Samples.patched(emptied, format) { $0 = [ocean] } == result)
  }

  /// The block is in the encoding of the rest.
  @Test func addsABlockInLatin1() throws {
    let format = try FormatRegistry.standard.format(named: "scss")
    let bytes = Array("// \u{E9}\n".unicodeScalars.map { UInt8($0.value) })
    let color = Samples.named(1, "\u{E9}t\u{E9}", Self.red)
    let result = try format.patched(bytes, to: Samples.sheet([color]))
    #expect(result.starts(with: bytes))
    #expect(try format.read(result).entries.map(\.name) == [color.name])
  }

  /// Whatever changes, the patched file says what one says that is written whole; or it is refused, which
  /// is rare.
  @Test(arguments: FormatRegistry.standard.formats.filter { $0.reads && $0.writes }.map(\.name))
  func saysWhatAWholeFileSays(_ name: String) throws {
    let format = try FormatRegistry.standard.format(named: name)
    var refusals = 0
    let seeds = TestSeeds.some(of: 60)
    for seed in seeds {
      var random = SeededRandom(seed: seed)
      var number: UInt64 = 0
      func color() -> NamedColor {
        number += 1
        let names = [
          "Sky", "Sea/Deep", "Sea/Foam", "x y", "\u{E9}t\u{E9}", "5 o'clock", "a\"b", "#1", "Sky",
        ]
        var color = Color(
          red8: UInt8(random.below(256)),
          green8: UInt8(random.below(256)),
          blue8: UInt8(random.below(256)),
          alpha8: random.below(3) == 0 ? 128 : 255
        )
        if random.below(4) == 0 { color = Color(.oklch, 0.5, 0.1, Double(random.below(360))) }
        let note = random.below(3) == 0 ? "n\(number)" : ""
        return Samples.named(number, names[random.below(names.count)], color, note: note)
      }
      var colors = (0..<(1 + random.below(8))).map { _ in color() }
      var bytes = try format.write(Samples.sheet(colors))
      var ids = colors.map(\.id)
      for _ in 0..<4 {
        // Once more changes nothing, unless that finds the order of the palette.
        let again = try format.patch(bytes, ids: ids, to: Samples.sheet(colors))
        #expect(again.bytes == bytes || (ids != again.ids && again.ids == colors.map(\.id)))
        for _ in 0..<(1 + random.below(3)) {
          let place = random.below(max(1, colors.count))
          switch random.below(6) {
          case 0: colors.insert(color(), at: random.below(colors.count + 1))
          case 1 where colors.count > 1: colors.remove(at: place)
          case 2: colors.swapAt(place, random.below(colors.count))
          case 3:
            colors[place] = NamedColor(
              id: colors[place].id,
              name: color().name,
              color: colors[place].color,
              note: colors[place].note
            )
          default: colors[place].color = color().color
          }
        }
        let sheet = Samples.sheet(colors)
        let result = Result { () throws(FormatError) in
          try format.patch(bytes, ids: ids, to: sheet)
        }
        if case .failure(let error) = result, error.code == "bad-patch" {
          refusals += 1
          break
        }
        (bytes, ids) = (try result.get().bytes, try result.get().ids)
        let patched = try format.read(bytes).entries
        let written = try format.read(try format.write(sheet)).entries
        // The order may be that of the file's groups.
        let order = ids.compactMap { id in colors.firstIndex { $0.id == id } }
        let (whole, colors) = (order.map { written[$0] }, order.map { colors[$0] })
        #expect(order.count == written.count)
        #expect(patched.map(\.color.hex) == whole.map(\.color.hex))
        #expect(patched.map { $0.note ?? "" } == whole.map { $0.note ?? "" })
        let names = zip(patched, colors).allSatisfy { entry, color in
          entry.name == nil || entry.name == color.name || entry.isIdentifier
            || format.keeps.contains(.identifiers)
            || whole.contains { $0.name == entry.name }
            // Of two of the same name, either may get the number.
            || entry.name?.dropLast(2) == color.name[...]
        }
        #expect(names, "\(seed): \(patched.map { $0.name ?? "-" }) for \(colors.map(\.name))")
      }
    }
    #expect(refusals * 2 <= seeds.count, "\(refusals) of \(seeds.count) files were left alone")
  }
}

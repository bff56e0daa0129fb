import PaletteFormats
import PaletteMerge
import PaletteModel
import PaletteTestSupport

/// A file of somebody's, with what only he needs in it.
struct OwnersFile: Sendable, CustomStringConvertible {
  let format: String
  let bytes: [UInt8]
  /// The text that is nobody's color, and stays whatever is edited.
  let own: [String]

  /// The number of places that name a color of the file.
  var references = 2

  var description: String { format }

  /// A text of which these parts stay.
  init(_ format: String, _ text: String, own: [String], references: Int) {
    (self.format, bytes, self.own) = (format, Array(text.utf8), own)
    self.references = references
  }

  private init(_ format: String, _ text: String, _ own: String...) {
    (self.format, bytes, self.own) = (format, Array(text.utf8), own)
  }

  /// A file that is no text.
  init(_ format: String, bytes: [UInt8]) {
    (self.format, self.bytes, own) = (format, bytes, [])
  }

  static let texts: [OwnersFile] = [
    OwnersFile(
      "less",
      "// mine\n@red: #E63946; // warm\n@mist: {\n  a: #eee;\n  b: #CCCCCC;\n}\n.a { color: @red }\n",
      "// mine\n",
      ".a { color: "
    ),
    OwnersFile(
      "tailwind",
      "@import \"tailwindcss\";\n@theme {\n  --color-sea-500: oklch(63.7% 0.237 203deg);\n\n  --color-Ink: #0A0B0C; /* text */\n  --font-x: serif;\n}\n@utility u { color: var(--color-Ink) }\n",
      "@import \"tailwindcss\";\n@theme {\n",
      "  --font-x: serif;\n}\n"
    ),
    OwnersFile(
      "soc",
      "<?xml version=\"1.0\"?>\r\n<ooo:color-table xmlns:ooo='a' xmlns:draw='b'>\r\n <!-- mine -->\r\n <draw:color draw:name='A &amp; B' draw:color='#ABCDEF' x='1'/>\r\n\t<draw:color draw:color=\"#010203\" draw:name=\"Ink\"/>\r\n</ooo:color-table>\r\n",
      "\r\n <!-- mine -->\r\n"
    ),
    OwnersFile(
      "scribus",
      "<SCRIBUSCOLORS Name=\"Press\">\n <COLOR NAME=\"A\" SPACE=\"CMYK\" C=\"0\" M=\"100\" Y=\"12.5\" K=\"0\" Spot=\"1\"/>\n <COLOR NAME=\"B\" CMYK=\"#00FF0080\"/> <!-- own -->\n <COLOR NAME=\"C\" RGB=\"#aabbcc\"/>\n</SCRIBUSCOLORS>\n",
      "<SCRIBUSCOLORS Name=\"Press\">\n"
    ),
    OwnersFile(
      "kde",
      "KDE RGB Palette\n#mine\n1 2 3\tInk\n  255 0 0 Red\n# end\n",
      "#mine\n",
      "# end\n"
    ),
    OwnersFile(
      "kde",
      "[Colors:View]\nBackgroundNormal=255,255,255\n# mine\nForegroundNormal=0,1,2\n\n[General]\nName=Mine\n",
      "# mine\n",
      "\n\n[General]\nName=Mine\n"
    ),
    OwnersFile(
      "jasc",
      "JASC-PAL\r\n0100\r\n3\r\n1 2 3\r\n255 0 0\r\n0  0  9\r\n",
      "JASC-PAL\r\n0100\r\n"
    ),
    OwnersFile(
      "paintnet",
      ";paint.net Palette File\n; mine\n;Palette Name: Coast\n;Colors: 2\nFF0a0b0c\n80FFFFFF ; glass\n",
      "; mine\n;Palette Name: Coast\n"
    ),
    OwnersFile("txt", "#E63946\n\nrgb(1, 2, 3)\noklch(0.7 0.1 20)\n", "\n"),
    OwnersFile(
      "json",
      "{\"by\": \"me\", \"colors\": [\n  {\"name\": \"A\", \"hex\": \"#ABC\", \"tags\": [1]},\n  {\"hex\": \"#000001\"}\n], \"end\": 1}\n",
      "{\"by\": \"me\", \"colors\": [\n",
      "], \"end\": 1}\n"
    ),
    OwnersFile(
      "scss",
      "$a : #ABC!default;/* one */$b:rgba( 1 , 2,3, .5 );\r\n$map:(\r\n\t'x y': red,\r\n\t\"deep\": (1: #010101, 2:#020202)\r\n) !default;\r\n$c: $a;\r\n@mixin m { color: map-get($map, 'x y') }\r\n",
      "\r\n@mixin m { color: "
    ),
    OwnersFile(
      "dtcg",
      "{\n\t\"$schema\": \"x\",\n\t\"b\": { \"$type\": \"color\",\n\t\t\"red\": { \"$value\": { \"colorSpace\": \"srgb\", \"components\": [1, 0, 0.50], \"alpha\": 0.5 } },\n\t\t\"ink\":{\"$value\":\"#0A0B0C\",\"$extensions\":{\"x\":[1,2]}}\n\t},\n\t\"use\": { \"$type\": \"color\", \"$value\": \"{b.red}\" },\n\t\"gap\": { \"$type\": \"number\", \"$value\": 1 }\n}\n",
      "{\n\t\"$schema\": \"x\",\n",
      "\t\"gap\": { \"$type\": \"number\", \"$value\": 1 }\n}\n"
    ),
    OwnersFile(
      "android",
      "<resources>\n  <!-- mine -->\n  <color name=\"red\">#f00</color>\n  <item type='color' name='rose'>@color/red</item>\n  <dimen name=\"g\">1dp</dimen>\n</resources>\n",
      "<resources>\n  <!-- mine -->\n",
      "  <dimen name=\"g\">1dp</dimen>\n</resources>\n"
    ),
  ]

  /// Files that are no texts, with flags, inks and slots that nothing here makes.
  static var binaries: [OwnersFile] {
    get throws {
      var all: [OwnersFile] = []
      let table: [UInt8] = [1, 2, 3, 4, 5, 6, 255, 0, 9]
      all.append(
        OwnersFile("act", bytes: table + [UInt8](repeating: 7, count: 759) + [0, 3, 0, 1])
      )
      let chunk = Array("data".utf8) + [16, 0, 0, 0, 0, 3, 3, 0]
      let colors: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1]
      let size: [UInt8] = [36, 0, 0, 0]
      all.append(
        OwnersFile(
          "riff",
          bytes: Array("RIFF".utf8) + size + Array("PAL ".utf8) + chunk + colors
            + Array("more".utf8) + [0, 0, 0, 0]
        )
      )
      let sheet = PaletteSheet(
        id: PaletteID(RecordID(high: 1, low: 2)),
        name: "Press",
        digest: "",
        colors: try ["#E63946", "#00ff0080", "oklch(0.7 0.2 140)"].enumerated().map { index, css in
          NamedColor(name: "Group/\(index)", color: try Color(css: css))
        } + [NamedColor(name: "Alone", color: try Color(css: "#010203"))]
      )
      for name in ["ase", "aco", "kpl", "swatches"] {
        let format = try FormatRegistry.standard.format(named: name)
        all.append(OwnersFile(name, bytes: try format.write(sheet)))
      }
      return all
    }
  }
}

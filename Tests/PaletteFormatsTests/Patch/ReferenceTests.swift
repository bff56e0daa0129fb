import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteFormats

/// A reference to an entry of a file goes on naming it.
struct ReferenceTests {
  private func patched(
    _ text: String,
    _ format: String,
    following: Bool = false,
    _ change: (inout [NamedColor]) -> Void
  ) throws -> String {
    let format = try FormatRegistry.standard.format(named: format)
    let bytes = Array(text.utf8)
    var random = SeededRandom(seed: 1)
    let entries = try format.read(bytes).entries
    var colors = [].importing(entries, using: &random)
    let ids = colors.map(\.id)
    change(&colors)
    let pairs = zip(ids, entries).filter { following && $0.1.isReference }
    let result = try format.patched(
      bytes,
      ids: ids,
      following: Dictionary(uniqueKeysWithValues: pairs.map { ($0.0, $0.1) }),
      to: Samples.sheet(colors)
    )
    return String(decoding: result, as: UTF8.self)
  }

  private static let files: [(format: String, text: String, renamed: String, gone: String)] = [
    (
      "css",
      """
      :root {
        --red: #E63946;
        --redder: var(--red); /* var(--red) */
      }
      .dark { --red: var(--other); }
      .a { color: var( --red, blue ); transition: --red 1s; }

      """,
      """
      :root {
        --crimson: #E63946;
        --redder: var(--crimson); /* var(--red) */
      }
      .dark { --crimson: var(--other); }
      .a { color: var( --crimson, blue ); transition: --crimson 1s; }

      """,
      """
      :root {
        --redder: var(--red, #E63946); /* var(--red) */
      }
      .dark { --red: var(--other); }
      .a { color: #E63946; transition: --red 1s; }

      """
    ),
    (
      "scss",
      """
      $red: #E63946;
      $danger: $red; // $red
      $glass: rgba($red, 0.5);
      .a { color: $red; content: "$red #{$red}"; @include b($red: 1); width: c.$red }

      """,
      """
      $crimson: #E63946;
      $danger: $crimson; // $red
      $glass: rgba($crimson, 0.5);
      .a { color: $crimson; content: "$red #{$crimson}"; @include b($red: 1); width: c.$red }

      """,
      """
      $danger: #E63946; // $red
      $glass: rgba(#E63946, 0.5);
      .a { color: #E63946; content: "$red #{#E63946}"; @include b($red: 1); width: c.$red }

      """
    ),
    (
      "less",
      "@red: #E63946;\n@danger: @red;\n.a { color: fade(@red, 50%); .b-@{red} { c: \"@{red} @red\" } }\n",
      "@crimson: #E63946;\n@danger: @crimson;\n.a { color: fade(@crimson, 50%); .b-@{crimson} { c: \"@{crimson} @red\" } }\n",
      "@danger: #E63946;\n.a { color: fade(#E63946, 50%); .b-#E63946 { c: \"#E63946 @red\" } }\n"
    ),
    (
      "android",
      "<resources>\n  <color name=\"red\">#E63946</color>\n  <color name=\"danger\">@color/red</color>\n  <item name=\"x\">@color/red</item>\n</resources>\n",
      "<resources>\n  <color name=\"crimson\">#E63946</color>\n  <color name=\"danger\">@color/crimson</color>\n  <item name=\"x\">@color/crimson</item>\n</resources>\n",
      "<resources>\n  <color name=\"danger\">#E63946</color>\n  <item name=\"x\">#E63946</item>\n</resources>\n"
    ),
    (
      "dtcg",
      """
      {
        "base": { "red": { "$type": "color", "$value": "#E63946" },
                  "blue": { "$type": "color", "$value": "#0000ff" } },
        "danger": { "$type": "color", "$value": "{base.red}" },
        "line": { "$type": "border", "$value": { "color": "{ base.red }", "width": "1px" } }
      }

      """,
      """
      {
        "base": { "crimson": { "$type": "color", "$value": "#E63946" },
                  "blue": { "$type": "color", "$value": "#0000ff" } },
        "danger": { "$type": "color", "$value": "{base.crimson}" },
        "line": { "$type": "border", "$value": { "color": "{ base.crimson }", "width": "1px" } }
      }

      """,
      """
      {
        "base": {
                  "blue": { "$type": "color", "$value": "#0000ff" } },
        "danger": { "$type": "color", "$value": "#E63946" },
        "line": { "$type": "border", "$value": { "color": "#E63946", "width": "1px" } }
      }

      """
    ),
  ]

  @Test(arguments: files.indices)
  func aRenameRenamesWhatRefersToIt(_ index: Int) throws {
    let (format, text, renamed, _) = Self.files[index]
    let result = try patched(text, format) {
      $0[0].name = $0[0].name.contains("/") ? "base/crimson" : "crimson"
    }
    #expect(result == renamed)
  }

  /// Whatever refers to what is gone has its color from then on.
  @Test(arguments: files.indices)
  func whatRefersToWhatIsGoneGetsItsValue(_ index: Int) throws {
    let (format, text, _, gone) = Self.files[index]
    #expect(try patched(text, format) { $0.removeFirst() } == gone)
  }

  /// An alias follows what it stands for, until it has a color of its own.
  @Test(arguments: files.indices.dropFirst())
  func anAliasStaysOne(_ index: Int) throws {
    let (format, text, _, _) = Self.files[index]
    let blue = Color(red8: 1, green8: 2, blue8: 254)
    let new = format == "android" ? "#0102FE" : "#0102FE"
    let followed = try patched(text, format, following: true) { $0[0].color = blue }
    #expect(followed == text.replacing("#E63946", with: new))
    let alias = try #require(
      try FormatRegistry.standard.format(named: format).read(Array(text.utf8)).entries.firstIndex {
        $0.name == "danger"
      }
    )
    let own = try patched(text, format, following: true) { $0[alias].color = blue }
    #expect(own != text)
    #expect(own.contains("#E63946"))
    #expect(try patched(own, format) { $0[alias].color = blue } == own)
  }

  @Test func aPointerAndASetOfTokensAreReferences() throws {
    let text = """
      {"core": {"a/b": {"$type": "color", "$value": {"colorSpace": "srgb", "components": [1, 0, 0]}},
      "p": {"$type": "color", "$value": {"$ref": "#/core/a~1b/$value"}},
      "q": {"$type": "color", "$value": "{a/b}"}}}

      """
    let renamed = try patched(text, "dtcg") { $0[0].name = "core/c~d" }
    #expect(
      renamed
        == text.replacing("\"a/b\"", with: "\"c~d\"").replacing("a~1b", with: "c~0d")
        .replacing("{a/b}", with: "{c~d}")
    )
    let gone = try patched(text, "dtcg") { $0.removeFirst() }
    let value = "{\"colorSpace\": \"srgb\", \"components\": [1, 0, 0]}"
    #expect(gone.contains("\"p\": {\"$type\": \"color\", \"$value\": \(value)}"))
    #expect(gone.contains("\"q\": {\"$type\": \"color\", \"$value\": \(value)}"))
  }

  @Test func aKeyOfAMapIsLookedUp() throws {
    let text =
      "$mist: (100: #eeeeee, \"200\": #cccccc);\n.a { b: map-get($mist, 100); c: map.get($mist, '200') }\n"
    let renamed = try patched(text, "scss") {
      $0[0].name = "mist/50"
      $0[1].name = "mist/300"
    }
    #expect(
      renamed
        == "$mist: (50: #eeeeee, \"300\": #cccccc);\n.a { b: map-get($mist, 50); c: map.get($mist, '300') }\n"
    )
    let gone = try patched(text, "scss") { $0.removeLast() }
    #expect(gone.contains("b: map-get($mist, 100); c: #cccccc }"))
  }

  /// The key of a map within a map is the last one that a call names, in its own quotes.
  @Test func aKeyOfAMapInAMapIsLookedUp() throws {
    let text =
      "$m: (red: #ff0000, blue: (1: #111111, 2: #222222));\n$k: map-get($m, 'red');\n.a { b: map.get($m, blue, 1); c: map-get(map-get($m, \"blue\"), 2) }\n"
    let format = try FormatRegistry.standard.format(named: "scss")
    let entries = try format.read(Array(text.utf8)).entries
    #expect(entries.map(\.name) == ["m/red", "m/blue/1", "m/blue/2", "k"])
    #expect(entries.last?.color.hex == "#ff0000" && entries.last?.isReference == true)
    let renamed = try patched(text, "scss") {
      $0[0].name = "m/deep red"
      $0[1].name = "m/blue/10"
      $0[2].name = "m/blue/20"
    }
    #expect(
      renamed
        == "$m: ('deep red': #ff0000, blue: (10: #111111, 20: #222222));\n$k: map-get($m, 'deep red');\n.a { b: map.get($m, blue, 10); c: map-get(map-get($m, \"blue\"), 20) }\n"
    )
    #expect(
      try patched(text, "scss") { $0.removeFirst() }
        == text.replacing("red: #ff0000, ", with: "")
        .replacing("map-get($m, 'red')", with: "#ff0000")
    )
  }

  @Test func aKeyOfAMapOfLessIsLookedUp() throws {
    let text =
      "@m: {\n  red: #ff0000;\n  deep: {\n    a: #111111;\n  }\n}\n@k: @m[red];\n.a { b: @m[ red ]; c: @m[deep][a]; d: @m[@red] }\n"
    let format = try FormatRegistry.standard.format(named: "less")
    let entries = try format.read(Array(text.utf8)).entries
    #expect(entries.map(\.name) == ["m/red", "m/deep/a", "k"])
    let renamed = try patched(text, "less") {
      $0[0].name = "m/rot"
      $0[1].name = "m/deep/b"
    }
    #expect(
      renamed
        == text.replacing("red", with: "rot").replacing("a: #", with: "b: #")
        .replacing("[a]", with: "[b]")
    )
    #expect(
      try patched(text, "less") { $0.removeFirst() }
        == "@m: {\n  deep: {\n    a: #111111;\n  }\n}\n@k: #ff0000;\n.a { b: #ff0000; c: @m[deep][a]; d: #ff0000 }\n"
    )
  }

  /// A function that is the value of a key is passed over, and what it asks the theme for goes on being there.
  @Test func aColorOfTheThemeIsAReference() throws {
    let text = """
      module.exports = {
        theme: {
          colors: ({ theme: t }) => ({
            red: '#ff0000', // theme('colors.red')
            mist: { DEFAULT: '#eeeeee', 500: '#cccccc' },
          }),
          borderColor: ({ theme }) => ({
            DEFAULT: theme('colors.red', 'red'), a: theme("colors.mist[500]"), b: theme( `colors.red` ),
            c: theme('colors.mist'), d: theme('colors.mist.500 / 50%'), e: "theme('colors.red')",
            f: `1px ${theme('colors.mist.500')}`, g: my.theme('colors.red'),
          }),
        },
      }

      """
    let format = try FormatRegistry.standard.format(named: "tailwind3")
    let entries = try format.read(Array(text.utf8)).entries
    #expect(entries.map(\.name) == ["red", "mist", "mist/500"])
    let renamed = try patched(text, "tailwind3") {
      $0[0].name = "Deep red"
      $0[2].name = "mist/600"
    }
    #expect(
      renamed
        == text.replacing("red: '#", with: "'Deep red': '#")
        .replacing("theme('colors.red', ", with: "theme('colors.Deep red', ")
        .replacing("500: ", with: "600: ").replacing("[500]", with: "[600]")
        .replacing("mist.500", with: "mist.600")
    )
    let gone = try patched(text, "tailwind3") { $0.removeLast() }
    #expect(gone.contains("a: \"#cccccc\", b:"))
    #expect(gone.contains("f: `1px ${'#cccccc'}`"))
    #expect(gone.contains("d: theme('colors.mist.500 / 50%')"))
    let first = try patched(text, "tailwind3") { $0.removeFirst() }
    #expect(first.contains("DEFAULT: '#ff0000', a:"), "a value for want of a color goes with it")
    let dotted = try patched(text, "tailwind3") { $0[2].name = "mist/5.5" }
    #expect(dotted.contains("a: \"#cccccc\", b:"))
  }

  /// A name that two rules define is renamed where it is used when both are.
  @Test func aNameOfTwoRulesIsRenamedWithBoth() throws {
    let text = ":root { --a: #fff; }\n.dark { --a: #000; }\n.b { color: var(--a); }\n"
    let one = try patched(text, "css") { $0[0].name = "paper" }
    #expect(one.contains("var(--a)"))
    #expect(try patched(text, "css") { $0.removeFirst() }.contains("var(--a)"))
    #expect(try patched(text, "css") { $0.removeAll() }.contains("color: #fff"))
    let other = try patched(text, "css") {
      $0.removeFirst()
      $0[0].name = "paper"
    }
    #expect(other.contains("var(--paper)"), "the other rule's is gone")
    let apart = try patched(text, "css") {
      $0[0].name = "paper"
      $0[1].name = "night"
    }
    #expect(apart.contains("var(--paper)"), "nothing has the old name")
  }

  /// In large groups, keys are found in another way than in small ones.
  @Test func aLargeGroupHasTheTokensOfTheLargeOneThatItExtends() throws {
    func tokens(_ numbers: Range<Int>, _ hex: String) -> String {
      numbers.map { #""t\#($0)": {"$type": "color", "$value": "\#(hex)"}"# }.joined(separator: ",")
    }
    let text =
      #"{"a": {"base": {\#(tokens(0..<40, "#ff0000"))}}, "own": {"$extends": "{a.base}", "#
      + tokens(20..<60, "#00ff00") + "}}"
    let entries = try TokenFormat().read(Array(text.utf8)).entries
    #expect(entries.count == 40 + 60)
    for number in 0..<60 {
      let own = try #require(entries.first { $0.name == "own/t\(number)" })
      #expect(own.color.hex == (number < 20 ? "#ff0000" : "#00ff00"))
    }
  }

  /// A group has the tokens of the one that it extends, but for its own.
  @Test func aGroupHasTheTokensOfTheOneItExtends() throws {
    let text = """
      {"g": {"$type": "color", "x": {"$value": "#ff0000"}, "s": {"y": {"$value": "{g.x}"}}},
      "h": {"$extends": "{g}", "x": {"$value": "#00ff00", "$type": "color"}, "z": {"$value": "#0000ff", "$type": "color"}},
      "i": {"$extends": "{nowhere}"}, "j": {"$extends": "{j}"}}

      """
    let contents = try FormatRegistry.standard.format(named: "dtcg").read(Array(text.utf8))
    #expect(
      contents.entries.map { "\($0.name ?? "") \($0.color.hex)" }
        == ["g/x #ff0000", "g/s/y #ff0000", "h/s/y #ff0000", "h/x #00ff00", "h/z #0000ff"]
    )
    #expect(contents.skipped.map(\.at) == ["i", "j"])
    let followed = try patched(text, "dtcg", following: true) {
      $0[0].color = Color(red8: 1, green8: 2, blue8: 3)
    }
    #expect(followed == text.replacing("#ff0000", with: "#010203"))
    #expect(throws: FormatError.self) { _ = try patched(text, "dtcg") { $0.remove(at: 2) } }
    #expect(throws: FormatError.self) {
      _ = try patched(text, "dtcg") { $0[2].color = Color(red8: 9, green8: 9, blue8: 9) }
    }
  }
}

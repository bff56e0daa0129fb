import Foundation
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteFormats

/// Colors that come into a group of a file, leave one or open one, and groups that are renamed.
struct GroupTests {
  private static let script = """
    module.exports = {
      colors: {
        brand: {
          red: '#f00', // warm
        },
        mist: {
          500: '#ccc',
        },
        'brand/green': '#0f0',
      },
    }

    """

  private static let tokens = """
    {
      "brand": {
        "$type": "color",
        "red": {
          "$value": "#ff0000",
          "$description": "warm"
        },
        "blue": { "$value": "#0000ff" }
      },
      "base": { "gap": { "$type": "dimension", "$value": "1px" } },
      "ui": {
        "danger": { "$type": "color", "$value": "{brand.red}" },
        "line": { "$type": "border", "$value": { "color": "{brand.blue}" } }
      }
    }

    """

  /// A key that has the name of a group in it is one of the object around the group.
  @Test func aKeyWithASlashStays() throws {
    let script = Self.script
    #expect(
      try Samples.patched(script, "tailwind3") { $0.insert($0.removeLast(), at: 0) }
        == script.replacing("    'brand/green': '#0f0',\n", with: "")
        .replacing("    brand: {", with: "    'brand/green': '#0f0',\n    brand: {")
    )
    #expect(
      try Samples.patched(script, "tailwind3") { $0[2].name = "brand/leaf" }
        == script.replacing("brand/green", with: "brand/leaf")
    )
    #expect(
      try Samples.patched(script, "tailwind3") { $0.append(Samples.named(9, "brand/new")) }
        == script.replacing("// warm\n", with: "// warm\n      new: '#f00',\n")
    )
  }

  @Test func aColorChangesItsGroupWithItsName() throws {
    #expect(
      try Samples.patched(Self.script, "tailwind3") { $0[1].name = "brand/500" }
        == Self.script.replacing("    mist: {\n      500: '#ccc',\n    },\n", with: "")
        .replacing("// warm\n", with: "// warm\n      500: '#ccc',\n")
    )
    let red =
      "    \"red\": {\n      \"$value\": \"#ff0000\",\n      \"$description\": \"warm\"\n    },\n"
    let typed = red.replacing("{\n", with: "{\n      \"$type\": \"color\",\n")
    let tokens = Self.tokens
    // The type that the group says is its own now, and what refers to it finds it.
    #expect(
      try Samples.patched(tokens, "dtcg") { $0[0].name = "ui/red" }
        == tokens.replacing(red, with: "").replacing("{brand.red}", with: "{ui.red}")
        .replacing("\"ui\": {\n", with: "\"ui\": {\n" + typed)
    )
    #expect(
      try Samples.patched(tokens, "dtcg") { $0[2].name = "danger" }.contains(
        "  },\n  \"danger\": { \"$type\": \"color\", \"$value\": \"{brand.red}\" },\n  \"base\""
      )
    )
  }

  @Test func aGroupThatIsNotThereIsOpened() throws {
    let new = try Samples.patched(Self.tokens, "dtcg") {
      $0.insert(Samples.named(7, "n/x"), at: 1)
      $0.append(Samples.named(8, "n/deep/y"))
    }
    #expect(
      new
        == Self.tokens.replacing(
          "  \"base\"",
          with:
            "  \"n\": {\n    \"x\": { \"$type\": \"color\", \"$value\": \"#ff0000\" },\n    \"deep\": {\n      \"y\": { \"$type\": \"color\", \"$value\": \"#ff0000\" }\n    }\n  },\n  \"base\""
        )
    )
    // One that has no color is that group.
    #expect(
      try Samples.patched(Self.tokens, "dtcg") { $0.append(Samples.named(9, "base/x")) }
        == Self.tokens.replacing(
          "\"1px\" } }",
          with: "\"1px\" }, \"x\": { \"$type\": \"color\", \"$value\": \"#ff0000\" } }"
        )
    )
    let script = try Samples.patched(Self.script, "tailwind3") {
      $0.append(Samples.named(9, "Deep sea/new"))
    }
    #expect(script.contains("    'Deep sea': {\n"))
  }

  @Test func aGroupIsRenamedWhenAllOfItsColorsAre() throws {
    func rename(_ colors: inout [NamedColor]) {
      for index in colors.indices where colors[index].name.hasPrefix("brand/") {
        colors[index].name = "marke" + colors[index].name.dropFirst(5)
      }
    }
    #expect(
      try Samples.patched(Self.tokens, "dtcg", rename)
        == Self.tokens.replacing("brand", with: "marke")
    )
    let inherited =
      "{\"brand\": {\"x\": {\"$type\": \"color\", \"$value\": \"#fff\"}}, \"o\": {\"$extends\": \"{brand}\"}}\n"
    #expect(
      try Samples.patched(inherited, "dtcg", rename) == inherited.replacing("brand", with: "marke")
    )
    let script =
      Self.script.replacing("'brand/green': '#0f0'", with: "leaf: '#0f0'")
      .replacing("red: '#f00'", with: "DEFAULT: '#eee', red: '#f00'")
      + "// theme('colors.brand.red')\nconst x = theme('colors.brand.red') + theme('colors.brand')\n"
      + "const y = theme('colors.brand.DEFAULT')\n"
    #expect(
      try Samples.patched(script, "tailwind3") {
        $0[0].name = "Marke"
        $0[1].name = "Marke/red"
      }
        == script.replacing("    brand:", with: "    Marke:")
        .replacing(" theme('colors.brand.red') +", with: " theme('colors.Marke.red') +")
        .replacing("+ theme('colors.brand')", with: "+ theme('colors.Marke')")
        .replacing("y = theme('colors.brand.", with: "y = theme('colors.Marke.")
    )
    // What is no color of the palette keeps its group.
    let mixed = Self.tokens.replacing(
      "    \"$type\": \"color\",\n    \"red\"",
      with:
        "    \"$type\": \"color\",\n    \"x\": { \"$type\": \"number\", \"$value\": 1 },\n    \"red\""
    )
    let result = try Samples.patched(mixed, "dtcg", rename)
    #expect(result.contains("\"brand\": {\n    \"$type\": \"color\",\n    \"x\""))
    #expect(result.contains("\"marke\": {\n    \"red\": {\n      \"$type\": \"color\",\n"))
    #expect(result.contains("{marke.red}") && result.contains("{marke.blue}"))
  }

  /// A color of no group is a declaration, also where a stylesheet has maps alone.
  @Test func aDeclarationStandsBesideAMap() throws {
    let scss = "@use 'x';\n$m: (\n  red: #f00,\n  deep: (a: #111),\n);\n.a { b: c }\n"
    #expect(
      try Samples.patched(scss, "scss") { $0.append(Samples.named(9, "Deep leaf")) }
        == scss.replacing(");\n.a", with: ");\n$deep-leaf: #ff0000; // Deep leaf\n.a")
    )
    #expect(
      try Samples.patched(scss, "scss") { $0.insert(Samples.named(9, "leaf"), at: 0) }
        == scss.replacing("$m", with: "$leaf: #ff0000;\n$m")
    )
    let less = "@m: {\n  red: #f00;\n}\n.a { b: @m[red] }\n"
    #expect(
      try Samples.patched(less, "less") { $0.insert(Samples.named(9, "leaf"), at: 0) }
        == "@leaf: #ff0000;\n" + less
    )
    #expect(throws: FormatError.self) {
      _ = try Samples.patched(scss, "scss") { $0[0].name = "plain" }
    }
  }

  /// A later rule says what is different in the dark: what is new there is nothing without the first one.
  @Test func aNewVariableIsInTheFirstRule() throws {
    let text =
      ":root {\n  --a: #ff0000;\n  --b: #00ff00;\n}\n@media (x) {\n  :root {\n    --a: #0000ff;\n    --c: #111111;\n  }\n}\n"
    #expect(
      try Samples.patched(text, "css") { $0.append(Samples.named(9, "leaf")) }
        == text.replacing("--b: #00ff00;\n", with: "--b: #00ff00;\n  --leaf: #ff0000;\n")
    )
    #expect(
      try Samples.patched(text, "css") { $0.insert(Samples.named(9, "leaf"), at: 3) }
        == text.replacing("--a: #0000ff;\n", with: "--a: #0000ff;\n    --leaf: #ff0000;\n")
    )
  }

  /// Quotes that a key needs are none that its neighbor gets.
  @Test func aKeyHasQuotesWhereTheFileHasThem() throws {
    let text =
      "module.exports = {\n  colors: {\n    red: '#f00',\n    'off-white': '#eee',\n  },\n}\n"
    let added = try Samples.patched(text, "tailwind3") { $0.append(Samples.named(9, "Leaf")) }
    #expect(added == text.replacing("'#eee',\n", with: "'#eee',\n    Leaf: '#f00',\n"))
    let all = text.replacing("red", with: "'red'").replacing("colors", with: "'colors'")
      .replacing("module.exports = ", with: "module.exports = ")
    #expect(
      try Samples.patched(all, "tailwind3") { $0.append(Samples.named(9, "Leaf")) }
        == all.replacing("'#eee',\n", with: "'#eee',\n    'Leaf': '#f00',\n")
    )
    #expect(
      try Samples.patched(text, "tailwind3") { $0[1].name = "deep-sea" }
        == text.replacing("off-white", with: "deep-sea")
    )
  }

  /// The columns of numbers are filled up with spaces, also before the first.
  @Test func aNewLineStandsInTheColumns() throws {
    let text = "GIMP Palette\n# mine\n 11 114 133\tteal\n102 217 232\tfoam\n"
    let moved = try Samples.patched(text, "gpl") {
      $0.append(Samples.named(9, "paper", Color(red8: 255, green8: 255, blue8: 255)))
      $0.swapAt(0, 1)
    }
    #expect(
      moved
        == "GIMP Palette\n# mine\n102 217 232\tfoam\n 11 114 133\tteal\n255 255 255\tpaper\n"
    )
  }

  /// A token keeps what it has besides its color, also where the order of the palette has no place in the file.
  @Test func aTokenThatMovesTakesItsExtensionsAlong() throws {
    let text = """
      {
        "x": {
          "red": { "$value": "#ff0000", "$type": "color", "$description": "d" },
          "in": { "dawn": { "$type": "color",
            "$value": "#00ff00",
            "$extensions": {"e": 1}  } }
        },
        "alias": { "$type": "color", "$value": "{x.red}" }
      }

      """
    for target in 0..<3 {
      let moved = try Samples.patched(text, "dtcg") { $0.insert($0.remove(at: 1), at: target) }
      let file = try #require(
        try JSONSerialization.jsonObject(with: Data(moved.utf8)) as? [String: Any]
      )
      let group = try #require(file["x"] as? [String: Any])
      let red = try #require(group["red"] as? [String: Any])
      let dawn = try #require((group["in"] as? [String: Any])?["dawn"] as? [String: Any])
      #expect(red["$description"] as? String == "d" && red["$extensions"] == nil)
      #expect(dawn["$extensions"] != nil && dawn["$description"] == nil)
      #expect(moved.contains("{x.red}"))
    }
  }

  /// A configuration whose last color is gone has none, whatever else stands in quotes in it.
  @Test func aConfigurationCanLoseAllOfItsColors() throws {
    let text =
      "module.exports = { theme: { colors: { red: '#f00' }, borderColor: { a: '#111', b: theme('colors.red') } } }\n"
    #expect(
      try Samples.patched(text, "tailwind3") { $0.removeAll() }
        == text.replacing(" red: '#f00'", with: "").replacing("theme('colors.red')", with: "'#f00'")
    )
  }

  /// A group whose last color goes is gone, unless something else is in it.
  @Test func aGroupGoesWithItsLastColor() throws {
    #expect(
      try Samples.patched(Self.script, "tailwind3") { $0.remove(at: 1) }
        == Self.script.replacing("    mist: {\n      500: '#ccc',\n    },\n", with: "")
    )
    let text =
      "{\n  \"a\": { \"b\": {\n    \"x\": {\"$type\": \"color\", \"$value\": \"#fff\"}\n  } },\n  \"c\": {\"$type\": \"color\", \"$value\": \"#000\"},\n  \"e\": {}\n}\n"
    let gone = try Samples.patched(text, "dtcg") { $0.removeFirst() }
    #expect(gone == "{\n" + text.split(separator: "\n", maxSplits: 4)[4])
    let noted = Self.script.replacing("500: '#ccc',", with: "500: '#ccc',\n      // mine")
    #expect(
      try Samples.patched(noted, "tailwind3") { $0.remove(at: 1) }
        == noted.replacing("      500: '#ccc',\n", with: "")
    )
  }

  @Test func otherColorsNeedNoneOfTheOldGroups() throws {
    let tokens =
      "{\n  \"b\": {\n    \"a\": { \"$type\": \"color\", \"$value\": \"#f00\" }\n  }\n}\n"
    let colors = ["one", "two/x", "b/c"].enumerated().map {
      Samples.named(UInt64($0.offset + 7), $0.element)
    }
    for count in 1...3 {
      let other = try Samples.patched(tokens, "dtcg") { $0 = Array(colors.prefix(count)) }
      let names = try TokenFormat().read(Array(other.utf8)).entries.map(\.name)
      #expect(Set(names) == Set(colors.prefix(count).map(\.name)), "\(other)")
      #expect(other.contains("\n  \"one\": { \"$type\""), "\(other)")
    }
    let script = "module.exports = { colors: { b: { a: '#f00' } } }\n"
    let other = try Samples.patched(script, "tailwind3") { $0 = [colors[0]] }
    #expect(other == script.replacing("b: { a: '#f00' }", with: "one: '#f00',"), "\(other)")
    let map = "$m: (\n  red: #f00,\n);\n"
    #expect(
      try Samples.patched(map, "scss") { $0 = [colors[0]] } == "$one: #ff0000;\n$m: (\n);\n"
    )
  }

  /// What computes its key is in brackets, which come and go with it.
  @Test func aComputedKeyHasItsBrackets() throws {
    let text = "module.exports = { colors: { [`a`]: `#000001`, [`z`]: `#000003` } }\n"
    #expect(
      try Samples.patched(text, "tailwind3") { $0.removeLast() }
        == "module.exports = { colors: { [`a`]: `#000001`, } }\n"
    )
    let added = try Samples.patched(text, "tailwind3") { $0.insert(Samples.named(9, "b/c"), at: 1) }
    #expect(added == text.replacing(", [`z`", with: ", [`b/c`]: `#ff0000`, [`z`"))
  }

  @Test(arguments: [
    (
      "tailwind3",
      "module.exports = {\n  a: {\n    DEFAULT: '#111111', // own\n  },\n  b: '#222222',\n}\n",
      "    b: '#00ff00',\n"
    ),
    (
      "dtcg",
      "{\n  \"a\": {\n    \"$type\": \"color\",\n    \"$root\": { \"$value\": \"#111111\" }\n  },\n"
        + "  \"b\": { \"$type\": \"color\", \"$value\": \"#222222\" }\n}\n",
      "    \"b\": { \"$value\": \"#00ff00\" }\n"
    ),
  ])
  func aGroupWithNothingButItsOwnColorGetsAnother(
    _ format: String,
    _ text: String,
    _ line: String
  ) throws {
    let green = Samples.named(7, "a/b", Color(red8: 0, green8: 255, blue8: 0))
    for place in 0...2 {
      let result = try Samples.patched(text, format) { $0.insert(green, at: place) }
      #expect(place == 0 || result.contains(line), "\(result)")
      let read = try FormatRegistry.standard.format(named: format).read(Array(result.utf8))
      #expect(Set(read.entries.map(\.name)) == ["a", "a/b", "b"], "\(result)")
      let without = try Samples.patched(result, format) { $0.removeAll { $0.name == "a/b" } }
      #expect(without == text)
    }
  }
}

import PaletteModel
import Testing

@testable import PaletteFormats

struct TokenFormatTests {
  private func read(_ text: String) throws -> FileContents {
    let (format, contents) = try FormatRegistry.standard.read(Array(text.utf8), named: "a.json")
    #expect(format.name == "dtcg")
    return contents
  }

  @Test func readsTokensWithTypesOfTheirGroups() throws {
    let contents = try read(
      #"""
      {"$description": "all",
       "blue": {"$type": "color", "$description": "a group",
         "$root": {"$value": {"colorSpace": "srgb", "components": [0, 0, 1]}},
         "light": {"$value": {"colorSpace": "oklch", "components": [0.9, 0.05, "none"], "alpha": 0.5},
           "$description": "soft"},
         "gap": {"$type": "dimension", "$value": "4px"}},
       "link": {"$value": "{blue.light}"},
       "point": {"$type": "color", "$value": {"$ref": "#/blue/light/$value"}},
       "untyped": {"$value": "#ff0000"},
       "ring": {"$type": "color", "$value": "{ring}"},
       "lost": {"$type": "color", "$value": "{no.where}"},
       "odd": {"$type": "color", "$value": {"colorSpace": "cmyk", "components": [0, 0, 0]}}}
      """#
    )
    #expect(contents.entries.map(\.name) == ["blue", "blue/light", "link", "point"])
    #expect(contents.entries[1].color == Color(.oklch, 0.9, 0.05, nil, alpha: 0.5))
    #expect(contents.entries[1].note == "soft")
    #expect(contents.entries[2].color == contents.entries[1].color)
    #expect(contents.skipped.map(\.at) == ["ring", "lost", "odd"])
  }

  @Test func readsWhatCameBefore() throws {
    let contents = try read(
      #"""
      {"global": {"red": {"value": "#ff000080", "type": "color", "description": "hot"},
        "size": {"value": "4", "type": "sizing"}, "bare": {"value": "tomato"},
        "parts": {"value": {"r": 255, "g": 127, "b": 80, "a": 0.5}, "type": "color"}},
       "button": {"value": "{red}", "type": "color"}, "old": {"value": "{global.red.value}"}}
      """#
    )
    #expect(
      contents.entries.map(\.name) == [
        "global/red", "global/bare", "global/parts", "button", "old",
      ]
    )
    #expect(
      contents.entries.map(\.color.hex) == [
        "#ff000080", "#ff6347", "#ff7f5080", "#ff000080", "#ff000080",
      ]
    )
  }

  @Test func keepsEverything() throws {
    let colors =
      Samples.colors + [
        Samples.named(7, "Old", Color(.hsb, 200, 50.5, 60)), Samples.named(8, "{a}.$b"),
        Samples.named(9, "No hue", Color(.lch, 50, nil, 10, alpha: nil)),
      ]
    let format = TokenFormat()
    let contents = try format.read(try format.write(Samples.sheet(colors)))
    #expect(contents.title == "Reef")
    #expect(contents.entries.map(\.id) == colors.map(\.id))
    #expect(contents.entries.map(\.name) == colors.map(\.name))
    #expect(contents.entries.map { $0.note ?? "" } == colors.map(\.note))
    #expect(contents.entries.map(\.color) == colors.map(\.color))
  }

  /// A color that Tokens Studio changes is another one than its value, and so is what refers to it.
  @Test func whatTokensStudioModifiesIsSkipped() throws {
    let text = """
      {"a": {"$type": "color", "$value": "#ff0000"},
      "b": {"$type": "color", "$value": "{a}", "$extensions": {"studio.tokens": {"modify": {"type": "lighten", "value": "0.1", "space": "lch"}}}},
      "c": {"$type": "color", "$value": "{b}"}}

      """
    let format = try FormatRegistry.standard.format(named: "dtcg")
    let contents = try format.read(Array(text.utf8))
    #expect(contents.entries.map(\.name) == ["a"])
    #expect(contents.skipped.map(\.at) == ["b", "c"])
    #expect(contents.skipped[0].reason.contains("lighten"))
    // Its key is not free.
    let result = try Samples.patched(text, "dtcg") { $0.append(Samples.named(9, "b")) }
    #expect(result.contains("\"b 2\": ") && result.contains("\"modify\""))
  }
}

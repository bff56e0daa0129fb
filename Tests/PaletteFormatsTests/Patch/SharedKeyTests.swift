import Foundation
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteFormats

/// Keys and variables that only one thing in a file may have: most parsers keep the last of two.
struct SharedKeyTests {
  private static let files = [
    ("dtcg", "{\n  \"z\": { \"$type\": \"color\", \"$value\": \"#f00\" }\n}\n"),
    ("dtcg", "{\n  \"z\": { \"value\": \"#f00\" }\n}\n"),
    ("dtcg", "{\n  \"c\": {\n    \"z\": { \"$type\": \"color\", \"$value\": \"#f00\" }\n  }\n}\n"),
    ("tailwind3", "module.exports = {\n  z: '#f00',\n}\n"),
    ("tailwind3", "module.exports = { colors: { c: { z: '#f00' } } }\n"),
  ]

  private static let names = [
    ["brand", "brand/500"], ["brand/500", "brand"], ["q/1/2", "q/1"], ["q/1", "q/1/2"],
    ["q", "q/1", "q/1/2"], ["q/1/2", "q/1", "q"], ["brand", "brand", "brand 2/500"],
    ["a.b", "a-b/x"], ["a-b/x", "a.b"], ["q/a.b", "q/a-b/x"], ["a.b/x", "a-b/y"],
    ["c/q", "c/q/1"], ["c/q/1/2", "c/q/1"], ["z/1"], ["c/z/1"],
  ]

  /// Reads a file as a parser of JSON or a script does, of which the last of two keys is left.
  private func count(_ text: String, _ format: String) throws -> Int {
    let format = try FormatRegistry.standard.format(named: format)
    guard format.name == "dtcg" else {
      let contents = try format.read(Array(text.utf8))
      let keys = contents.entries.map { ($0.name ?? "") + "/" }
      return Set(keys.filter { contents.groupPlaces[$0] == nil }).count
    }
    let document = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return try format.read(Array(JSONSerialization.data(withJSONObject: document))).entries.count
  }

  @Test(arguments: files)
  func aColorAndAGroupNeverShareAKey(_ format: String, _ text: String) throws {
    for names in Self.names {
      let colors = names.enumerated().map { Samples.named(UInt64($0.offset + 7), $0.element) }
      let all = try Samples.patched(text, format) { $0 += colors }
      #expect(try count(all, format) == names.count + 1, "\(all)")
      let first = try Samples.patched(text, format) { $0 = colors + $0 }
      #expect(try count(first, format) == names.count + 1, "\(first)")
      let steps = try colors.reduce(text) { text, color in
        try Samples.patched(text, format) { $0.append(color) }
      }
      #expect(try count(steps, format) == names.count + 1, "\(steps)")
    }
  }

  /// Edits of one file, one after another, with names that are groups of each other.
  @Test(arguments: TestSeeds.some(of: 200))
  func keysStayApartThroughManyEdits(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let file = Self.files[random.below(Self.files.count)]
    let format = try FormatRegistry.standard.format(named: file.0)
    func name() -> String {
      (0...random.below(3)).map { _ in ["a", "b", "a 2", "1"][random.below(4)] }
        .joined(separator: "/")
    }
    let entries = try format.read(Array(file.1.utf8)).entries
    var colors = [].importing(entries, using: &random)
    var (text, ids) = (Array(file.1.utf8), colors.map(\.id))
    for _ in 0..<12 {
      let old = (colors, String(decoding: text, as: UTF8.self))
      for _ in 0...random.below(3) {
        let place = random.below(colors.count)
        switch random.below(4) {
        case 0: colors[place].name = name()
        case 1 where colors.count > 1: colors.remove(at: place)
        case 2: colors.swapAt(place, random.below(colors.count))
        default: colors.insert(Samples.named(random.next() >> 1, name()), at: place)
        }
      }
      guard let new = try? format.patch(text, ids: ids, to: Samples.sheet(colors)) else {
        colors = old.0
        continue
      }
      (text, ids) = (new.bytes, new.ids)
      let left = try count(String(decoding: text, as: UTF8.self), file.0)
      try #require(
        left == colors.count,
        "replay with seed \(seed): \(colors.map(\.name)) in \(old.1)"
      )
    }
  }

  @Test func aNameUnderAColorIsSpelledInItsKey() throws {
    let colors = [Samples.named(7, "brand"), Samples.named(8, "brand/500")]
    let tokens = try Samples.patched(Self.files[0].1, "dtcg") { $0 += colors }
    #expect(tokens.contains("  \"brand\": {") && tokens.contains("  \"brand-500\": {"))
    let script = try Samples.patched(Self.files[3].1, "tailwind3") { $0 += colors }
    #expect(
      script
        == Self.files[3].1.replacing("}\n", with: "  brand: '#f00',\n  'brand/500': '#f00',\n}\n")
    )
    let renamed = try Samples.patched(
      "module.exports = {\n  c: {\n    brand: '#f00',\n    z: '#0f0',\n  },\n}\n",
      "tailwind3"
    ) {
      $0[0].name = "c/q"
      $0[1].name = "c/q/600"
    }
    #expect(renamed.contains("    q: '#f00',\n    'q/600': '#0f0',\n"))
  }

  @Test func aMapKeepsItsNameAndItsKeys() throws {
    let scss =
      "$a: #fff;\n$m: (\n  \"a\": (\n    \"x\": #f00,\n  ),\n  \"z\": #0f0,\n);\n$none: ();\n$list: #111, #222;\n.c { color: map-get($m, \"z\"); }\n"
    func patched(_ change: (inout [NamedColor]) -> Void) throws -> String {
      try Samples.patched(scss, "scss", change)
    }
    for name in ["m", "none", "list"] {
      let added = try patched { $0.insert(Samples.named(9, name), at: 1) }
      #expect(
        added == scss.replacing("$a: #fff;\n", with: "$a: #fff;\n$\(name)-2: #f00; // \(name)\n")
      )
      let renamed = try patched { $0[0].name = name }
      #expect(renamed == scss.replacing("$a: #fff;", with: "$\(name)-2: #fff; // \(name)"))
    }
    #expect(
      try patched { $0[2].name = "m/a" }
        == scss.replacing("\"z\": #0f0", with: "\"a 2\": #0f0").replacing(
          "\"z\")",
          with: "\"a 2\")"
        )
    )
    #expect(
      try patched { $0.insert(Samples.named(9, "m/a"), at: 3) }
        == scss.replacing("#0f0,\n", with: "#0f0,\n  \"a 2\": #f00,\n")
    )
    let less = "@b: #fff;\n@m: {\n  red: #f00;\n  sub: {\n    x: #111;\n  }\n}\n"
    #expect(
      try Samples.patched(less, "less") {
        $0.insert(Samples.named(8, "m/sub"), at: 2)
        $0.insert(Samples.named(9, "m"), at: 0)
      }
        == "@m-2: #f00; // m\n"
        + less.replacing("red: #f00;\n", with: "red: #f00;\n  sub-2: #f00;\n")
    )
  }

  /// A comment that ends with its line would hide the rest of a group on one line.
  @Test func aCommentThatComesIntoALineHasAnEnd() throws {
    let text = "module.exports = { colors: {\n  c: { e: 'red' },\n  k: '#123', // note\n} }\n"
    #expect(
      try Samples.patched(text, "tailwind3") { $0[1].name = "c/f" }
        == "module.exports = { colors: {\n  c: { e: 'red', f: '#123', /* note */ },\n} }\n"
    )
  }
}

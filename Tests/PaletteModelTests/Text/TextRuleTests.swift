import PaletteModel
import PaletteTestSupport
import Testing

struct TextRuleTests {
  @Test(arguments: [
    ("Coral", "Coral"), ("  Coral reef\t\n", "Coral reef"), ("\u{A0}x\u{3000}", "x"),
    ("e\u{301}", "e\u{301}"), ("\u{1F3A8}", "\u{1F3A8}"), ("a  b", "a  b"),
    ("\u{200D}", "\u{200D}"),
    ("\u{85}x", "x"),
  ])
  func trimsNames(_ text: String, _ expected: String) throws {
    let name = try TextRule.name.accepted(text)
    #expect(Array(name.utf8) == Array(expected.utf8))
  }

  @Test(
    arguments: [
      ("", .empty), (" \n\t", .empty), ("a\tb", .control("\t")), ("a\nb", .control("\n")),
      ("a\0", .control("\0")), ("a\u{7F}b", .control("\u{7F}")), ("a\u{9B}b", .control("\u{9B}")),
      (String(repeating: "x", count: 1025), .tooLong(byteCount: 1025)),
      (String(repeating: "\u{E9}", count: 513), .tooLong(byteCount: 1026)),
    ] as [(String, TextRuleError)]
  )
  func refusesNames(_ text: String, _ expected: TextRuleError) {
    #expect(throws: expected) { try TextRule.name.accepted(text) }
  }

  @Test func acceptsTheLongestName() throws {
    let longest = String(repeating: "x", count: 1024)
    #expect(try TextRule.name.accepted(" \(longest) ") == longest)
  }

  @Test func keepsNotesAsTheyAre() throws {
    #expect(try TextRule.note.accepted(" two\nlines \n") == " two\nlines \n")
    #expect(try TextRule.note.accepted("") == "")
    #expect(throws: TextRuleError.control("\r")) { try TextRule.note.accepted("a\r\nb") }
    #expect(throws: TextRuleError.control("\u{1B}")) { try TextRule.note.accepted("\u{1B}[31m") }
  }

  @Test func cleansWhatFilesHold() {
    #expect(TextRule.name.cleaned("a\tb\0\0") == "a b")
    #expect(TextRule.name.cleaned("\0 \u{1}") == nil)
    #expect(TextRule.note.cleaned("a\r\nb\rc\nd\u{7F}e") == "a\nb\nc\nd e")
    let long = String(repeating: "\u{1F468}\u{200D}\u{1F469}", count: 200)
    let cut = TextRule.name.cleaned(long)
    #expect(cut?.count == 93 && long.hasPrefix(cut ?? "no"))
  }

  /// What is cut off is never looked at, and yet what is kept is what it would be.
  @Test(arguments: TestSeeds.some(of: 200))
  func cleansAsIfItLookedAtEverything(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let pieces = [
      "a", "b c", " ", "\t", "\r\n", "\r", "\n", "\0", "\u{9B}", "\u{A0}", "e\u{301}", "\u{301}",
      "\u{1F468}\u{200D}\u{1F469}", "\u{600}", "\u{1F1E9}\u{1F1EA}", "\u{3000}", "\u{C7}",
    ]
    let few = pieces.shuffled(using: &random).prefix(Int.random(in: 1...6, using: &random))
    var text = ""
    let length = Int.random(in: 0...3_000, using: &random)
    while text.utf8.count < length { text += few.randomElement(using: &random) ?? "" }
    for (rule, isName) in [(TextRule.name, true), (TextRule.note, false)] {
      let expected = Self.cleaned(text, isName: isName).map { Array($0.utf8) }
      #expect(rule.cleaned(text).map { Array($0.utf8) } == expected)
    }
  }

  private static func cleaned(_ text: String, isName: Bool) -> String? {
    var scalars: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars {
      if !isName, scalar == "\n", scalars.last == "\r" { scalars.removeLast() }
      scalars.append(scalar)
    }
    let kept = scalars.map { scalar -> Unicode.Scalar in
      if !isName, scalar == "\n" || scalar == "\r" { return "\n" }
      return scalar.properties.generalCategory == .control ? " " : scalar
    }
    var trimmed = trimming(kept)
    var characters = Array(String(String.UnicodeScalarView(trimmed)))
    while characters.map({ $0.utf8.count }).reduce(0, +) > 1_024 { characters.removeLast() }
    trimmed = trimming(Array(characters.map(String.init).joined().unicodeScalars))
    return trimmed.isEmpty ? nil : String(String.UnicodeScalarView(trimmed))
  }

  private static func trimming(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    let start = scalars.drop(while: \.properties.isWhitespace)
    return start.reversed().drop(while: \.properties.isWhitespace).reversed()
  }

  @Test func saysWhat() {
    #expect("\(TextRuleError.control("\u{1B}"))" == "holds the control character U+001B")
  }
}

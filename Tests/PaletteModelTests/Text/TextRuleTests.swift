import PaletteModel
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

  @Test func saysWhat() {
    #expect("\(TextRuleError.control("\u{1B}"))" == "holds the control character U+001B")
  }
}

import Testing

@testable import PaletteCommands

struct SpellingTests {
  @Test(arguments: [
    ("", "", 0), ("a", "", 1), ("", "ab", 2), ("kitten", "sitting", 3), ("ab", "ba", 1),
    ("coral", "coarl", 1), ("abc", "abc", 0), ("flaw", "lawn", 2),
  ])
  func counts(_ left: String, _ right: String, _ errors: Int) {
    #expect(Spelling.errors(between: left, and: right) == errors)
  }

  @Test(
    arguments: [
      ("colour", "color"), ("TIMEOUT", "timeout"), ("tmieout", "timeout"), ("x", nil),
      ("verbose", nil), ("", nil), (String(repeating: "timeout", count: 100), nil),
    ] as [(String, String?)]
  )
  func finds(_ word: String, _ expected: String?) {
    #expect(Spelling.nearest(to: word, among: ["color", "timeout"]) == expected)
  }

  /// Whoever chooses both the word and the candidates gets little work done by one call.
  @Test func comparesFewLetters() {
    let half = String(repeating: "hgfedcba", count: 8)
    let names = (0..<20_000).map { String(repeating: "abcdefgh", count: 7) + "\(10_000_000 + $0)" }
    var errors = TypingErrors(in: half)
    #expect(Spelling.nearest(among: names, &errors) == nil)
    #expect(errors.pairCount <= Spelling.pairLimit + 64 * 64)
  }

  @Test func takesTheNearest() {
    #expect(Spelling.nearest(to: "reddish", among: ["radish", "redish", "reddest"]) == "redish")
  }
}

import Testing

@testable import PaletteCommands

struct SpellingTests {
  @Test(arguments: [
    ("", "", 0), ("a", "", 1), ("", "ab", 2), ("kitten", "sitting", 3), ("ab", "ba", 1),
    ("coral", "coarl", 1), ("abc", "abc", 0), ("flaw", "lawn", 2),
  ])
  func counts(_ left: String, _ right: String, _ errors: Int) {
    #expect(Spelling.errors(between: Array(left), and: Array(right)) == errors)
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

  @Test func takesTheNearest() {
    #expect(Spelling.nearest(to: "reddish", among: ["radish", "redish", "reddest"]) == "redish")
  }
}

import Testing

@testable import hued

struct SuggestionTests {
  @Test(arguments: [
    ("lsit", "list"), ("ls", "list"), ("rm", "remove"), ("exprot", "export"), ("mv", "move"),
    ("paletes", "palettes"), ("pal", "palettes"), ("log", "history"), ("ADD", "add"),
  ])
  func findsWhatWasMeant(_ word: String, _ command: String) {
    #expect(Suggestion.command(for: word) == command)
  }

  @Test(arguments: ["xyzzy", "", "q", "somethingelse"])
  func staysSilentWhenNothingIsNear(_ word: String) {
    #expect(Suggestion.command(for: word) == nil)
  }

  @Test(arguments: [
    ("", "", 0), ("", "abc", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("kitten", "sitting", 3),
  ])
  func countsTypingErrors(_ left: String, _ right: String, _ errors: Int) {
    #expect(Suggestion.errors(between: left, and: right) == errors)
    #expect(Suggestion.errors(between: right, and: left) == errors)
  }
}

import Testing

/// A doc comment says what a thing is, beginning with its subject.
struct DocCommentsTests {
  /// Words that begin a question or a clause without a noun.
  private static let questions: Set = [
    "What", "Whether", "How", "Who", "Whose", "Where", "Which", "When", "Why",
  ]

  @Test func fewDocCommentsBeginWithAQuestion() throws {
    var count = 0
    var found: [String] = []
    for file in try SwiftFile.sources {
      for summary in Self.summaries(of: file.source) {
        count += 1
        if Self.isQuestion(summary) { found.append("\(file.path): \(summary)") }
      }
    }
    #expect(count > 5_000)
    #expect(found.count * 100 < count * 3, "\(found.joined(separator: "\n"))")
  }

  @Test func aSummaryIsTheFirstLineOfAComment() {
    let text = "/// What it is.\n/// How it works.\nlet a = 1\n\n  /// The name.\n  let b = 2\n"
    #expect(Self.summaries(of: text) == ["What it is.", "The name."])
    #expect(Self.summaries(of: text).map(Self.isQuestion) == [true, false])
  }

  private static func summaries(of text: String) -> [Substring] {
    var isInside = false
    return text.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line in
      let line = line.drop { $0 == " " }
      defer { isInside = line.hasPrefix("///") }
      guard line.hasPrefix("/// "), !isInside else { return nil }
      return line.dropFirst(4)
    }
  }

  private static func isQuestion(_ summary: Substring) -> Bool {
    questions.contains(String(summary.prefix { $0.isLetter }))
  }
}

import Testing

@testable import hued

struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한글", 4), ("ｶ", 1), ("Ａ", 2),
    ("🎨", 2), ("👩‍🎨", 2), ("🇸🇪", 2), ("❤️", 2), ("❤", 1), ("→", 1), ("\u{200B}", 0), ("👍🏽", 2),
  ])
  func countsColumns(_ text: String, _ width: Int) {
    #expect(DisplayWidth.of(text) == width)
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
  ])
  func cuts(_ text: String, _ width: Int, _ cut: String) {
    #expect(DisplayWidth.cut(text, to: width) == cut)
    #expect(DisplayWidth.of(cut) <= width)
  }

  @Test func breaksBetweenWords() {
    #expect(
      DisplayWidth.wrapped("  a sentence of some 漢字 words", to: 13, indent: "    ")
        == "  a sentence\n    of some\n    漢字\n    words\n"
    )
    #expect(DisplayWidth.wrapped("short", to: 80) == "short\n")
    #expect(DisplayWidth.wrapped("", to: 80) == "\n")
    // A word that is too long has a line of its own.
    #expect(DisplayWidth.wrapped("a https://hub.example b", to: 5) == "a\nhttps://hub.example\nb\n")
  }
}

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
}

import PaletteModel
import Testing

struct SafeTextTests {
  @Test(arguments: [
    ("plain é 日本", "plain é 日本"), ("\u{1B}[31mred", "[31mred"), ("a\u{202E}b\u{2066}c", "abc"),
    ("a\u{9B}b\u{7F}c\u{200F}d", "abcd"), ("a\nb\tc", "a↵ b c"), ("a\r\nb", "a↵ b"),
    ("a\u{2028}b", "ab"), ("👩‍🎨", "👩‍🎨"),
  ])
  func makesALineHarmless(_ text: String, _ safe: String) {
    #expect(SafeText.line(text) == safe)
  }

  @Test(arguments: [
    ("a\tb\nc\rd", "a\\tb\\nc\\rd"), ("a\u{1B}b", "a\\u{1b}b"), ("back\\slash", "back\\slash"),
    ("\u{202E}kept", "\u{202E}kept"), ("a\r\nb", "a\\r\\nb"),
  ])
  func keepsAFieldOnItsLine(_ text: String, _ field: String) {
    #expect(Array(SafeText.field(text).utf8) == Array(field.utf8))
  }

  @Test func messagesKeepTheirLines() {
    #expect(SafeText.message("a\nb\u{1B}c\r\n") == "a\nbc\n")
  }

  @Test func wordsOfStrangersAreShort() {
    #expect(SafeText.words("a\u{1B}[2Jb\nc\u{202E}") == "a[2Jb↵ c")
    let fits = String(repeating: "x", count: 200)
    #expect(SafeText.words(fits) == fits)
    #expect(SafeText.words(fits + "y") == fits.dropLast() + "…")
    // A letter with accents without end is many characters for whoever draws it.
    let accents = "e" + String(repeating: "\u{301}", count: 100_000)
    #expect(SafeText.words(accents).unicodeScalars.count == 200)
  }
}

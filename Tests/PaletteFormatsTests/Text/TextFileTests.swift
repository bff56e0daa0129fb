import Testing

@testable import PaletteFormats

struct TextFileTests {
  @Test(
    arguments: [
      ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]),
      ("a\rb\r", ["a", "b"]), ("\n", []), ("\r\n\r\n", []), ("a\n\rb", ["a", "b"]),
      ("\u{FEFF}a\n", ["a"]), ("\u{FEFF}", []), ("caf\u{E9}\u{85}x", ["caf\u{E9}\u{85}x"]),
    ] as [(String, [String])]
  )
  func splitsLines(_ text: String, _ expected: [String]) {
    let lines = TextFile(Array(text.utf8)).lines
    #expect(lines.map { String($0.text) } == expected)
  }

  @Test func readsLatin1() {
    let lines = TextFile([0x63, 0x61, 0x66, 0xE9, 0x0A, 0xFC]).lines
    #expect(lines.map { String($0.text) } == ["caf\u{E9}", "\u{FC}"])
  }

  @Test func knowsBlankLines() {
    let file = TextFile(Array("a\n \t\n\u{A0}\nb".utf8))
    #expect(file.lines.map(\.place) == ["line 1", "line 4"])
  }
}

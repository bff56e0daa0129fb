import Testing

@testable import hued

struct KeyDecoderTests {
  @Test(arguments: [
    ("a", [TerminalInput.character("a")]), ("\r", [.enter]), ("\u{1B}[A", [.up]),
    ("\u{1B}OB", [.down]), ("\u{1B}[5~", [.pageUp]), ("\u{1B}[3~", [.delete]),
    ("\u{12}", [.control("r")]), ("é界", [.character("é"), .character("界")]),
    ("\u{1B}[<0;5;3M", [.press(row: 2, column: 4)]), ("\u{1B}[<0;5;3m", []),
    ("\u{1B}[<64;1;1M", [.wheelUp]),
    ("\u{1B}[200~a\u{1B}[Ab\u{1B}[201~q", [.paste("a\u{1B}[Ab"), .character("q")]),
    ("\u{1B}[<0;99999999999999999999;3M", []),
  ])
  func readsKeysWholeAndByteByByte(_ text: String, _ expected: [TerminalInput]) {
    var whole = KeyDecoder()
    #expect(whole.inputs(Array(text.utf8)) == expected)
    var split = KeyDecoder()
    #expect(text.utf8.flatMap { split.inputs([$0]) } == expected)
  }

  @Test func loneEscapeIsAKeyOnceNothingFollows() {
    var decoder = KeyDecoder()
    #expect(decoder.inputs([0x1B]).isEmpty)
    #expect(decoder.isWaiting)
    #expect(decoder.inputs([], isAll: true) == [.escape])
  }
}

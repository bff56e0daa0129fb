import PaletteProgram
import Testing

@testable import hued

/// QR codes as text.
struct HalfBlocksTests {
  @Test func drawsTwoRowsALine() throws {
    let text = try #require(HalfBlocks.text(["100", "110", "010"], columns: 80))
    let lines = [
      "           ", "           ", "    █▄     ", "     ▀     ", "           ", "           ",
    ]
    #expect(text == lines.map { "\u{1B}[38;5;16;48;5;231m\($0)\u{1B}[0m\n" }.joined())
  }

  @Test func isLeftOutWhereItDoesNotFit() {
    let rows = [String](repeating: String(repeating: "1", count: 21), count: 21)
    #expect(HalfBlocks.text(rows, columns: 29) != nil)
    #expect(HalfBlocks.text(rows, columns: 28) == nil)
  }

  @Test func isPartOfAShare() {
    let answer = #"{"code":"C","role":"viewer","palette":null,"expires":null,"qr":["10","01"]}"#
    for (arguments, isDrawn) in [
      (["share", "Sea", "--qr"], true), (["share", "Sea"], false),
      (["share", "Sea", "--qr", "--color", "never"], false),
    ] {
      let run = TestRun.onTerminal(answer)
      #expect(run.program.run(arguments) == .done)
      #expect(run.console.text.hasSuffix("\n\nC\n"), "the code is what stays in sight")
      #expect(run.console.text.contains("▀▄") == isDrawn)
    }
    let piped = TestRun(answer)
    #expect(piped.program.run(["share", "Sea"]) == .done)
    #expect(piped.console.text == "C\n")
  }
}

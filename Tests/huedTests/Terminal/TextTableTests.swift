import Testing

@testable import hued

struct TextTableTests {
  @Test func alignsByDisplayWidth() {
    var table = TextTable(header: ["NAME", "N", "EMPTY", "LAST"])
    table.append([Cell("日本"), Cell("5", alignsRight: true), Cell(""), Cell("x")])
    table.append([Cell("abcdef"), Cell("10", alignsRight: true), Cell(""), Cell("")])
    #expect(
      table.text(depth: .none) == """
        NAME     N  LAST
        日本     5  x
        abcdef  10  \n
        """
    )
  }

  @Test func cutsAndCleansCells() {
    let cell = Cell(String(repeating: "a", count: 60) + "\u{1B}")
    #expect(cell.width == 48)
    #expect(cell.text.hasSuffix("a…"))
  }
}

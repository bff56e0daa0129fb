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

  @Test func fitsTheTerminal() {
    var table = TextTable(header: ["NAME", "N", "NOTE"])
    let (name, note) = ("日本日本日本日本日本", String(repeating: "long ", count: 8))
    table.append([Cell(name), Cell("12345", alignsRight: true), Cell(note)])
    var presentation = Presentation(isTerminal: true)
    for columns in [30, 40, 60, 80] {
      presentation.columns = columns
      let lines = table.text(presentation).split(separator: "\n")
      #expect(lines.allSatisfy { DisplayWidth.of($0) <= columns }, "\(columns)")
      #expect(lines[1].contains("12345"))
    }
    presentation.columns = 24
    presentation.isWide = true
    #expect(table.text(presentation).contains(name))
    #expect(table.text(presentation).contains(note))
  }

  /// However narrow it is: texts shrink first, then the last columns go, and rows stay whole.
  @Test(arguments: 12...80)
  func fitsEveryWidth(columns: Int) {
    var table = TextTable(header: ["#", "COLOR", "NAME", "VALUE", "ID", "NOTE"])
    for index in 0..<3 {
      table.append([
        Cell(String(index), alignsRight: true), Cell(styled: "#4ba3f7", width: 7),
        Cell("日本日本e\u{301}"), Cell("oklch(0.7 0.15 250)"), Cell("1d2f1441"),
        Cell(String(repeating: "👩‍👩‍👧 ", count: index * 9)),
      ])
    }
    var presentation = Presentation(isTerminal: true)
    presentation.columns = columns
    let lines = table.text(presentation).split(separator: "\n")
    let note = lines.dropFirst(4).joined(separator: " ")
    #expect(note.isEmpty == (columns >= 50) || note.contains("NOTE"), "\(lines)")
    #expect(lines.prefix(4).allSatisfy { DisplayWidth.of($0) <= columns }, "\(lines)")
    #expect(lines[2].contains("#4ba3f7"))
  }

  @Test func namesTheColumnsForWhichThereIsNoRoom() {
    var table = TextTable(header: ["NAME", "WHEN", "NOTE"], details: ["ID"])
    table.append([
      Cell("Sunset"), Cell(whole: "3 minutes ago"), Cell(whole: "a note of some length"),
      Cell("1a2b"),
    ])
    var presentation = Presentation(isTerminal: true)
    presentation.columns = 40
    #expect(
      table.text(presentation) == """
        NAME    WHEN
        Sunset  3 minutes ago
        not shown: NOTE (--wide shows all)\n
        """
    )
    presentation.columns = 80
    #expect(
      table.text(presentation) == """
        NAME    WHEN           NOTE
        Sunset  3 minutes ago  a note of some length\n
        """
    )
    presentation.isWide = true
    #expect(table.text(presentation).hasSuffix("a note of some length  1a2b\n"))
  }

  @Test(arguments: [
    ("hsl(9.130434783 100% 53.921568627%)", "hsl(9.13 100% 53.92%)"),
    ("oklch(0.696123 0.19642 32.3211)", "oklch(0.6961 0.1964 32.32)"),
    ("color(xyz-d65 0.123456 0.5 none / 0.25)", "color(xyz-d65 0.1235 0.5 none / 0.25)"),
    ("lab(50 -0.12345 1.999)", "lab(50 -0.1235 2)"), ("rgb(1, 2, 3)", "rgb(1, 2, 3)"),
  ])
  func roundsForPeople(_ css: String, _ readable: String) {
    #expect(TextRenderer.readable(css) == readable)
  }
}

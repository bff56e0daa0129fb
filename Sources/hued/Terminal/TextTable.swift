/// Aligned columns for a terminal.
struct TextTable {
  private let header: [String]?
  private var rows: [[Cell]] = []

  /// Creates a table; a column without any text, header aside, is left out.
  init(header: [String]? = nil) {
    self.header = header
  }

  mutating func append(_ row: [Cell]) {
    rows.append(row)
  }

  /// The lines, with a dim header where the terminal can show one.
  func text(depth: ColorDepth) -> String {
    let head = header?.map { Cell($0) }
    let columns = head?.indices ?? rows.first?.indices ?? 0..<0
    let shown = columns.filter { column in rows.contains { $0[column].width > 0 } }
    let widths = columns.map { column in
      max(head?[column].width ?? 0, rows.map { $0[column].width }.max() ?? 0)
    }
    func line(_ row: [Cell]) -> String {
      var line = ""
      for column in shown {
        let cell = row[column]
        let padding = String(repeating: " ", count: widths[column] - cell.width)
        let alignsRight = rows.first?[column].alignsRight ?? false
        line += (column == shown.first ? "" : "  ")
        line += alignsRight ? padding + cell.text : cell.text
        if !alignsRight, column != shown.last { line += padding }
      }
      return line
    }
    var text = ""
    if let head {
      text = (depth == .none ? line(head) : "\u{1B}[2m" + line(head) + Swatch.reset) + "\n"
    }
    for row in rows { text += line(row) + "\n" }
    return text
  }
}

import PaletteModel

/// Aligned columns for a terminal, the most important first.
struct TextTable {
  private var header: [String]?
  private var rows: [[Cell]] = []
  /// The number of the last columns that only a wide table has.
  private let detailCount: Int

  /// Creates a table; a column without any text, header aside, is left out.
  ///
  /// - Parameters:
  ///   - header: The names of the columns.
  ///   - details: The names of columns behind them that are shown with `--wide` alone: ids and the like.
  init(header: [String]? = nil, details: [String] = []) {
    self.header = header.map { $0 + details }
    detailCount = details.count
  }

  mutating func append(_ row: [Cell]) {
    rows.append(row)
  }

  /// A text column is not made narrower than this, which is the part of an id that people read, as long
  /// as leaving out the last columns helps.
  private static let leastWidth = 8
  /// That many columns stay before texts are made narrower than that.
  private static let leastColumns = 3
  private static let leastWidthAtAll = 3

  /// The lines for a terminal: within its width where that is possible, whole if so wished.
  ///
  /// A last line names the columns for which there is no room.
  func text(_ presentation: Presentation) -> String {
    var table = self
    guard !presentation.isWide else {
      table.rows = rows.map { $0.map(\.uncut) }
      return table.text(depth: presentation.depth)
    }
    table.header = header.map { $0.dropLast(detailCount) }
    table.rows = rows.map { $0.dropLast(detailCount) }
    let fitted = table.fitted(to: presentation.columns)
    let text = fitted.text(depth: presentation.depth)
    let hidden = (table.header ?? []).enumerated().filter { column, name in
      !name.isEmpty && !fitted.shows(column) && table.shows(column)
    }.map(\.element)
    guard !hidden.isEmpty else { return text }
    return text
      + DisplayWidth.wrapped(
        "not shown: \(hidden.joined(separator: ", ")) (--wide shows all)",
        to: presentation.columns,
        indent: "  "
      )
  }

  /// Returns whether a column has any text.
  private func shows(_ column: Int) -> Bool { rows.contains { $0[column].width > 0 } }

  /// The same table with its widest texts cut until a line fits; where that is not enough, without its
  /// last columns.
  private func fitted(to width: Int) -> TextTable {
    let columns = header?.indices ?? rows.first?.indices ?? 0..<0
    let shown = columns.filter(shows)
    let full = columns.map { column in
      max(header.map { DisplayWidth.of($0[column]) } ?? 0, rows.map { $0[column].width }.max() ?? 0)
    }
    let flexible = Set(shown.filter { column in rows.allSatisfy { $0[column].canShrink } })
    let usual = columns.map { column in
      max(Self.leastWidth, header.map { DisplayWidth.of($0[column]) } ?? 0)
    }
    let atAll = columns.map { _ in Self.leastWidthAtAll }
    for (least, fewest) in [(usual, min(Self.leastColumns, shown.count)), (atAll, 1)] {
      for count in stride(from: shown.count, through: fewest, by: -1) {
        var widths = full
        let kept = shown.prefix(count)
        var excess = kept.reduce(2 * (count - 1) - width) { $0 + widths[$1] }
        while excess > 0,
          let widest = kept.filter({ flexible.contains($0) && widths[$0] > least[$0] })
            .max(by: { widths[$0] < widths[$1] })
        {
          widths[widest] -= 1
          excess -= 1
        }
        if excess <= 0 { return cut(to: widths, keeping: Set(kept), flexible) }
      }
    }
    return cut(to: full, keeping: Set(shown.prefix(1)), flexible)
  }

  /// The same table with some of its columns, and their texts cut.
  private func cut(to widths: [Int], keeping kept: Set<Int>, _ flexible: Set<Int>) -> TextTable {
    var table = self
    table.rows = rows.map { row in
      row.indices.map { kept.contains($0) ? row[$0].cut(to: widths[$0]) : Cell("") }
    }
    table.header = header.map { header in
      header.indices.map { column in
        flexible.contains(column)
          ? DisplayWidth.cut(header[column], to: widths[column]) : header[column]
      }
    }
    return table
  }

  /// The lines, with a dim header where the terminal can show one.
  func text(depth: ColorDepth) -> String {
    let head = header?.map { Cell($0) }
    let columns = head?.indices ?? rows.first?.indices ?? 0..<0
    let shown = columns.filter(shows)
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

/// One field of a table.
struct Cell: Equatable {
  /// The text as a terminal gets it, with its escape sequences.
  let text: String
  /// The columns that it fills.
  let width: Int
  var alignsRight = false
  /// True if it says nothing any more when it is cut, as a time.
  private var isWhole = false
  /// The text before it was cut; nil where it has escape sequences and stays as it is.
  private let whole: String?

  /// A cell of text from anywhere, made harmless and cut.
  init(_ text: String, alignsRight: Bool = false, limit: Int = 48) {
    let whole = SafeText.line(text)
    self.whole = whole
    self.text = DisplayWidth.cut(whole, to: limit)
    width = DisplayWidth.of(self.text)
    self.alignsRight = alignsRight
  }

  /// A cell that is shown whole or not at all.
  init(whole text: String) {
    self.init(text, limit: .max)
    isWhole = true
  }

  /// A cell that has its escape sequences already.
  init(styled text: String, width: Int) {
    self.text = text
    self.width = width
    whole = nil
  }

  /// True if it may be made narrower: a number that is cut is another number.
  var canShrink: Bool { whole != nil && !alignsRight && !isWhole }

  /// The same with at most so many columns.
  func cut(to width: Int) -> Cell {
    guard canShrink, width < self.width else { return self }
    return Cell(text, limit: width)
  }

  /// The same without anything left out.
  var uncut: Cell {
    guard let whole, !alignsRight else { return self }
    return Cell(whole, limit: .max)
  }
}

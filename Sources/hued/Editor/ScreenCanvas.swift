import PaletteModel

/// The look of a screen's cell.
struct CellStyle: Equatable {
  var foreground: ScreenColor?
  var background: ScreenColor?
  var isBold = false
  var isDim = false
  var isReversed = false
}

/// One place of a screen.
struct ScreenCell: Equatable {
  /// A character; empty where the one before fills two columns.
  var text = " "
  var style = CellStyle()
}

/// A screen as cells, whatever the terminal can show.
struct ScreenCanvas: Equatable {
  let rows: Int
  let columns: Int
  private var cells: [ScreenCell]

  /// An empty screen.
  init(rows: Int, columns: Int) {
    self.rows = max(1, rows)
    self.columns = max(1, columns)
    cells = Array(repeating: ScreenCell(), count: self.rows * self.columns)
  }

  /// The cell at a place of the screen.
  subscript(row: Int, column: Int) -> ScreenCell { cells[row * columns + column] }

  /// Writes a text, cut to a width and to the screen; what controls a terminal is left out.
  mutating func put(
    _ text: String,
    row: Int,
    column: Int,
    width: Int = .max,
    style: CellStyle = CellStyle()
  ) {
    guard (0..<rows).contains(row), (0..<columns).contains(column) else { return }
    let room = min(width, columns - column)
    var place = column
    for character in DisplayWidth.cut(SafeText.line(text), to: room) {
      let wide = DisplayWidth.of(character)
      guard wide > 0, place + wide <= columns else { continue }
      cells[row * columns + place] = ScreenCell(text: String(character), style: style)
      if wide == 2 { cells[row * columns + place + 1] = ScreenCell(text: "", style: style) }
      place += wide
    }
  }

  /// The text of a row, without the spaces at its end.
  func line(_ row: Int) -> String {
    let text = (0..<columns).map { self[row, $0].text }.joined()
    return String(text.reversed().drop { $0 == " " }.reversed())
  }
}

/// The control sequences that turn one screen on a terminal into another.
enum TerminalFrame {
  /// The escape sequences and texts for the cells that differ; all of them where nothing is shown.
  static func changes(from old: ScreenCanvas?, to new: ScreenCanvas, depth: ColorDepth) -> String {
    let old = old.flatMap { $0.rows == new.rows && $0.columns == new.columns ? $0 : nil }
    var text = old == nil ? Swatch.reset + "\u{1B}[2J" : ""
    var style: CellStyle?
    for row in 0..<new.rows {
      var next: Int?
      for column in 0..<new.columns {
        let cell = new[row, column]
        // The second half of a wide character comes with the first.
        guard !cell.text.isEmpty, old.map({ differs($0, new, row, column) }) ?? true else {
          continue
        }
        if next != column { text += "\u{1B}[\(row + 1);\(column + 1)H" }
        if style != cell.style { text += sequence(cell.style, depth) }
        style = cell.style
        text += cell.text
        next = column + DisplayWidth.of(cell.text)
      }
    }
    return style == nil ? text : text + Swatch.reset
  }

  /// Returns whether a place shows something else, or lies beside a half of what did.
  private static func differs(_ old: ScreenCanvas, _ new: ScreenCanvas, _ row: Int, _ column: Int)
    -> Bool
  {
    if old[row, column] != new[row, column] { return true }
    return column + 1 < new.columns
      && old[row, column + 1].text.isEmpty != new[row, column + 1].text.isEmpty
  }

  private static func sequence(_ style: CellStyle, _ depth: ColorDepth) -> String {
    var codes = ["0"]
    if style.isReversed { codes.append("7") }
    if depth != .none {
      if style.isBold { codes.append("1") }
      if style.isDim { codes.append("2") }
      if let color = style.foreground { codes.append(code(color, depth, isBackground: false)) }
      if let color = style.background { codes.append(code(color, depth, isBackground: true)) }
    }
    return "\u{1B}[" + codes.joined(separator: ";") + "m"
  }

  private static func code(_ color: ScreenColor, _ depth: ColorDepth, isBackground: Bool) -> String
  {
    switch depth {
    case .none: "0"
    case .indexed16: String(color.code16(isBackground: isBackground))
    case .indexed256: "\(isBackground ? 48 : 38);5;\(color.index256)"
    case .truecolor: "\(isBackground ? 48 : 38);2;\(color.red);\(color.green);\(color.blue)"
    }
  }
}

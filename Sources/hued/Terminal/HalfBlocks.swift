/// Draws a QR code on a terminal: two rows a line, since a character is about twice as high as wide.
enum HalfBlocks {
  /// How many light modules surround the code.
  private static let border = 4

  /// The code in black and white whatever the terminal's own colors are, as readers want it.
  ///
  /// - Parameters:
  ///   - rows: The rows from above, of the digits 1 (dark) and 0.
  ///   - columns: How wide the terminal is.
  /// - Returns: The lines; nil where they would not fit.
  static func text(_ rows: [String], columns: Int) -> String? {
    let side = rows.count + 2 * border
    guard side <= columns else { return nil }
    let modules = rows.map { row in row.utf8.map { $0 == UInt8(ascii: "1") } }
    func isDark(_ row: Int, _ column: Int) -> Bool {
      let (row, column) = (row - border, column - border)
      guard modules.indices.contains(row), modules[row].indices.contains(column) else {
        return false
      }
      return modules[row][column]
    }
    return stride(from: 0, to: side, by: 2).map { row in
      let line = (0..<side).map { column in
        switch (isDark(row, column), isDark(row + 1, column)) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }
      // Black on white of the 256 colors, which themes leave alone.
      return "\u{1B}[38;5;16;48;5;231m" + line.joined() + Swatch.reset + "\n"
    }.joined()
  }
}

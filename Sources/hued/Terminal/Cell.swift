/// One field of a table.
struct Cell: Equatable {
  /// The text as a terminal gets it, with its escape sequences.
  let text: String
  /// The columns that it fills.
  let width: Int
  var alignsRight = false
  /// Whether it says nothing any more when it is cut, as a time.
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

  /// Whether it may be made narrower: a number that is cut is another number.
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

/// One field of a table.
struct Cell: Equatable {
  /// The text as a terminal gets it, with its escape sequences.
  let text: String
  /// The columns that it fills.
  let width: Int
  var alignsRight = false

  /// A cell of text from anywhere, made harmless and cut.
  init(_ text: String, alignsRight: Bool = false, limit: Int = 48) {
    self.text = DisplayWidth.cut(SafeText.line(text), to: limit)
    width = DisplayWidth.of(self.text)
    self.alignsRight = alignsRight
  }

  /// A cell that has its escape sequences already.
  init(styled text: String, width: Int) {
    self.text = text
    self.width = width
  }
}

/// The most that a file may hold of something: reading one that holds more ends soon, and in little memory.
///
/// The largest palette fits into each of them.
enum FileLimit {
  /// The lines of a text that are not blank.
  static let lines = 300_000
  /// The variables of a stylesheet.
  static let variables = 300_000
  /// The words, texts and marks of a script.
  static let tokens = 1_500_000
  /// The cells of a table.
  static let cells = 1_500_000
  /// The tokens of a document.
  static let colors = 300_000
  /// The blocks of a binary file.
  static let blocks = 500_000
}

extension FormatError {
  /// The error for a file that holds too many of something.
  static func tooMany(_ things: String, _ limit: Int) -> Self {
    .badFile("the file has more than \(limit) \(things), which is no palette")
  }

  /// The error for a file that ends within a block.
  static let openBracket = badFile("the file is cut off: a bracket in it is not closed")
}

/// The text in which people see an answer.
///
/// Each command names its own, and the program that shows them has one text for each case.
package enum AnswerView: Equatable, Sendable {
  /// The keys and values as they are.
  case facts
  case palettes
  /// A palette's colors in order.
  case list
  case history
  case conflicts
  case formats
  case colorFacts
  case convertedColor
  case contrast
  case colorNames
  case paintedText
  /// Computed colors as swatches.
  case colors
  /// One color or several, after a word such as "Added".
  case record(String)
  /// A palette after a word such as "Created".
  case palette(String)
  /// A color or a palette, whichever the answer is.
  case recordOrPalette(String)
  case removedColors
  /// The changes by undoing and its like, after a word, and the sentence for an answer without changes.
  case changes(String, none: String)
  /// One member's value after a word; the value alone where a program reads.
  case sentence(String, key: String)
  /// One member's value alone.
  case value(String)
  /// A new token.
  case token
  /// The caller and what the caller may do.
  case caller
  case status
  /// The checks of a library or a backup.
  case health
  /// A backup that was written or checked.
  case backup
  case recovery
  case compaction
  case settings
  case importedFiles
  case linkedFile
  case linkedFiles
  case shared
  case accesses
  case peers
  case joined
  case left
  case synced
}

/// The quoting of a text in a file: the one place that keeps words from being anything else there.
enum Quoting: Hashable, Sendable {
  /// As it is: numbers, notations of colors, identifiers that `FileNames` made.
  case none
  /// The rest of a line.
  case line
  /// A key that must be a word, because quotes would be a part of it.
  case word
  /// A key that gets quotes where it is no word of the language; words of Sass may hold dashes.
  case key(hasDashes: Bool)
  /// A cell of a table.
  case cell
  /// An attribute or the content of XML.
  case xml
  /// The content of a JSON text, without its quotes.
  case json
  /// The content of a text in quotes of this kind, in a script or a stylesheet.
  case quotes(UInt8)
  /// A comment with an end of its own, which it gets here.
  case comment
  /// A part of a comment, behind a colon; before the end of the comment, if it has one.
  case remark(hasEnd: Bool)
  /// A comment that ends with its line, with the mark that begins it.
  case lineComment(String)
}

import PaletteCommands
import PaletteFormats

extension ArgumentParser {
  /// The value of one argument, as the API gets it.
  static func value(
    _ text: String,
    of content: Content,
    named name: String
  ) throws(APIError) -> JSON {
    switch content {
    case .text, .palette, .color, .file, .path, .secret, .folder, .format, .suggestion, .seconds,
      .command:
      return JSON(text)
    case .position:
      guard let number = Int(text) else {
        throw APIError(
          code: "bad-position",
          message: "\(name) needs a whole number, not '\(text)'",
          hint: "positions count from 0"
        )
      }
      return JSON(number)
    case .count:
      guard let number = Int(text), number >= 0 else {
        throw APIError(code: "bad-value", message: "\(name) needs a number, not '\(text)'")
      }
      return JSON(number)
    case .percent:
      guard let number = number(of: text) else {
        throw APIError(
          code: "bad-value",
          message: "\(name) needs a number of points, not '\(text)'"
        )
      }
      return number
    case .word(let words):
      guard words.contains(text) else { throw unknownWord(text, named: name, words: words) }
      return JSON(text)
    }
  }

  private static func unknownWord(_ text: String, named name: String, words: [String]) -> APIError {
    .usage(
      "\(name) is \(alternatives(words)), not '\(text)'",
      hint: Suggestion.closest(to: text, among: words).map { "did you mean '\($0)'?" }
    )
  }

  /// The words of which one is needed.
  static func alternatives(_ words: [String]) -> String {
    words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
  }

  /// A finite decimal number, with or without a percent sign.
  private static func number(of text: String) -> JSON? {
    let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
    guard digits.allSatisfy({ "0123456789.eE+-".contains($0) }), let number = Double(digits),
      number.isFinite
    else { return nil }
    return Int(exactly: number).map { JSON($0) } ?? JSON(number)
  }
}

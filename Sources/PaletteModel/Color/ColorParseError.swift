/// Why a text is not a color, and what to write instead.
public struct ColorParseError: Error, Hashable, Sendable {
  /// What is wrong, as a sentence without a period.
  public let message: String
  /// What to do about it, as a sentence without a period.
  public let hint: String

  init(_ message: String, hint: String) {
    self.message = message
    self.hint = hint
  }
}

extension ColorParseError: CustomStringConvertible {
  /// The message followed by the hint.
  public var description: String { "\(message); \(hint)" }
}

extension ColorParseError {
  /// The hint where nothing better is known.
  static let examples =
    "write a CSS color such as rebeccapurple, #663399, rgb(102 51 153) or oklch(0.44 0.16 303)"

  /// A piece of the input for a message: short, on one line.
  static func quoted(_ text: String) -> String {
    let plain = text.unicodeScalars.prefix(32).map { (" "..."~").contains($0) ? $0 : "?" }
    var shown = String(String.UnicodeScalarView(plain))
    if text.unicodeScalars.count > 32 { shown += "..." }
    return "'\(shown)'"
  }
}

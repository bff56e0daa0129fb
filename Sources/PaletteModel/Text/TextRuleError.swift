/// Why a text cannot be a name or a note.
public enum TextRuleError: Error, Equatable, Sendable {
  /// A name has no character that shows.
  case empty
  /// There is a control character.
  case control(Unicode.Scalar)
  /// There are more bytes than the limit.
  case tooLong(byteCount: Int)
}

extension TextRuleError: CustomStringConvertible {
  /// What is wrong, as the end of a sentence.
  public var description: String {
    switch self {
    case .empty: "is empty"
    case .control(let scalar):
      "holds the control character U+\(UInt64(scalar.value).hexDigits.suffix(4).uppercased())"
    case .tooLong(let byteCount):
      "has \(byteCount) bytes, the limit is \(TextRule.byteLimit)"
    }
  }
}

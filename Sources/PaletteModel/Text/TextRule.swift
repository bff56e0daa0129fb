/// The rule for texts that people may write into a name or a note.
///
/// Control characters (C0, DEL, C1) are refused, because they would break lines of files and act on
/// terminals; a note may hold newlines. What is accepted is kept byte for byte, never normalised.
public struct TextRule: Sendable {
  /// The most bytes of UTF-8 that an author may write.
  public static let byteLimit = 1024

  /// The rule for names: one line, trimmed, not empty.
  public static let name = TextRule(isName: true)

  /// The rule for notes: any number of lines, may be empty.
  public static let note = TextRule(isName: false)

  private let isName: Bool

  /// The text as it is to be kept.
  public func accepted(_ text: String) throws(TextRuleError) -> String {
    let kept = isName ? text.trimmed : text
    if let control = kept.unicodeScalars.first(where: isForbidden) { throw .control(control) }
    guard !isName || !kept.isEmpty else { throw .empty }
    guard kept.utf8.count <= Self.byteLimit else { throw .tooLong(byteCount: kept.utf8.count) }
    return kept
  }

  /// The nearest text that is accepted, for what comes from files; nil when nothing is left.
  ///
  /// Control characters become spaces, and what is beyond the limit is cut between characters.
  public func cleaned(_ text: String) -> String? {
    let content = text.unicodeScalars.trimmed { $0.isControl || $0.properties.isWhitespace }
    if content.isPlain(upTo: Self.byteLimit) { return content.isEmpty ? nil : String(content) }
    // Whatever a file holds, what is cut off is not looked at; two scalars become one at most.
    let beginning = content.prefix(2 * Self.byteLimit + 2)
    let lines = isName ? String(beginning) : String(beginning).withUnixNewlines
    let kept = String(String.UnicodeScalarView(lines.unicodeScalars.map(allowed)))
      .beginning(Self.byteLimit).trimmed
    return kept.isEmpty ? nil : kept
  }

  private func allowed(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    isForbidden(scalar) ? " " : scalar
  }

  private func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isControl && (isName || scalar != "\n")
  }
}

extension Unicode.Scalar {
  /// True if this is a control character: C0, DEL or C1.
  package var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}

extension UInt8 {
  /// True if this is a character of ASCII with a shape.
  fileprivate var isVisible: Bool { (0x21...0x7E).contains(self) }
}

extension String.UnicodeScalarView {
  /// The text without scalars of a kind at both ends.
  fileprivate func trimmed(_ isTakenAway: (Unicode.Scalar) -> Bool) -> SubSequence {
    guard let first = firstIndex(where: { !isTakenAway($0) }),
      let last = lastIndex(where: { !isTakenAway($0) })
    else { return self[endIndex...] }
    return self[first...last]
  }
}

extension Substring.UnicodeScalarView {
  /// Returns whether it is so many characters at most, all of them visible ASCII and spaces.
  fileprivate func isPlain(upTo limit: Int) -> Bool {
    let utf8 = Substring(self).utf8
    return utf8.count <= limit && utf8.allSatisfy { $0 == 0x20 || $0.isVisible }
  }
}

extension String {
  /// The text without white space at both ends.
  package var trimmed: String {
    if let first = utf8.first, let last = utf8.last, first.isVisible, last.isVisible { return self }
    return String(unicodeScalars.trimmed(\.properties.isWhitespace))
  }

  /// As many whole characters from the start as have at most so many bytes.
  fileprivate func beginning(_ bytes: Int) -> String {
    guard utf8.count > bytes else { return self }
    var end = startIndex
    var rest = bytes
    while true {
      let next = index(after: end)
      rest -= self[end..<next].utf8.count
      guard rest >= 0 else { return String(self[..<end]) }
      end = next
    }
  }

  /// The text with LF in place of CR LF and CR.
  fileprivate var withUnixNewlines: String {
    guard utf8.contains(UInt8(ascii: "\r")) else { return self }
    var scalars = String.UnicodeScalarView()
    var afterReturn = false
    for scalar in unicodeScalars {
      if scalar == "\r" || scalar != "\n" || !afterReturn {
        scalars.append(scalar == "\r" ? "\n" : scalar)
      }
      afterReturn = scalar == "\r"
    }
    return String(scalars)
  }
}

/// The reason why a text cannot be a name or a note.
public enum TextRuleError: Error, Equatable, Sendable {
  /// A name has no character that shows.
  case empty
  /// There is a control character.
  case control(Unicode.Scalar)
  /// There are more bytes than the limit.
  case tooLong(byteCount: Int)
}

extension TextRuleError: CustomStringConvertible {
  /// The failure, as the end of a sentence.
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

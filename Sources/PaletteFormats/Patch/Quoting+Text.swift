internal import PaletteJSON
internal import PaletteModel

extension Quoting {
  /// The part of a file that means a text.
  func quoted(_ text: String) -> String {
    switch self {
    case .none: return text
    case .line: return text.onOneLine
    case .word: return Self.isWord(text, hasDashes: true) ? text : FileNames.identifier(of: text)
    case .key(let hasDashes):
      if Self.isWord(text, hasDashes: hasDashes) || Self.isWholeNumber(text) { return text }
      return "'" + Quoting.quotes(UInt8(ascii: "'")).quoted(text) + "'"
    case .cell:
      let text = text.isFormula ? "'" + text : text
      let special: Set<Unicode.Scalar> = [",", ";", "\t", "\"", "\n", "\r"]
      guard text.unicodeScalars.contains(where: special.contains) else { return text }
      return "\"" + text.replacingBytes(of: "\"", with: "\"\"") + "\""
    case .xml: return text.escapedForXML
    case .json: return String(decoding: JSON(text).bytes.dropFirst().dropLast(), as: UTF8.self)
    case .quotes(let quote):
      var text = text.replacingBytes(of: "\\", with: "\\\\")
      let mark = String(UnicodeScalar(quote))
      text = text.replacingBytes(of: mark, with: "\\" + mark)
      // What scripts, Sass and Less evaluate within a text.
      for sign in ["$", "#", "@"] {
        text = text.replacingBytes(of: sign + "{", with: "\\" + sign + "{")
      }
      return text
    case .comment:
      // Sass evaluates what is in `#{}` even here.
      return "/* \(text.inClosedComment) */"
    case .remark(let hasEnd):
      return hasEnd ? " \(text.inClosedComment) " : " \(text.inComment)"
    case .lineComment(let mark): return "\(mark) \(text.inComment)"
    }
  }

  /// The text that a part of a file means.
  func plain(_ text: String) -> String {
    switch self {
    case .none, .line, .word, .xml, .comment, .lineComment, .remark: return text
    case .key:
      guard let quote = text.utf8.first, quote == 0x22 || quote == 0x27, text.utf8.count > 1,
        text.utf8.last == quote
      else { return text }
      return Quoting.quotes(quote).plain(
        String(decoding: text.utf8.dropFirst().dropLast(), as: UTF8.self)
      )
    case .cell: return text.replacingBytes(of: "\"", with: "").withoutFormulaMark
    case .json: return (try? JSON(parsing: "\"\(text)\""))?.stringValue ?? text
    case .quotes:
      var plain: [UInt8] = []
      var isEscaped = false
      for byte in text.utf8 {
        isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        if !isEscaped { plain.append(byte) }
      }
      return String(decoding: plain, as: UTF8.self)
    }
  }

  /// Returns whether a key needs quotes in a script.
  static func needsQuotes(_ key: String) -> Bool {
    !isWord(key, hasDashes: false) && !isWholeNumber(key)
  }

  /// The nearest name that can be a key here.
  ///
  /// Paths of tokens are divided by dots and in braces, and a dollar begins the words of their format.
  /// Whoever copies members of an object by their names changes what all objects have with `__proto__`.
  func key(_ name: String) -> String {
    var key = name
    if self == .json {
      for mark in ["{", "}", "."] { key = key.replacingBytes(of: mark, with: "-") }
      if key.utf8.first == UInt8(ascii: "$") {
        key = "-" + String(decoding: key.utf8.dropFirst(), as: UTF8.self)
      }
    }
    return key == "__proto__" ? "-" + key : key
  }

  /// The nearest name each part of which can be a key here.
  func path(_ name: String) -> String {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return parts.map { key(String($0)) }.joined(separator: "/")
  }

  /// Recognizes words that are plain in every language here; the others are those with which Sass
  /// calculates.
  private static func isWord(_ text: String, hasDashes: Bool) -> Bool {
    guard let first = text.utf8.first, !(0x30...0x39).contains(first), first != UInt8(ascii: "-")
    else { return false }
    let operators = ["and", "or", "not", "true", "false", "null"]
    return !operators.contains(text)
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || byte == UInt8(ascii: "_") || (hasDashes && byte == UInt8(ascii: "-"))
      }
  }

  /// Returns whether a text is a number that every language spells so.
  private static func isWholeNumber(_ text: String) -> Bool {
    text.utf8.count <= 9 && UInt32(text).map { String($0) == text } ?? false
  }
}

extension String {
  /// The text without an apostrophe that keeps a spreadsheet from evaluating it.
  var withoutFormulaMark: String {
    guard utf8.first == Self.formulaMark, isFormula else { return self }
    return String(decoding: utf8.dropFirst(), as: UTF8.self)
  }

  private static let formulaMark = UInt8(ascii: "'")

  /// True if a spreadsheet may evaluate the text, or would if apostrophes before it were gone.
  fileprivate var isFormula: Bool {
    let scalars = unicodeScalars.drop { $0 == "'" }.drop { $0 == " " || $0 == "\u{A0}" }
    // A tab or a line end, and the signs of East Asian keyboards, count as much.
    let signs: Set<Unicode.Scalar> = [
      "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]
    return scalars.first.map(signs.contains) ?? false
  }

  /// The text without what some readers take for the end of a line.
  fileprivate var onOneLine: String {
    guard utf8.contains(where: { $0 < 0x20 || $0 == 0xC2 || $0 == 0xE2 }) else { return self }
    return String(
      String.UnicodeScalarView(
        unicodeScalars.map { $0.isControl || $0 == "\u{2028}" || $0 == "\u{2029}" ? " " : $0 }
      )
    )
  }

  /// The same where a mark ends the comment.
  fileprivate var inClosedComment: String {
    inComment.replacingBytes(of: "*/", with: "* /").replacingBytes(of: "#{", with: "# {")
  }

  /// The text as a comment holds it: on one line, in the order of its letters, no word to a tool.
  fileprivate var inComment: String {
    let scalars = onOneLine.unicodeScalars.filter { scalar in
      !("\u{202A}"..."\u{202E}").contains(scalar) && !("\u{2066}"..."\u{2069}").contains(scalar)
    }
    return String(String.UnicodeScalarView(scalars))
      .replacingBytes(of: "sourceMappingURL=", with: "sourceMappingURL =")
  }
}

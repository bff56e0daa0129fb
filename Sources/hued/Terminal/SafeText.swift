/// Makes text from strangers harmless: names, notes and paths come from other people.
enum SafeText {
  /// For a terminal: without control and bidirectional characters, on one line.
  static func line(_ text: String) -> String {
    filtered(text) { scalar in
      switch scalar {
      case "\n": "↵ "
      case "\t": " "
      default: ""
      }
    }
  }

  /// For a message on a terminal: line breaks stay.
  static func message(_ text: String) -> String {
    filtered(text) { $0 == "\n" ? "\n" : "" }
  }

  /// For a field of a tab-separated line: control characters as escapes, everything else as it is.
  static func field(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      guard isControl(scalar) else {
        result.append(scalar)
        continue
      }
      switch scalar {
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\t": result.append(contentsOf: "\\t".unicodeScalars)
      case "\r": result.append(contentsOf: "\\r".unicodeScalars)
      default: result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      }
    }
    return String(result)
  }

  private static func filtered(
    _ text: String,
    replacing: (Unicode.Scalar) -> String
  ) -> String {
    guard text.unicodeScalars.contains(where: { isControl($0) || isBidirectional($0) }) else {
      return text
    }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isControl(scalar) || isBidirectional(scalar) {
        result.append(contentsOf: replacing(scalar).unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
  }

  /// Characters that reorder the text around them, and the line breaks of Unicode.
  private static func isBidirectional(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

/// The few signs beyond ASCII that the program itself prints.
enum Glyphs {
  /// For a terminal whose locale is not UTF-8: each sign by one of ASCII that is as wide.
  ///
  /// What others named is left as it is, or it could not be recognised any more.
  static func inASCII(_ text: String) -> String {
    guard text.contains(where: { table[$0] != nil }) else { return text }
    return String(text.map { table[$0] ?? $0 })
  }

  private static let table: [Character: Character] = [
    "…": "~", "▶": ">", "✓": "+", "✗": "x", "↵": "|", "Δ": "d",
  ]
}

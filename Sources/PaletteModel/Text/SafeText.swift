/// Makes the words of others harmless: names, notes, paths, reasons and errors come from other people.
///
/// Whatever is shown on a terminal or written into a log goes through here.
package enum SafeText {
  /// The most characters that are kept of words of any length.
  package static let wordLimit = 200

  /// A stranger's words for a sentence of ours: on one line, and cut at a limit.
  package static func words(_ text: String) -> String {
    // Scalars are counted, because a character may have any number of them.
    let kept = text.unicodeScalars.prefix(wordLimit + 1)
    let isCut = kept.count > wordLimit
    return line(String(kept.prefix(isCut ? wordLimit - 1 : wordLimit))) + (isCut ? "…" : "")
  }

  /// For a terminal: without control and bidirectional characters, on one line.
  package static func line(_ text: String) -> String {
    filtered(text) { scalar in
      switch scalar {
      case "\n": "↵ "
      case "\t": " "
      default: ""
      }
    }
  }

  /// For a message on a terminal: line breaks stay.
  package static func message(_ text: String) -> String {
    filtered(text) { $0 == "\n" ? "\n" : "" }
  }

  /// For a field of a tab-separated line: control characters as escapes, everything else as it is.
  package static func field(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: \.isControl) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      guard scalar.isControl else {
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
    guard text.unicodeScalars.contains(where: { $0.isControl || $0.isBidirectional }) else {
      return text
    }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar.isControl || scalar.isBidirectional {
        result.append(contentsOf: replacing(scalar).unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}

extension Unicode.Scalar {
  /// True if this reorders the text around it, or is a line break of Unicode.
  package var isBidirectional: Bool {
    switch value {
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

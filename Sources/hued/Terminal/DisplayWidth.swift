/// The number of columns of a terminal a text fills, as nearly as can be told without asking it.
enum DisplayWidth {
  static func of(_ text: some StringProtocol) -> Int {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
      ? text.utf8.count : text.reduce(0) { $0 + of($1) }
  }

  /// The columns of one character: an emoji sequence counts once.
  static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    // U+FE0F asks for the emoji form, which is wide whatever the base is.
    if scalars.count > 1, scalars.contains("\u{FE0F}") { return 2 }
    return scalars.map(of).max() ?? 0
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: 0
    default: wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }
  }

  /// Blocks that are wide in Unicode's East Asian Width, and those of the emoji.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x231A...0x231B, 0x23E9...0x23EC, 0x25FD...0x25FE, 0x2614...0x2615,
    0x2648...0x2653, 0x26A1...0x26A1, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x2705...0x2705,
    0x270A...0x270B, 0x2728...0x2728, 0x274C...0x274C, 0x2753...0x2755, 0x2795...0x2797,
    0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
    0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F1E6...0x1F1FF, 0x1F200...0x1F320,
    0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA,
    0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E,
    0x1F440...0x1F440, 0x1F442...0x1F4FC, 0x1F4FF...0x1F53D, 0x1F54B...0x1F54E,
    0x1F550...0x1F567, 0x1F57A...0x1F57A, 0x1F595...0x1F596, 0x1F5A4...0x1F5A4,
    0x1F5FB...0x1F64F, 0x1F680...0x1F6C5, 0x1F6CC...0x1F6FC, 0x1F7E0...0x1F7EB,
    0x1F90C...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD,
  ]

  /// The text in lines of a number of columns, broken between words where that is possible.
  ///
  /// - Parameters:
  ///   - text: The text, on one line.
  ///   - width: How wide the lines may be.
  ///   - indent: What the lines behind the first one begin with.
  /// - Returns: The lines, each with its line break.
  static func wrapped(_ text: String, to width: Int, indent: String = "") -> String {
    let start = text.prefix { $0 == " " }
    var lines: [String] = []
    var line = String(start)
    var isEmpty = true
    for word in text.dropFirst(start.count).split(separator: " ", omittingEmptySubsequences: false)
    {
      if !isEmpty, of(line) + 1 + of(word) > width {
        lines.append(line)
        line = indent
        isEmpty = true
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return (lines + [line]).map { $0 + "\n" }.joined()
  }

  /// The text cut to a number of columns, with an ellipsis where something is missing.
  static func cut(_ text: String, to width: Int) -> String {
    guard of(text) > width else { return text }
    guard width > 0 else { return "" }
    var kept = ""
    var used = 0
    for character in text {
      used += of(character)
      guard used < width else { break }
      kept.append(character)
    }
    return kept + "…"
  }
}

internal import PaletteModel

extension Color {
  /// The color that an argument of a command says: any CSS color, and six or eight hex digits also
  /// without the # that a shell takes for the beginning of a comment.
  ///
  /// - Throws: `bad-color`; the hint for a misspelled name is the name that was probably meant.
  init(argument text: String) throws(APIError) {
    do {
      try self.init(css: text)
    } catch {
      let digits = text.trimmed
      if digits.utf8.count == 6 || digits.utf8.count == 8, let color = Color(hex: digits) {
        self = color
        return
      }
      let isWord = !text.isEmpty && text.utf8.allSatisfy { $0.isASCIILetter }
      let name = isWord ? Spelling.nearest(to: text, among: Color.cssNames) : nil
      throw APIError(
        code: "bad-color",
        message: error.message,
        hint: name.map { "did you mean '\($0)'?" } ?? error.hint
      )
    }
  }
}

extension UInt8 {
  fileprivate var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }
}

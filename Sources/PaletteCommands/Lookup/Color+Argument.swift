internal import PaletteModel

extension Color {
  /// The color that somebody wrote; a name that is none gets the one that was probably meant.
  init(argument text: String) throws(APIError) {
    do {
      try self.init(css: text)
    } catch {
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

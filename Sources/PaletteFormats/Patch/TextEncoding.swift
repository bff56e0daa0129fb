/// The encoding of a text in its file, so that a changed one can stand there in the same way.
struct TextEncoding {
  /// The text in UTF-8, without a byte order mark.
  let text: [UInt8]
  /// The bytes with which the lines of the file end.
  let lineEnd: [UInt8]
  private let mark: [UInt8]
  private let isLatin1: Bool
  private let isUTF16: Bool

  /// Looks at a file; nil where it is UTF-16 that does not come back as it was.
  init?(of bytes: [UInt8]) {
    isUTF16 = TextFile.isUTF16(bytes)
    let content = isUTF16 ? bytes[2...] : bytes.withoutByteOrderMark
    mark = Array(bytes.prefix(bytes.count - content.count))
    isLatin1 = !isUTF16 && String(validating: content, as: UTF8.self) == nil
    let text = isLatin1 || isUTF16 ? Array(TextFile(bytes).text.utf8) : Array(content)
    let end = text.firstIndex { $0 == 0x0A || $0 == 0x0D }
    lineEnd =
      if let end { text[end...].starts(with: [0x0D, 0x0A]) ? [0x0D, 0x0A] : [text[end]] } else {
        [0x0A]
      }
    self.text = text
    guard !isUTF16 || encoded(text) == bytes else { return nil }
  }

  /// Bytes that are no text.
  init(raw bytes: [UInt8]) {
    text = bytes
    lineEnd = []
    mark = []
    isLatin1 = false
    isUTF16 = false
  }

  /// A text in the encoding of the file; in UTF-8 where that has not all characters.
  func encoded(_ text: [UInt8]) -> [UInt8] {
    if isUTF16 {
      let isLittle = mark.first == 0xFF
      return mark
        + String(decoding: text, as: UTF8.self).utf16.flatMap { unit in
          let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
          return isLittle ? [low, high] : [high, low]
        }
    }
    guard isLatin1 else { return mark + text }
    let scalars = String(decoding: text, as: UTF8.self).unicodeScalars
    let latin1 = scalars.compactMap { UInt8(exactly: $0.value) }
    guard latin1.count == scalars.count, String(validating: latin1, as: UTF8.self) == nil else {
      return mark + text
    }
    return mark + latin1
  }
}

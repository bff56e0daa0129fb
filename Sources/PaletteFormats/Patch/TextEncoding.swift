/// How a text stands in the bytes of its file, so that a changed one can stand there in the same way.
struct TextEncoding {
  /// The text in UTF-8, without a byte order mark.
  let text: [UInt8]
  /// The bytes with which the lines of the file end.
  let lineEnd: [UInt8]
  private let mark: [UInt8]
  private let isLatin1: Bool

  /// Looks at a file; nil where it is UTF-16, in which places do not count bytes of UTF-8.
  init?(of bytes: [UInt8]) {
    guard !TextFile.isUTF16(bytes) else { return nil }
    let content = bytes.withoutByteOrderMark
    mark = Array(bytes.prefix(bytes.count - content.count))
    isLatin1 = String(validating: content, as: UTF8.self) == nil
    let text = isLatin1 ? Array(TextFile(bytes).text.utf8) : Array(content)
    let end = text.firstIndex { $0 == 0x0A || $0 == 0x0D }
    lineEnd =
      if let end { text[end...].starts(with: [0x0D, 0x0A]) ? [0x0D, 0x0A] : [text[end]] } else {
        [0x0A]
      }
    self.text = text
  }

  /// A text in the encoding of the file; in UTF-8 where that has not all characters.
  func encoded(_ text: [UInt8]) -> [UInt8] {
    guard isLatin1 else { return mark + text }
    let scalars = String(decoding: text, as: UTF8.self).unicodeScalars
    let latin1 = scalars.compactMap { UInt8(exactly: $0.value) }
    guard latin1.count == scalars.count, String(validating: latin1, as: UTF8.self) == nil else {
      return mark + text
    }
    return mark + latin1
  }
}

/// The lines of a text file, whatever its encoding and its line ends.
struct TextFile {
  /// A line with its number.
  struct Line {
    /// The number, from 1.
    let number: Int
    /// The text without its line end.
    let text: Substring

    /// The place of the line, for messages.
    var place: String { "line \(number)" }
  }

  /// The whole text.
  let text: String
  /// The lines that hold more than white space, up to a limit; the end of the last one may be missing.
  let lines: [Line]
  /// True if there are more lines than that.
  let isCut: Bool

  /// Decodes a file.
  ///
  /// That is UTF-16 with a byte order mark, UTF-8 with or without one, else Latin-1. Lines end with LF, CR LF or CR.
  init(_ bytes: [UInt8]) {
    let text = Self.decode(bytes)
    let utf8 = text.utf8
    var lines: [Line] = []
    var isCut = false
    var number = 0
    var start = utf8.startIndex
    while start < utf8.endIndex {
      let end = utf8[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? utf8.endIndex
      number += 1
      let line = text[start..<end]
      if !line.isBlank {
        guard lines.count < FileLimit.lines else {
          isCut = true
          break
        }
        lines.append(Line(number: number, text: line))
      }
      guard end < utf8.endIndex else { break }
      start = utf8.index(after: end)
      if utf8[end] == 0x0D, start < utf8.endIndex, utf8[start] == 0x0A {
        start = utf8.index(after: start)
      }
    }
    self.text = text
    self.lines = lines
    self.isCut = isCut
  }

  /// Returns whether a file begins with the byte order mark of UTF-16.
  static func isUTF16(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
  }

  private static func decode(_ bytes: [UInt8]) -> String {
    if isUTF16(bytes) {
      let isLittle = bytes[0] == 0xFF
      let units = stride(from: 2, to: bytes.count - 1, by: 2).lazy.map { place in
        let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
        return isLittle ? second << 8 | first : first << 8 | second
      }
      return String(decoding: Array(units), as: UTF16.self)
    }
    let content = bytes.withoutByteOrderMark
    if let text = String(validating: content, as: UTF8.self) { return text }
    // Each byte is a scalar, which has two bytes in UTF-8 from 0x80 on.
    var text: [UInt8] = []
    text.reserveCapacity(content.count * 2)
    for byte in content {
      if byte < 0x80 { text.append(byte) } else { text += [0xC0 | byte >> 6, 0x80 | byte & 0x3F] }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension Substring {
  /// True if it is white space alone; mostly a visible character of ASCII says that it is not.
  fileprivate var isBlank: Bool {
    !utf8.contains { (0x21...0x7E).contains($0) }
      && unicodeScalars.allSatisfy(\.properties.isWhitespace)
  }
}

extension [UInt8] {
  /// The bytes after the byte order mark of UTF-8, if there is one.
  var withoutByteOrderMark: ArraySlice<UInt8> {
    starts(with: [0xEF, 0xBB, 0xBF]) ? self[3...] : self[...]
  }
}

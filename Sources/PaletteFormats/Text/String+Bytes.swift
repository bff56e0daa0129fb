extension String {
  /// The text with another part in place of each one that has these bytes.
  ///
  /// A mark with an accent behind it is another `Character`, and for whoever reads a file still the mark.
  func replacingBytes(of part: String, with other: String) -> String {
    let (text, part) = (Array(utf8), Array(part.utf8))
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var place = 0
    while place < text.count {
      if text[place...].starts(with: part) {
        result += other.utf8
        place += part.count
      } else {
        result.append(text[place])
        place += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The text behind a beginning that has these bytes; nil where it begins with others.
  func droppingBytes(_ prefix: String) -> String? {
    guard utf8.starts(with: prefix.utf8) else { return nil }
    return String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }
}

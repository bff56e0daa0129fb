/// A part of a name that somebody searches for, in either case.
///
/// Looking for it takes time in proportion to the name, however long the part is and whatever repeats in it
/// (Knuth, Morris and Pratt's search): a viewer chooses the part, and the names may be anybody's.
struct NamePart {
  private let bytes: [UInt8]
  /// For each byte the length of the longest beginning that also ends there, without the whole.
  private var fallbacks: [Int] = []

  init(_ text: String) {
    bytes = Array(text.lowercased().utf8)
    var length = 0
    for (index, byte) in bytes.enumerated() {
      if index > 0 {
        while length > 0, bytes[length] != byte { length = fallbacks[length - 1] }
        if bytes[length] == byte { length += 1 }
      }
      fallbacks.append(length)
    }
  }

  /// Returns whether a name contains the part.
  func isIn(_ name: String) -> Bool {
    guard !bytes.isEmpty else { return true }
    var length = 0
    for byte in name.lowercased().utf8 {
      while length > 0, bytes[length] != byte { length = fallbacks[length - 1] }
      if bytes[length] == byte { length += 1 }
      if length == bytes.count { return true }
    }
    return false
  }
}

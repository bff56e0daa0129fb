/// Validates UTF-8 in place.
package enum UTF8Check {
  /// True when the bytes are well-formed UTF-8.
  package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index < bytes.count {
      let lead = bytes[index]
      index += 1
      if lead < 0x80 { continue }
      // The first continuation byte has a narrower range after some leads: no overlong forms, no
      // surrogates, nothing beyond U+10FFFF (Unicode, table 3-7).
      let (length, range): (Int, ClosedRange<UInt8>)
      switch lead {
      case 0xC2...0xDF: (length, range) = (1, 0x80...0xBF)
      case 0xE0: (length, range) = (2, 0xA0...0xBF)
      case 0xE1...0xEC, 0xEE...0xEF: (length, range) = (2, 0x80...0xBF)
      case 0xED: (length, range) = (2, 0x80...0x9F)
      case 0xF0: (length, range) = (3, 0x90...0xBF)
      case 0xF1...0xF3: (length, range) = (3, 0x80...0xBF)
      case 0xF4: (length, range) = (3, 0x80...0x8F)
      default: return false
      }
      guard bytes.count - index >= length, range.contains(bytes[index]) else { return false }
      for offset in 1..<length where bytes[index + offset] & 0xC0 != 0x80 { return false }
      index += length
    }
    return true
  }
}

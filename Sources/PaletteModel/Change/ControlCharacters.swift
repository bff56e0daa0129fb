/// Looks for the characters that names and notes may not have.
enum ControlCharacters {
  /// True when valid UTF-8 has a C0, DEL or C1 control character, newlines apart where they may stand.
  static func areIn(_ text: UnsafeRawBufferPointer, allowingNewlines: Bool) -> Bool {
    var previous: UInt8 = 0
    for byte in text {
      switch byte {
      case 0x0A: if !allowingNewlines { return true }
      case 0..<0x20, 0x7F: return true
      // U+0080 to U+009F are the two bytes C2 80 to C2 9F.
      case 0x80..<0xA0: if previous == 0xC2 { return true }
      default: break
      }
      previous = byte
    }
    return false
  }
}

/// Checks text piece by piece, so that a message ends at its first wrong byte.
struct UTF8Check {
  /// How many bytes of the present character are missing.
  private var missing = 0
  /// The values that the next of them may have.
  private var range: ClosedRange<UInt8> = 0x80...0xBF

  /// Whether the text could end here.
  var isComplete: Bool { missing == 0 }

  /// Takes in the next bytes; false when they cannot belong to any text.
  mutating func accept(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index < bytes.count {
      if missing == 0, index + 8 <= bytes.count,
        bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        index += 8
        continue
      }
      guard accept(bytes[index]) else { return false }
      index += 1
    }
    return true
  }

  private mutating func accept(_ byte: UInt8) -> Bool {
    if missing > 0 {
      guard range.contains(byte) else { return false }
      missing -= 1
      range = 0x80...0xBF
      return true
    }
    switch byte {
    case 0x00...0x7F: return true
    case 0xC2...0xDF: begin(1, 0x80...0xBF)
    case 0xE0: begin(2, 0xA0...0xBF)
    case 0xED: begin(2, 0x80...0x9F)
    case 0xE1...0xEF: begin(2, 0x80...0xBF)
    case 0xF0: begin(3, 0x90...0xBF)
    case 0xF1...0xF3: begin(3, 0x80...0xBF)
    case 0xF4: begin(3, 0x80...0x8F)
    default: return false
    }
    return true
  }

  private mutating func begin(_ count: Int, _ next: ClosedRange<UInt8>) {
    missing = count
    range = next
  }
}

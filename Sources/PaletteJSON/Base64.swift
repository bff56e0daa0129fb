/// Base64 (RFC 4648, section 4): how bytes of a file travel inside JSON.
package enum Base64 {
  private static let padding = UInt8(ascii: "=")

  /// The text of some bytes, padded.
  package static func encode(_ bytes: [UInt8]) -> String {
    let count = (bytes.count + 2) / 3 * 4
    return String(unsafeUninitializedCapacity: count) { text in
      var position = 0
      var index = 0
      while index < bytes.count {
        let group = bytes[index..<min(index + 3, bytes.count)]
        let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
        for digit in 0..<4 {
          text[position] =
            digit > group.count ? padding : character(bits >> UInt32(18 - 6 * digit) & 63)
          position += 1
        }
        index += 3
      }
      return count
    }
  }

  /// The bytes of a text; nil unless it is exactly what `encode` writes for them.
  package static func decode(_ text: String) -> [UInt8]? {
    let text = Array(text.utf8)
    guard text.count.isMultiple(of: 4) else { return nil }
    let digits = text.count - text.suffix(2).count { $0 == padding }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits * 3 / 4)
    var bits: UInt32 = 0
    for index in 0..<digits {
      guard let value = value(text[index]) else { return nil }
      bits = bits << 6 | value
      if index % 4 > 0 {
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(6 - 2 * (index % 4))))
      }
    }
    let unused: UInt32 = [0, 0, 0xF, 0x3][digits % 4]
    return bits & unused == 0 ? bytes : nil
  }

  private static func character(_ value: UInt32) -> UInt8 {
    let value = UInt8(truncatingIfNeeded: value)
    return switch value {
    case 0..<26: UInt8(ascii: "A") + value
    case 26..<52: UInt8(ascii: "a") + value - 26
    case 52..<62: UInt8(ascii: "0") + value - 52
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }

  private static func value(_ character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}

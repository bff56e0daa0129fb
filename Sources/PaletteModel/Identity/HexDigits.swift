extension UInt8 {
  /// The ASCII digit, lower case, of a value below sixteen.
  package static func hexDigit(_ value: UInt64) -> UInt8 {
    let nibble = UInt8(truncatingIfNeeded: value & 15)
    return nibble < 10 ? nibble + UInt8(ascii: "0") : nibble - 10 + UInt8(ascii: "a")
  }

  /// The value of an ASCII hexadecimal digit in either case.
  package var hexValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension UInt64 {
  /// Reads one to sixteen hexadecimal digits and nothing else: no sign, no prefix.
  package init?(hexDigits: some Collection<UInt8>) {
    guard (1...16).contains(hexDigits.count) else { return nil }
    var value: UInt64 = 0
    for byte in hexDigits {
      guard let digit = byte.hexValue else { return nil }
      value = value << 4 | UInt64(digit)
    }
    self = value
  }

  /// Sixteen lower-case hexadecimal digits.
  package var hexDigits: String {
    String(unsafeUninitializedCapacity: 16) { buffer in
      for index in 0..<16 {
        buffer[index] = UInt8.hexDigit(self >> UInt64(60 - 4 * index))
      }
      return 16
    }
  }
}

extension [UInt8] {
  /// Reads two hexadecimal digits a byte, in either case, and nothing else.
  package init?(hexDigits: some Collection<UInt8>) {
    let digits = Array(hexDigits)
    guard digits.count.isMultiple(of: 2) else { return nil }
    self = []
    reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index].hexValue, let low = digits[index + 1].hexValue else {
        return nil
      }
      append(high << 4 | low)
    }
  }

  /// Two lower-case hexadecimal digits a byte.
  package var hexDigits: String {
    let digits = flatMap { [UInt8.hexDigit(UInt64($0 >> 4)), .hexDigit(UInt64($0))] }
    return String(decoding: digits, as: UTF8.self)
  }
}

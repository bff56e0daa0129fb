extension Color {
  /// Creates an sRGB color from 3, 4, 6 or 8 hexadecimal digits, without `#`.
  public init?(hex: some StringProtocol) {
    self.init(hexDigits: hex.utf8)
  }

  /// Creates an sRGB color from 3, 4, 6 or 8 ASCII hexadecimal digits.
  init?(hexDigits: some Collection<UInt8>) {
    var value: UInt32 = 0
    var count = 0
    for byte in hexDigits {
      guard count < 8, let digit = byte.hexValue else { return nil }
      value = value << 4 | UInt32(digit)
      count += 1
    }
    switch count {
    case 3: value = Self.doubled(value << 4 | 0xF)
    case 4: value = Self.doubled(value)
    case 6: value = value << 8 | 0xFF
    case 8: break
    default: return nil
    }
    self.init(
      red8: UInt8(value >> 24),
      green8: UInt8(value >> 16 & 0xFF),
      blue8: UInt8(value >> 8 & 0xFF),
      alpha8: UInt8(value & 0xFF)
    )
  }

  /// Four hexadecimal digits, each twice.
  private static func doubled(_ digits: UInt32) -> UInt32 {
    ((digits & 0xF000) << 12 | (digits & 0xF00) << 8 | (digits & 0xF0) << 4 | digits & 0xF) * 17
  }

  /// `#rrggbb`, or `#rrggbbaa` when not opaque: gamut mapped, rounded to nearest.
  ///
  /// A `none` counts as zero, in alpha too.
  public var hex: String {
    let rgb: SIMD3<Double>
    // Most colors are sRGB inside the gamut: no conversion is needed.
    if space == .srgb, coordinates.min() >= 0, coordinates.max() <= 1 {
      rgb = coordinates
    } else {
      rgb = mappedRGB
    }
    let alpha = (alpha ?? 0).unitByte
    return Self.hex(rgb.x.unitByte, rgb.y.unitByte, rgb.z.unitByte, alpha)
  }

  private static func hex(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8) -> String {
    let count = alpha == 255 ? 7 : 9
    return String(unsafeUninitializedCapacity: count) { buffer in
      buffer[0] = UInt8(ascii: "#")
      let value = UInt64(red) << 24 | UInt64(green) << 16 | UInt64(blue) << 8 | UInt64(alpha)
      for index in 1..<count {
        buffer[index] = UInt8.hexDigit(value >> UInt64(32 - 4 * index))
      }
      return count
    }
  }
}

extension Double {
  /// The nearest byte to a number in 0...1; what lies outside goes to the nearer end.
  var unitByte: UInt8 {
    // Not-a-number fails this comparison too.
    guard self > 0 else { return 0 }
    return self < 1 ? UInt8((self * 255).rounded()) : 255
  }
}

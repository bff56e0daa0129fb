import PalettePlatform

/// The curve between the linear light of an RGB space and its encoded components.
///
/// Negative components mirror the curve, so that colors outside the gamut convert both ways.
enum TransferCurve: Sendable {
  /// sRGB and Display P3.
  case srgb
  /// Adobe RGB (1998).
  case a98
  /// ProPhoto RGB.
  case prophoto
  /// Rec. 2020 as displayed: a plain power of 2.4, as CSS Color 4 has it.
  case rec2020

  /// The linear light of encoded components.
  func decoded(_ encoded: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(decoded(encoded.x), decoded(encoded.y), decoded(encoded.z))
  }

  /// The encoded components of linear light.
  func encoded(_ linear: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(encoded(linear.x), encoded(linear.y), encoded(linear.z))
  }

  /// The linear light of one encoded component.
  func decoded(_ value: Double) -> Double {
    let size = abs(value)
    switch self {
    case .srgb:
      return size <= 0.04045 ? value / 12.92 : sign(pow((size + 0.055) / 1.055, 2.4), of: value)
    case .a98:
      return sign(pow(size, 563 / 256), of: value)
    case .prophoto:
      return size <= 16 / 512 ? value / 16 : sign(pow(size, 1.8), of: value)
    case .rec2020:
      return sign(pow(size, 2.4), of: value)
    }
  }

  private func encoded(_ value: Double) -> Double {
    let size = abs(value)
    switch self {
    case .srgb:
      return size > 0.0031308
        ? sign(1.055 * pow(size, 1 / 2.4) - 0.055, of: value) : value * 12.92
    case .a98:
      return sign(pow(size, 256 / 563), of: value)
    case .prophoto:
      return size >= 1 / 512 ? sign(pow(size, 1 / 1.8), of: value) : value * 16
    case .rec2020:
      return sign(pow(size, 1 / 2.4), of: value)
    }
  }

  private func sign(_ size: Double, of value: Double) -> Double {
    value < 0 ? -size : size
  }
}

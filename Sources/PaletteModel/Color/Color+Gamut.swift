extension Color {
  /// The distance that a component may lie outside 0...1 and still count as inside the sRGB gamut.
  private static let gamutTolerance = 0.000_075

  /// True if sRGB can show the color, up to what rounding explains.
  public var isInGamut: Bool {
    space.convert(coordinates, to: .srgb).isInUnit(tolerance: Self.gamutTolerance)
  }

  /// The color itself if sRGB can show it, else the nearest sRGB color that CSS Color 4 chooses.
  public var gamutMapped: Color {
    guard !isInGamut else { return self }
    let rgb = mappedRGB
    return Color(.srgb, rgb.x, rgb.y, rgb.z, alpha: alpha)
  }

  /// Red, green and blue in 0...255, gamut mapped, not rounded.
  public var rgb: (red: Double, green: Double, blue: Double) {
    let rgb = mappedRGB * 255
    return (rgb.x, rgb.y, rgb.z)
  }

  /// Red, green and blue in 0...1, gamut mapped.
  var mappedRGB: SIMD3<Double> {
    let rgb = space.convert(coordinates, to: .srgb)
    guard !rgb.isInUnit(tolerance: Self.gamutTolerance) else { return rgb.clampedToUnit }
    var oklch = space.convert(coordinates, to: .oklch)
    // Absurd components overflow on the way; what is left must still be some color.
    oklch.replace(with: 0, where: oklch .!= oklch)
    oklch.y = min(oklch.y, 1000)
    return Self.mapped(oklch)
  }

  /// Reduces chroma until clipping makes no visible difference: CSS Color 4's binary search with a
  /// local minimum of deltaEOK.
  private static func mapped(_ origin: SIMD3<Double>) -> SIMD3<Double> {
    let justNoticeable = 0.02
    let precision = 0.0001
    guard origin.x < 1 else { return SIMD3(repeating: 1) }
    guard origin.x > 0 else { return SIMD3(repeating: 0) }
    var current = origin
    guard clippingError(current) >= justNoticeable else { return clipped(current) }
    var low = 0.0
    var high = origin.y
    var isLowInGamut = true
    while high - low > precision {
      current.y = (low + high) / 2
      if isLowInGamut, isInside(current) {
        low = current.y
        continue
      }
      let error = clippingError(current)
      if error >= justNoticeable {
        high = current.y
      } else if justNoticeable - error < precision {
        break
      } else {
        isLowInGamut = false
        low = current.y
      }
    }
    return clipped(current)
  }

  private static func isInside(_ oklch: SIMD3<Double>) -> Bool {
    ColorSpace.oklch.convert(oklch, to: .srgb).isInUnit(tolerance: 0)
  }

  private static func clipped(_ oklch: SIMD3<Double>) -> SIMD3<Double> {
    ColorSpace.oklch.convert(oklch, to: .srgb).clampedToUnit
  }

  /// The deltaEOK between a color and its clipped form.
  private static func clippingError(_ oklch: SIMD3<Double>) -> Double {
    let difference =
      ColorSpace.srgb.convert(clipped(oklch), to: .oklab) - LabModel.rectangular(oklch)
    return (difference * difference).sum().squareRoot()
  }
}

extension SIMD3<Double> {
  /// Returns whether every component is in 0...1; not-a-number is not.
  func isInUnit(tolerance: Double) -> Bool {
    let range = -tolerance...1 + tolerance
    return range.contains(x) && range.contains(y) && range.contains(z)
  }

  /// Every component moved into 0...1.
  var clampedToUnit: SIMD3<Double> {
    clamped(lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 1))
  }
}

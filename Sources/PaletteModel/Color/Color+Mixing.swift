extension Color {
  /// The color on the way to another one, as CSS Color 4 interpolates.
  ///
  /// A component that one of the two lacks is that of the other; alpha is premultiplied, and a hue
  /// goes the shorter way round.
  ///
  /// - Parameters:
  ///   - other: The color at the end of the way.
  ///   - part: How much of the way is gone, from 0 to 1.
  ///   - space: Where the way is straight.
  /// - Returns: The color; at 0 and 1 one of the two, as it was authored.
  public func mixed(with other: Color, part: Double, in space: ColorSpace) -> Color {
    if part <= 0 { return self }
    if part >= 1 { return other }
    // A hue that means nothing, even one that was written, is missing.
    let (from, to) = (components(in: space), other.components(in: space))
    let alpha = Self.between(self.alpha, other.alpha, part)
    let (fromAlpha, toAlpha) = (self.alpha ?? other.alpha ?? 1, other.alpha ?? self.alpha ?? 1)
    var result = Color(space, nil, nil, nil, alpha: alpha)
    result.components = zip(from, to).enumerated().map { index, pair in
      guard let one = pair.0 ?? pair.1, let two = pair.1 ?? pair.0 else { return nil }
      if index == space.hueIndex {
        // At 180 degrees both ways are as long.
        let way = (two - one + 540).truncatingRemainder(dividingBy: 360) - 180
        return (one + way * part).normalizedDegrees
      }
      let sum = one * fromAlpha * (1 - part) + two * toAlpha * part
      return alpha.map { $0 == 0 } ?? false ? one + (two - one) * part : sum / (alpha ?? 1)
    }
    return result.authored(like: [self, other])
  }

  private static func between(_ one: Double?, _ two: Double?, _ part: Double) -> Double? {
    guard let start = one ?? two, let end = two ?? one else { return nil }
    return start + (end - start) * part
  }

  /// The color with its hue in OKLCH turned by some degrees; a grey stays as it is.
  public func turned(by degrees: Double) -> Color {
    var color = converted(to: .oklch)
    guard degrees != 0, let hue = color.third else { return self }
    color.third = (hue + degrees).normalizedDegrees
    return color.authored(like: [self])
  }

  /// A computed color as the authors of those that it came from would write it.
  ///
  /// Of sRGB colors comes an sRGB color of whole bytes, of colors of one other space one in that
  /// space; else it stays in the space in which it was computed.
  func authored(like sources: [Color]) -> Color {
    guard let home = sources.first?.space, sources.allSatisfy({ $0.space == home }) else {
      return self
    }
    return home == .srgb ? roundedToBytes : converted(to: home)
  }

  /// The nearest sRGB color of whole bytes, gamut mapped, with the same alpha.
  public var roundedToBytes: Color {
    let rgb = mappedRGB
    var color = Color(red8: rgb.x.unitByte, green8: rgb.y.unitByte, blue8: rgb.z.unitByte)
    color.alpha = alpha
    return color
  }
}

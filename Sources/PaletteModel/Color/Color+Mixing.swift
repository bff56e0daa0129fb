import PalettePlatform

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

  /// The color with some points more of OKLCH lightness, from 0 to 100; hue and chroma stay, as far as
  /// there is room.
  public func withLightness(changedBy points: Double) -> Color {
    var color = converted(to: .oklch)
    let lightness = color.first ?? 0
    let changed = min(max(lightness + points / 100, 0), 1)
    guard changed != lightness else { return self }
    color.first = changed
    return color.authored(like: [self])
  }

  /// The color with its OKLCH chroma multiplied; lightness and hue stay, as far as there is room.
  public func withChroma(multipliedBy factor: Double) -> Color {
    var color = converted(to: .oklch)
    guard factor != 1, let chroma = color.second, chroma != 0 else { return self }
    color.second = chroma * max(0, factor)
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

  /// The color with `points` percent points more HSL lightness, at most 100.
  ///
  /// Hue, saturation and alpha are kept, also at black, white and grey. Only HSL can hold a
  /// saturation at black or white, so the result is an HSL color whatever the space was; that way
  /// `darker(by:)` leads back even after the end was touched. A color whose lightness does not change
  /// is returned as it was authored. A color outside the sRGB gamut is gamut mapped first.
  public func lighter(by points: Double = 10) -> Color {
    var color = gamutMapped.hsl
    let lightness = color.third ?? 0
    let changed = min(max(lightness + points, 0), 100)
    guard changed != lightness else { return self }
    if space != .hsl {
      // The conversion leaves noise behind the tenth digit, which nobody wants to read.
      color.first = color.first?.roundedForReading.normalizedDegrees
      color.second = color.second?.roundedForReading
    }
    color.third = changed.roundedForReading
    return color
  }

  /// The color with `points` percent points less HSL lightness, at least 0.
  ///
  /// It mirrors `lighter(by:)`.
  public func darker(by points: Double = 10) -> Color {
    lighter(by: -points)
  }

  /// The color in HSL, with the hue and saturation that its author wrote even where they do not show.
  private var hsl: Color {
    var color = converted(to: .hsl)
    switch space {
    case .hsb:
      color.first = first
      // Both saturations run towards a fixed ratio as the color darkens; at black it is the limit.
      if third ?? 0 == 0, let saturation = second, saturation <= 100 {
        color.second = 100 * saturation / (200 - saturation)
      }
    case .hwb:
      color.first = first
    default:
      break
    }
    return color
  }

  /// The CIEDE2000 difference between two colors, regardless of alpha.
  ///
  /// About 1 is just noticeable, black and white are 100 apart.
  public func deltaE2000(to other: Color) -> Double {
    Self.deltaE2000(
      space.convert(coordinates, to: .lab),
      other.space.convert(other.coordinates, to: .lab)
    )
  }

  /// The CIEDE2000 difference of two Lab values, in the notation of Sharma, Wu and Dalal (2005).
  static func deltaE2000(_ one: SIMD3<Double>, _ two: SIMD3<Double>) -> Double {
    let meanChroma = (hypot(one.y, one.z) + hypot(two.y, two.z)) / 2
    let correction = 1.5 - Self.chromaWeight(meanChroma) / 2
    let (a1, a2) = (one.y * correction, two.y * correction)
    let (chroma1, chroma2) = (hypot(a1, one.z), hypot(a2, two.z))
    let (hue1, hue2) = (hue(a1, one.z), hue(a2, two.z))

    var hueDifference = hue2 - hue1
    var meanHue = hue1 + hue2
    if chroma1 * chroma2 == 0 {
      hueDifference = 0
    } else if abs(hueDifference) <= 180 {
      meanHue /= 2
    } else {
      hueDifference += hueDifference > 180 ? -360 : 360
      meanHue = (meanHue + (meanHue < 360 ? 360 : -360)) / 2
    }
    let lightness = two.x - one.x
    let chroma = chroma2 - chroma1
    let hue = 2 * (chroma1 * chroma2).squareRoot() * sine(hueDifference / 2)

    let meanC = (chroma1 + chroma2) / 2
    let lift = pow((one.x + two.x) / 2 - 50, 2)
    let tone =
      1 - 0.17 * cosine(meanHue - 30) + 0.24 * cosine(2 * meanHue)
      + 0.32 * cosine(3 * meanHue + 6) - 0.20 * cosine(4 * meanHue - 63)
    let l = lightness / (1 + 0.015 * lift / (20 + lift).squareRoot())
    let c = chroma / (1 + 0.045 * meanC)
    let h = hue / (1 + 0.015 * meanC * tone)
    let rotation = 60 * exp(-pow((meanHue - 275) / 25, 2))
    let blue = -sine(rotation) * 2 * Self.chromaWeight(meanC)
    return max(0, l * l + c * c + h * h + blue * c * h).squareRoot()
  }

  private static func chromaWeight(_ chroma: Double) -> Double {
    let power = pow(chroma, 7)
    return (power / (power + 6_103_515_625)).squareRoot()
  }

  private static func hue(_ a: Double, _ b: Double) -> Double {
    a == 0 && b == 0 ? 0 : (atan2(b, a) * 180 / .pi).normalizedDegrees
  }

  private static func sine(_ degrees: Double) -> Double { sin(degrees * .pi / 180) }
  private static func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
}

extension Double {
  fileprivate var roundedForReading: Double {
    (self * 1e9).rounded() / 1e9
  }
}

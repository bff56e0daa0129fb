import PalettePlatform

extension Color {
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

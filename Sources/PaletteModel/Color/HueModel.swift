import PalettePlatform

/// The three ways to describe an RGB color by its hue, as CSS Color 4 defines them.
///
/// RGB is 0 to 1 here, the hue is in degrees and everything else is a percentage. Colors outside
/// the gamut keep their meaning in both directions.
enum HueModel {
  static func hslToRGB(_ hsl: SIMD3<Double>) -> SIMD3<Double> {
    let lightness = hsl.z / 100
    let amplitude = hsl.y / 100 * min(lightness, 1 - lightness)
    func channel(_ offset: Double) -> Double {
      let sector = (offset + hsl.x.normalizedDegrees / 30).truncatingRemainder(dividingBy: 12)
      return lightness - amplitude * max(-1, min(sector - 3, 9 - sector, 1))
    }
    return SIMD3(channel(0), channel(8), channel(4))
  }

  static func rgbToHSL(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    let lightness = (rgb.min() + rgb.max()) / 2
    guard let hue = hue(of: rgb) else { return SIMD3(0, 0, lightness * 100) }
    let room = min(lightness, 1 - lightness)
    let saturation = room == 0 ? 0 : (rgb.max() - lightness) / room
    // Far outside the gamut the saturation turns negative: the same color has the opposite hue.
    guard saturation < 0 else { return SIMD3(hue, saturation * 100, lightness * 100) }
    return SIMD3((hue + 180).normalizedDegrees, -saturation * 100, lightness * 100)
  }

  static func hsbToRGB(_ hsb: SIMD3<Double>) -> SIMD3<Double> {
    let brightness = hsb.z / 100
    let amplitude = hsb.y / 100 * brightness
    func channel(_ offset: Double) -> Double {
      let sector = (offset + hsb.x.normalizedDegrees / 60).truncatingRemainder(dividingBy: 6)
      return brightness - amplitude * max(0, min(sector, 4 - sector, 1))
    }
    return SIMD3(channel(5), channel(3), channel(1))
  }

  static func rgbToHSB(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    let brightness = rgb.max()
    guard let hue = hue(of: rgb), brightness != 0 else { return SIMD3(0, 0, brightness * 100) }
    return SIMD3(hue, (brightness - rgb.min()) / brightness * 100, brightness * 100)
  }

  static func hwbToRGB(_ hwb: SIMD3<Double>) -> SIMD3<Double> {
    let white = hwb.y / 100
    let black = hwb.z / 100
    guard white + black < 1 else { return SIMD3(repeating: white / (white + black)) }
    return hslToRGB(SIMD3(hwb.x, 100, 50)) * (1 - white - black) + white
  }

  static func rgbToHWB(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(hue(of: rgb) ?? 0, rgb.min() * 100, (1 - rgb.max()) * 100)
  }

  /// The hue in degrees, nil for a grey.
  private static func hue(of rgb: SIMD3<Double>) -> Double? {
    let spread = rgb.max() - rgb.min()
    // Below this the difference is rounding noise, which near white and black would otherwise grow
    // into a full saturation.
    guard spread > 1e-10 else { return nil }
    let sector =
      switch rgb.max() {
      case rgb.x: (rgb.y - rgb.z) / spread + (rgb.y < rgb.z ? 6 : 0)
      case rgb.y: (rgb.z - rgb.x) / spread + 2
      default: (rgb.x - rgb.y) / spread + 4
      }
    return (sector * 60).normalizedDegrees
  }
}

extension Double {
  /// The same angle in 0..<360.
  var normalizedDegrees: Double {
    guard self < 0 || self >= 360 else { return self }
    let remainder = truncatingRemainder(dividingBy: 360)
    // A tiny negative angle rounds up to 360 when the turn is added.
    let angle = remainder < 0 ? remainder + 360 : remainder
    return angle >= 360 ? 0 : angle
  }
}

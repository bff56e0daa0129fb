import PaletteModel
import PaletteTestSupport

/// Random colors that a seed reproduces.
struct ColorSamples {
  private var random: SeededRandom

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
  }

  /// The next number of the range.
  mutating func number(in range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &self)
  }

  /// A color inside the sRGB gamut.
  mutating func srgb() -> Color {
    Color(.srgb, number(in: 0...1), number(in: 0...1), number(in: 0...1))
  }

  /// A color whose components are all in the range that CSS keeps when it parses.
  mutating func color(in space: ColorSpace) -> Color {
    let hue = number(in: 0...359.999)
    let unit = { (samples: inout Self) in samples.number(in: 0...1) }
    switch space {
    case .hsb, .hsl, .hwb:
      return Color(space, hue, 100 * unit(&self), 100 * unit(&self), alpha: unit(&self))
    case .lab:
      return Color(
        space,
        100 * unit(&self),
        number(in: -120...120),
        number(in: -120...120),
        alpha: unit(&self)
      )
    case .lch:
      return Color(space, 100 * unit(&self), 150 * unit(&self), hue, alpha: unit(&self))
    case .oklab:
      return Color(
        space,
        unit(&self),
        number(in: -0.4...0.4),
        number(in: -0.4...0.4),
        alpha: unit(&self)
      )
    case .oklch:
      return Color(space, unit(&self), 0.4 * unit(&self), hue, alpha: unit(&self))
    case .srgb, .srgbLinear, .displayP3, .a98RGB, .prophotoRGB, .rec2020, .xyzD65, .xyzD50:
      return Color(space, unit(&self), unit(&self), unit(&self), alpha: unit(&self))
    }
  }
}

extension ColorSamples: RandomNumberGenerator {
  mutating func next() -> UInt64 { random.next() }
}

extension Color {
  /// Whether every component is within `tolerance`, hues around the circle, `none` only with `none`.
  func isClose(to other: Color, tolerance: Double) -> Bool {
    guard space == other.space else { return false }
    return zip(components, other.components).enumerated().allSatisfy { index, pair in
      guard let left = pair.0, let right = pair.1 else { return pair.0 == nil && pair.1 == nil }
      let difference = abs(left - right)
      return difference <= tolerance || isHue(index) && abs(360 - difference) <= tolerance
    }
  }

  private func isHue(_ index: Int) -> Bool {
    switch space {
    case .hsb, .hsl, .hwb: index == 0
    case .lch, .oklch: index == 2
    default: false
    }
  }
}

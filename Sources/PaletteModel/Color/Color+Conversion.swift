extension Color {
  /// The color in another space, as CSS Color 4 converts it.
  ///
  /// A `none` counts as zero: CSS carries it over for interpolation only, where it is not the color
  /// that is looked for. When the result is so nearly grey that its hue means nothing, the hue is nil and the color is
  /// exactly grey. RGB, XYZ and the rest are not clamped. In its own space a color is returned as it
  /// was authored.
  public func converted(to destination: ColorSpace) -> Color {
    guard destination != space else { return self }
    let result = space.convert(coordinates, to: destination)
    var color = Color(destination, result.x, result.y, result.z, alpha: alpha)
    color.removePowerlessHue()
    return color
  }

  /// The components in `space`, nil for `none` and for a hue that means nothing, even one that its
  /// author wrote.
  public func components(in space: ColorSpace) -> [Double?] {
    var color = converted(to: space)
    color.removePowerlessHue()
    return color.components
  }

  /// The components as numbers, `none` being zero.
  var coordinates: SIMD3<Double> {
    SIMD3(first ?? 0, second ?? 0, third ?? 0)
  }

  /// Makes the hue nil, and the color exactly grey, where colorfulness is within CSS Color 4's
  /// epsilon for the space.
  private mutating func removePowerlessHue() {
    switch space {
    case .hsb, .hsl:
      guard let saturation = second, saturation <= 0.001 else { return }
      (first, second) = (nil, 0)
    case .hwb:
      guard let white = second, let black = third, white + black >= 99.999 else { return }
      first = nil
      if white + black < 100 { third = 100 - white }
    case .lch:
      guard let chroma = second, chroma <= 0.0015 else { return }
      (second, third) = (0, nil)
    case .oklch:
      guard let chroma = second, chroma <= 0.000004 else { return }
      (second, third) = (0, nil)
    case .srgb, .srgbLinear, .displayP3, .a98RGB, .prophotoRGB, .rec2020: return
    case .xyzD65, .xyzD50, .lab, .oklab: return
    }
  }
}

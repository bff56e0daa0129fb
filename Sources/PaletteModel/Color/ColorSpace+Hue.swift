/// What a component means, by CSS Color 4's table of analogous components.
///
/// A `none` is carried through a conversion into the component with the same role.
enum ComponentRole: Sendable {
  case red, green, blue
  case hue, colorfulness, lightness
  case greenRed, blueYellow
  /// Brightness, whiteness and blackness have no analogue in another space.
  case other
}

extension ColorSpace {
  /// The roles of the three components.
  var roles: [ComponentRole] {
    switch self {
    case .srgb, .srgbLinear, .displayP3, .a98RGB, .prophotoRGB, .rec2020, .xyzD65, .xyzD50:
      [.red, .green, .blue]
    case .hsb: [.hue, .colorfulness, .other]
    case .hsl: [.hue, .colorfulness, .lightness]
    case .hwb: [.hue, .other, .other]
    case .lab, .oklab: [.lightness, .greenRed, .blueYellow]
    case .lch, .oklch: [.lightness, .colorfulness, .hue]
    }
  }

  /// The index of the hue, nil in a rectangular space.
  var hueIndex: Int? {
    switch self {
    case .hsb, .hsl, .hwb: 0
    case .lch, .oklch: 2
    case .lab, .oklab: nil
    case .srgb, .srgbLinear, .displayP3, .a98RGB, .prophotoRGB, .rec2020, .xyzD65, .xyzD50: nil
    }
  }
}

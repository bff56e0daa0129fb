extension ColorSpace {
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

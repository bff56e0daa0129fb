extension ColorSpace {
  /// The name of the space in CSS: as in `color()`, or the name of its own function.
  public var cssName: String {
    switch self {
    case .srgb: "srgb"
    case .hsb: "hsb"
    case .hsl: "hsl"
    case .hwb: "hwb"
    case .lab: "lab"
    case .lch: "lch"
    case .oklab: "oklab"
    case .oklch: "oklch"
    case .displayP3: "display-p3"
    case .srgbLinear: "srgb-linear"
    case .xyzD65: "xyz-d65"
    case .xyzD50: "xyz-d50"
    case .a98RGB: "a98-rgb"
    case .prophotoRGB: "prophoto-rgb"
    case .rec2020: "rec2020"
    }
  }

  /// Finds the space with a CSS name, in either case; `xyz` is `xyz-d65`.
  public init?(cssName: some StringProtocol) {
    let name = String(decoding: cssName.utf8.map(\.asciiLowercased), as: UTF8.self)
    guard let space = name == "xyz" ? .xyzD65 : Self.allCases.first(where: { $0.cssName == name })
    else { return nil }
    self = space
  }

  /// Whether `color()` names this space; the others have a function of their own.
  var isPredefined: Bool {
    switch self {
    case .srgb, .displayP3, .srgbLinear, .xyzD65, .xyzD50, .a98RGB, .prophotoRGB, .rec2020: true
    case .hsb, .hsl, .hwb, .lab, .lch, .oklab, .oklch: false
    }
  }
}

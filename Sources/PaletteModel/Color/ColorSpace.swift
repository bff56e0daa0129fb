/// A color space in which a color can be authored.
///
/// The raw values travel in changes: never reuse one.
public enum ColorSpace: UInt8, CaseIterable, Hashable, Sendable {
  /// Red, green, blue of sRGB, each 0 to 1.
  case srgb = 0
  /// Hue in degrees, saturation and brightness 0 to 100.
  case hsb = 1
  /// Hue in degrees, saturation and lightness 0 to 100.
  case hsl = 2
  /// Hue in degrees, whiteness and blackness 0 to 100.
  case hwb = 3
  /// CIE Lab (D50), lightness 0 to 100.
  case lab = 4
  /// CIE LCH (D50), lightness 0 to 100, hue in degrees.
  case lch = 5
  /// OKLab, lightness 0 to 1.
  case oklab = 6
  /// OKLCH, lightness 0 to 1, hue in degrees.
  case oklch = 7
  /// Display P3, each component 0 to 1.
  case displayP3 = 8
  /// Linear-light sRGB, each component 0 to 1.
  case srgbLinear = 9
  /// CIE XYZ relative to D65.
  case xyzD65 = 10
  /// CIE XYZ relative to D50.
  case xyzD50 = 11
  /// Adobe RGB (1998), each component 0 to 1.
  case a98RGB = 12
  /// ProPhoto RGB, each component 0 to 1.
  case prophotoRGB = 13
  /// Rec. 2020, each component 0 to 1.
  case rec2020 = 14

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

  /// True if `color()` names this space; the others have a function of their own.
  var isPredefined: Bool {
    switch self {
    case .srgb, .displayP3, .srgbLinear, .xyzD65, .xyzD50, .a98RGB, .prophotoRGB, .rec2020: true
    case .hsb, .hsl, .hwb, .lab, .lch, .oklab, .oklch: false
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

  // The spaces form a tree with XYZ (D65) at its root; a conversion climbs to the nearest common
  // ancestor and down again, so that related spaces never pass through XYZ.

  /// The space in which this one is defined, nil for the root.
  private var base: ColorSpace? {
    switch self {
    case .xyzD65: nil
    case .srgbLinear, .displayP3, .a98RGB, .rec2020, .xyzD50, .oklab: .xyzD65
    case .srgb: .srgbLinear
    case .hsb, .hsl, .hwb: .srgb
    case .prophotoRGB, .lab: .xyzD50
    case .lch: .lab
    case .oklch: .oklab
    }
  }

  /// Converts coordinates from this space into `destination`, without regard to missing components.
  func convert(_ coordinates: SIMD3<Double>, to destination: ColorSpace) -> SIMD3<Double> {
    var descent = [destination]
    while let base = descent[descent.count - 1].base { descent.append(base) }
    var space = self
    var result = coordinates
    while !descent.contains(space), let base = space.base {
      result = space.toBase(result)
      space = base
    }
    for step in descent.prefix(while: { $0 != space }).reversed() {
      result = step.fromBase(result)
    }
    return result
  }

  private func toBase(_ value: SIMD3<Double>) -> SIMD3<Double> {
    switch self {
    case .xyzD65: value
    case .srgb: TransferCurve.srgb.decoded(value)
    case .srgbLinear: Matrix3.srgbToXYZ * value
    case .displayP3: Matrix3.displayP3ToXYZ * TransferCurve.srgb.decoded(value)
    case .a98RGB: Matrix3.a98ToXYZ * TransferCurve.a98.decoded(value)
    case .rec2020: Matrix3.rec2020ToXYZ * TransferCurve.rec2020.decoded(value)
    case .prophotoRGB: Matrix3.prophotoToXYZ * TransferCurve.prophoto.decoded(value)
    case .hsb: HueModel.hsbToRGB(value)
    case .hsl: HueModel.hslToRGB(value)
    case .hwb: HueModel.hwbToRGB(value)
    case .xyzD50: Matrix3.d50ToD65 * value
    case .lab: LabModel.labToXYZ(value)
    case .oklab: LabModel.oklabToXYZ(value)
    case .lch, .oklch: LabModel.rectangular(value)
    }
  }

  private func fromBase(_ value: SIMD3<Double>) -> SIMD3<Double> {
    switch self {
    case .xyzD65: value
    case .srgb: TransferCurve.srgb.encoded(value)
    case .srgbLinear: Matrix3.xyzToSRGB * value
    case .displayP3: TransferCurve.srgb.encoded(Matrix3.xyzToDisplayP3 * value)
    case .a98RGB: TransferCurve.a98.encoded(Matrix3.xyzToA98 * value)
    case .rec2020: TransferCurve.rec2020.encoded(Matrix3.xyzToRec2020 * value)
    case .prophotoRGB: TransferCurve.prophoto.encoded(Matrix3.xyzToProphoto * value)
    case .hsb: HueModel.rgbToHSB(value)
    case .hsl: HueModel.rgbToHSL(value)
    case .hwb: HueModel.rgbToHWB(value)
    case .xyzD50: Matrix3.d65ToD50 * value
    case .lab: LabModel.xyzToLab(value)
    case .oklab: LabModel.xyzToOKLab(value)
    case .lch, .oklch: LabModel.polar(value)
    }
  }
}

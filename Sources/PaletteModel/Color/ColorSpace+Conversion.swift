/// The spaces form a tree with XYZ (D65) at its root; a conversion climbs to the nearest common
/// ancestor and down again, so that related spaces never pass through XYZ.
extension ColorSpace {
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

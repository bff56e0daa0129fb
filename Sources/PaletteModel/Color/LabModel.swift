import PalettePlatform

/// CIE Lab and OKLab, and their polar forms.
enum LabModel {
  /// The D50 white of CIE Lab in CSS, from its four-digit chromaticities.
  private static let white = SIMD3(0.3457 / 0.3585, 1, (1 - 0.3457 - 0.3585) / 0.3585)
  private static let epsilon = 216.0 / 24389
  private static let kappa = 24389.0 / 27

  static func xyzToLab(_ xyz: SIMD3<Double>) -> SIMD3<Double> {
    func response(_ value: Double) -> Double {
      value > epsilon ? cbrt(value) : (kappa * value + 16) / 116
    }
    let relative = xyz / white
    let (x, y, z) = (response(relative.x), response(relative.y), response(relative.z))
    return SIMD3(116 * y - 16, 500 * (x - y), 200 * (y - z))
  }

  static func labToXYZ(_ lab: SIMD3<Double>) -> SIMD3<Double> {
    func stimulus(_ value: Double) -> Double {
      let cube = value * value * value
      return cube > epsilon ? cube : (116 * value - 16) / kappa
    }
    let y = (lab.x + 16) / 116
    return SIMD3(stimulus(y + lab.y / 500), stimulus(y), stimulus(y - lab.z / 200)) * white
  }

  static func xyzToOKLab(_ xyz: SIMD3<Double>) -> SIMD3<Double> {
    let cones = Matrix3.xyzToCones * xyz
    return Matrix3.conesToOKLab * SIMD3(cbrt(cones.x), cbrt(cones.y), cbrt(cones.z))
  }

  static func oklabToXYZ(_ lab: SIMD3<Double>) -> SIMD3<Double> {
    let roots = Matrix3.oklabToCones * lab
    return Matrix3.conesToXYZ * (roots * roots * roots)
  }

  static func polar(_ lab: SIMD3<Double>) -> SIMD3<Double> {
    let hue = atan2(lab.z, lab.y) * 180 / .pi
    return SIMD3(lab.x, hypot(lab.y, lab.z), hue.normalizedDegrees)
  }

  static func rectangular(_ lch: SIMD3<Double>) -> SIMD3<Double> {
    let angle = lch.z * .pi / 180
    return SIMD3(lch.x, lch.y * cos(angle), lch.y * sin(angle))
  }
}

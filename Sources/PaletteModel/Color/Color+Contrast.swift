extension Color {
  /// The WCAG 2 contrast of this color as text on `background`.
  ///
  /// The background is first composited over white and the text over the result; both are gamut
  /// mapped to sRGB, for which alone WCAG defines contrast. A `none` alpha is transparent.
  public func contrast(with background: Color) -> Contrast {
    let back = background.composited(over: SIMD3(repeating: 1))
    let one = Self.luminance(composited(over: back))
    let two = Self.luminance(back)
    return Contrast(ratio: (max(one, two) + 0.05) / (min(one, two) + 0.05))
  }

  /// The relative luminance of WCAG 2, from 0 to 1, regardless of alpha.
  public var relativeLuminance: Double {
    Self.luminance(mappedRGB)
  }

  private static func luminance(_ rgb: SIMD3<Double>) -> Double {
    let linear = TransferCurve.srgb.decoded(rgb)
    return 0.2126 * linear.x + 0.7152 * linear.y + 0.0722 * linear.z
  }

  /// Simple alpha compositing in sRGB as encoded, as browsers do it.
  private func composited(over backdrop: SIMD3<Double>) -> SIMD3<Double> {
    let alpha = min(max(alpha ?? 0, 0), 1)
    return mappedRGB * alpha + backdrop * (1 - alpha)
  }
}

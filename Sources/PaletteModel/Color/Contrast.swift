/// The contrast between a text and its background by WCAG 2, with its verdicts.
public struct Contrast: Hashable, Sendable {
  /// Whether text of two sizes passes a level.
  public struct Verdict: Hashable, Sendable {
    /// True if text of normal size passes.
    public let normal: Bool
    /// True if large text passes: 24 px, or 18.66 px in bold.
    public let large: Bool
  }

  /// The ratio from 1 to 21.
  public let ratio: Double

  /// The verdict of level AA: 4.5 for normal text, 3 for large.
  public var aa: Verdict { Verdict(normal: ratio >= 4.5, large: ratio >= 3) }

  /// The verdict of level AAA: 7 for normal text, 4.5 for large.
  public var aaa: Verdict { Verdict(normal: ratio >= 7, large: ratio >= 4.5) }
}

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

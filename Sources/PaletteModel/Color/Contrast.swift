/// The contrast between a text and its background by WCAG 2, with its verdicts.
public struct Contrast: Hashable, Sendable {
  /// Whether text of two sizes passes a level.
  public struct Verdict: Hashable, Sendable {
    /// Whether text of normal size passes.
    public let normal: Bool
    /// Whether large text passes: 24 px, or 18.66 px in bold.
    public let large: Bool
  }

  /// The ratio from 1 to 21.
  public let ratio: Double

  /// The verdict of level AA: 4.5 for normal text, 3 for large.
  public var aa: Verdict { Verdict(normal: ratio >= 4.5, large: ratio >= 3) }

  /// The verdict of level AAA: 7 for normal text, 4.5 for large.
  public var aaa: Verdict { Verdict(normal: ratio >= 7, large: ratio >= 4.5) }
}

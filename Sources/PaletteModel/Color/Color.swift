/// A color value as its author wrote it.
///
/// That is a space, three components in the units of that space, and an alpha. A component that is
/// CSS `none` is nil.
public struct Color: Hashable, Sendable {
  /// The space in which the color was authored.
  public var space: ColorSpace
  /// The first component, nil for `none`.
  public var first: Double?
  /// The second component, nil for `none`.
  public var second: Double?
  /// The third component, nil for `none`.
  public var third: Double?
  /// The opacity from 0 to 1, nil for `none`.
  public var alpha: Double?

  /// Creates a color from components in the units of `space`.
  public init(
    _ space: ColorSpace,
    _ first: Double?,
    _ second: Double?,
    _ third: Double?,
    alpha: Double? = 1
  ) {
    self.space = space
    self.first = first
    self.second = second
    self.third = third
    self.alpha = alpha
  }
}

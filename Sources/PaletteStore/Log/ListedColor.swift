public import PaletteModel

/// A color of a palette's list, with what the list needs beyond its content.
public struct ListedColor: Sendable {
  /// The color.
  public var color: NamedColor
  /// Its place in the order.
  public var place: Place
  /// The registers with different live values.
  public var conflicts: [Register]
}

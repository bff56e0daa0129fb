/// A color with a name that a user can choose instead of making one.
public struct Preset: Hashable, Sendable {
  /// The name.
  public let name: String
  /// The color.
  public let color: Color

  /// Creates a preset.
  public init(name: String, color: Color) {
    self.name = name
    self.color = color
  }
}

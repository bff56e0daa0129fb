/// The presets that a view offers beside the current color, and the one that equals it.
public struct PresetList: Hashable, Sendable {
  /// What ``title(for:where:)`` says of a color that is no preset.
  public static let customTitle = "Custom"

  /// The presets in the order in which they are offered.
  public var presets: [Preset]

  /// Creates a list of presets.
  public init(_ presets: [Preset]) {
    self.presets = presets
  }

  /// The first preset whose color equals `color`.
  ///
  /// `areEqual` decides what equal means, such as having the same hex; by default, colors are equal
  /// only as they were written.
  public func preset(
    matching color: Color,
    where areEqual: (Color, Color) -> Bool = { $0 == $1 }
  ) -> Preset? {
    presets.first { areEqual($0.color, color) }
  }

  /// The name of the preset that equals `color`, or ``customTitle``.
  public func title(
    for color: Color,
    where areEqual: (Color, Color) -> Bool = { $0 == $1 }
  ) -> String {
    preset(matching: color, where: areEqual)?.name ?? Self.customTitle
  }
}

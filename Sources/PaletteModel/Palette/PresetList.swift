/// The presets that a view offers beside the current color, and the one that equals it.
public struct PresetList: Hashable, Sendable {
  /// The title that ``title(for:where:)`` gives a color that is no preset.
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

  /// The sixteen basic colors of CSS, in the order of the rainbow after the greys.
  public static let basic = PresetList(
    [
      ("Black", 0x000000), ("Gray", 0x808080), ("Silver", 0xC0C0C0), ("White", 0xFFFFFF),
      ("Maroon", 0x800000), ("Red", 0xFF0000), ("Olive", 0x808000), ("Yellow", 0xFFFF00),
      ("Green", 0x008000), ("Lime", 0x00FF00), ("Teal", 0x008080), ("Aqua", 0x00FFFF),
      ("Navy", 0x000080), ("Blue", 0x0000FF), ("Purple", 0x800080), ("Fuchsia", 0xFF00FF),
    ].map { name, hex in
      func component(_ shift: Int) -> Double { Double(hex >> shift & 0xFF) / 255 }
      return Preset(name: name, color: Color(.srgb, component(16), component(8), component(0)))
    }
  )
}

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

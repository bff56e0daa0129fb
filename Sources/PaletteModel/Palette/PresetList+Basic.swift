extension PresetList {
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

internal import PaletteModel

/// The watched lists that are kept as they are used, instead of packed: those that changed last.
struct OpenLists {
  /// The most colors of all lists used in one generation.
  private let colorLimit: Int
  private var young: Set<PaletteID> = []
  private var old: Set<PaletteID> = []
  private var youngColors = 0

  init(colorLimit: Int) {
    self.colorLimit = colorLimit
  }

  /// A list was used.
  ///
  /// - Returns: The lists to pack, because they were not used for long.
  mutating func use(_ palette: PaletteID, colors: Int) -> Set<PaletteID> {
    guard young.insert(palette).inserted else { return [] }
    old.remove(palette)
    youngColors += colors
    guard youngColors > colorLimit else { return [] }
    defer {
      old = young
      young = []
      youngColors = 0
    }
    return old
  }

  /// A list is gone.
  mutating func remove(_ palette: PaletteID) {
    young.remove(palette)
    old.remove(palette)
  }
}

internal import PaletteModel

/// Which of the watched lists are kept as they are used, instead of packed: those that changed last.
struct OpenLists {
  /// As many colors as the lists may have together that were used in one generation.
  private let colorLimit: Int
  private var young: Set<PaletteID> = []
  private var old: Set<PaletteID> = []
  private var youngColors = 0

  init(colorLimit: Int) {
    self.colorLimit = colorLimit
  }

  /// A list was used.
  ///
  /// - Returns: The lists that were not for so long that they are packed now.
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

/// The palettes that two sides may speak of.
public enum Scope: Hashable, Sendable {
  /// Every palette, those made later included.
  case library
  /// Some palettes.
  case palettes(Set<PaletteID>)

  /// Whether a palette lies within.
  public func covers(_ palette: PaletteID) -> Bool {
    switch self {
    case .library: true
    case .palettes(let palettes): palettes.contains(palette)
    }
  }
}

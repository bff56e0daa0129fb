public import PaletteModel

/// What a token covers.
public enum Scope: Hashable, Sendable {
  /// Every palette, those made later included.
  case library
  /// One palette.
  case palette(PaletteID)

  /// Whether a palette lies within.
  public func covers(_ palette: PaletteID) -> Bool {
    switch self {
    case .library: true
    case .palette(let own): own == palette
    }
  }
}

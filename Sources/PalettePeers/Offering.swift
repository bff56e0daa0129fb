internal import PaletteModel
internal import PaletteStore

/// Which palettes may have own changes that the library does not yet know as given away.
///
/// A hub whose last peer leaves writes that of those palettes, not of all that it has.
struct Offering {
  /// Nil where it may be any, as after a start.
  private(set) var palettes: Set<PaletteID>?

  /// Adds a palette in which own changes came.
  mutating func add(_ palette: PaletteID) { palettes?.insert(palette) }

  /// It may be any palette.
  mutating func forget() { palettes = nil }

  /// The library knows all of them now.
  mutating func removeAll() { palettes = [] }
}

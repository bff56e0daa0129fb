internal import PaletteModel
internal import PaletteStore

/// Palettes with own changes that may have been sent, which the library does not yet know.
///
/// A hub whose last peer leaves writes that of those palettes, not of all that it has.
final class Offering {
  /// Nil where it may be any, as after a start.
  private(set) var palettes: Set<PaletteID>?

  /// Adds a palette in which own changes came.
  func add(_ palette: PaletteID) { palettes?.insert(palette) }

  /// It may be any palette.
  func forget() { palettes = nil }

  /// The library knows all of them now.
  func removeAll() { palettes = [] }
}

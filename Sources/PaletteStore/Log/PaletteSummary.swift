public import PaletteModel

/// What a list of palettes tells of one.
public struct PaletteSummary: Hashable, Sendable {
  /// The palette.
  public let id: PaletteID
  /// Its name.
  public let name: String
  /// How many colors it lists.
  public let count: Int
  /// How many registers have different live values.
  public let conflicts: Int
  /// Its digest.
  public let digest: Digest
  /// Whether every edit in it lies within a drop.
  public let isDropped: Bool

  /// What the row of a palette says; nil where it has no name yet.
  init?(_ row: PaletteRow) {
    guard let title = row.title else { return nil }
    id = row.id
    name = title
    count = row.colors
    conflicts = row.conflicts
    digest = row.digest
    isDropped = row.isDropped
  }
}

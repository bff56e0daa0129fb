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
}

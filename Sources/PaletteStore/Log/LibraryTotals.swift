/// How much a library shows, all palettes together.
public struct LibraryTotals: Hashable, Sendable {
  /// Palettes that have a name and are not dropped.
  public let palettes: Int
  /// The colors that they list.
  public let colors: Int
  /// Their registers that have different live values.
  public let conflicts: Int
  /// Changes of all palettes that were committed here so far.
  public let changes: Int
}

/// A change of a palette's own name.
public struct PaletteRename: Hashable, Sendable {
  /// The name before.
  public let before: String
  /// The name after.
  public let after: String
  /// Where the change was made.
  public let origin: PaletteChange.Origin
}

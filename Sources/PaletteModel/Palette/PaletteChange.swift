/// What happened to a palette's colors, once.
public struct PaletteChange: Sendable {
  /// Where a change was made.
  public enum Origin: Hashable, Sendable {
    /// In this process, through the palette: a log that is bound to it must write it down.
    case here
    /// In the log or at a peer, and only applied to the palette: a bound log knows it already.
    case elsewhere
  }

  /// The difference between both lists; never empty.
  public let diff: PaletteDiff
  /// Where the change was made.
  public let origin: Origin
  /// The colors before the change.
  public let before: [NamedColor]
  /// The colors after the change.
  public let after: [NamedColor]
}

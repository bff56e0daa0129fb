public import PaletteModel

/// Rows of one author that a peer has, from a number on.
public struct OldHistory: Hashable, Sendable {
  /// The palette.
  public let palette: PaletteID
  /// The author.
  public let node: NodeID
  /// Up to which number these are all that the peer has.
  public let last: UInt32
  /// Before which time the peer knows no past of the palette; nil when it knows all of it.
  public let sinceMilliseconds: UInt64?
  /// The changes, by ascending numbers.
  public let changes: [[UInt8]]

  /// Describes rows.
  public init(
    palette: PaletteID,
    node: NodeID,
    last: UInt32,
    sinceMilliseconds: UInt64?,
    changes: [[UInt8]]
  ) {
    self.palette = palette
    self.node = node
    self.last = last
    self.sinceMilliseconds = sinceMilliseconds
    self.changes = changes
  }
}

internal import PaletteMerge
public import PaletteModel

/// Changes of a palette that were committed together, with the frames that push each of them.
///
/// The frames are made once for all sessions that push the changes.
public struct OutgoingBatch: Hashable, Sendable {
  /// The changes, in the order in which they were taken.
  public let changes: [OutgoingChange]
  /// A frame for each change.
  let frames: SharedFrames
  /// The bytes of all frames.
  let byteCount: UInt64
  /// The authors of the changes.
  let authors: Set<NodeID>

  /// Makes the frames of changes.
  public init(_ changes: [OutgoingChange], in palette: PaletteID) {
    self.changes = changes
    let frames = changes.map { $0.encoded(in: palette) }
    self.frames = SharedFrames(frames)
    byteCount = frames.reduce(0) { $0 + UInt64($1.count) }
    authors = Set(changes.lazy.map(\.dot.node))
  }
}

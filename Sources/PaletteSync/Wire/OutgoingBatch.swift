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

  /// The same without the changes of some authors: mostly these are none, and all sessions share it.
  func without(_ barred: Set<NodeID>, in palette: PaletteID) -> OutgoingBatch {
    barred.isEmpty
      ? self : OutgoingBatch(changes.filter { !barred.contains($0.dot.node) }, in: palette)
  }
}

/// Frames that go to many sessions, so that whoever sends them makes messages of them once.
///
/// They have an identity: the same frames are the same object, wherever they are handed on to.
public final class SharedFrames: Hashable, Sendable {
  /// The frames, in the order in which they are sent.
  public let frames: [[UInt8]]

  init(_ frames: [[UInt8]]) {
    self.frames = frames
  }

  /// Returns whether both are the same frames, or look the same.
  public static func == (left: SharedFrames, right: SharedFrames) -> Bool {
    left === right || left.frames == right.frames
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(frames) }
}

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

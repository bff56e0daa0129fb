/// A frame that goes to many sessions, so that whoever sends it makes one message of it.
///
/// It has an identity: the same frame is the same object, wherever it was handed on to.
public final class SharedFrame: Hashable, Sendable {
  /// The frame.
  public let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Returns whether both are the same frame, or look the same.
  public static func == (left: SharedFrame, right: SharedFrame) -> Bool {
    left === right || left.bytes == right.bytes
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

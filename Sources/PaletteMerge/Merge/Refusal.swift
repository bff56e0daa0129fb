public import PaletteModel

/// The reason why a well-formed change is not taken.
public enum Refusal: Error, Hashable, Sendable {
  /// The author's previous change is not held yet: it comes first.
  case gap(held: UInt32)
  /// The change does not continue the author's changes that are held here.
  case fork
  /// A change with the same dot and other content is held.
  case equivocation
  /// The bytes are no change.
  case malformed(MalformedChange)
}

/// The reason why a whole snapshot is not taken.
public struct SnapshotRefusal: Hashable, Sendable {
  /// The reason for the refusal.
  public let reason: Refusal
  /// The change that it contradicts; nil when it is no snapshot at all.
  public let dot: Dot?

  /// Describes a refusal.
  public init(_ reason: Refusal, at dot: Dot?) {
    self.reason = reason
    self.dot = dot
  }
}

/// The facts that merging needs about a change whose value is live, beside the value.
public struct ChangeFacts: Hashable, Sendable {
  /// The author's clock.
  public let stamp: Stamp
  /// The hash of the change.
  public let hash: ChangeHash

  package init(stamp: Stamp, hash: ChangeHash) {
    self.stamp = stamp
    self.hash = hash
  }
}

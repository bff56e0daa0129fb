/// What merging needs to know of a change whose value is live, beside the value.
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

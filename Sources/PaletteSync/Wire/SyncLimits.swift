/// The amount that a session sends, or lets the peer send, at a time.
///
/// Both sides may have other limits: the peer's are stated by what it grants.
public struct SyncLimits: Hashable, Sendable {
  /// The most bytes that one snapshot part, or the changes of one frame, are packed to.
  public var payloadBytes: Int
  /// The credit that is granted at the start, and the least outstanding from then on.
  public var creditBytes: UInt64

  /// Creates limits; without arguments those of every node.
  public init(
    payloadBytes: Int = SyncProtocol.payloadBytes,
    creditBytes: UInt64 = SyncProtocol.creditBytes
  ) {
    self.payloadBytes = payloadBytes
    self.creditBytes = creditBytes
  }
}

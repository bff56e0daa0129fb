/// A palette's whole state without its history.
///
/// A node that is new, or that lacks changes which its peer has compacted away, takes one in a
/// single step.
public struct Snapshot: Hashable, Sendable {
  /// How far each author's changes are held, for all authors.
  public var frontier: Frontier
  /// The joined frontiers of all drops.
  public var dropped: [NodeID: UInt32]
  /// For each author, the highest sequence of a change that wrote registers.
  public var highestWrite: [NodeID: UInt32]
  /// What held changes said of dots that are not held.
  public var ahead: Set<PendingReference>
  /// Every change with a live value.
  public var rows: [Row]

  /// A change of which at least one value is live.
  public struct Row: Hashable, Sendable {
    /// The bytes of the change.
    public var bytes: [UInt8]
    /// The registers whose values are live, in ascending order.
    public var live: [Register]
    /// True when a delete saw the change.
    public var isCovered: Bool

    /// Creates a row.
    public init(bytes: [UInt8], live: [Register], isCovered: Bool) {
      self.bytes = bytes
      self.live = live
      self.isCovered = isCovered
    }
  }

  /// Creates a snapshot.
  public init(
    frontier: Frontier,
    dropped: [NodeID: UInt32],
    highestWrite: [NodeID: UInt32],
    ahead: Set<PendingReference>,
    rows: [Row]
  ) {
    self.frontier = frontier
    self.dropped = dropped
    self.highestWrite = highestWrite
    self.ahead = ahead
    self.rows = rows
  }
}

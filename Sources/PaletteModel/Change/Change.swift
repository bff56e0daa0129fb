/// One durable edit: an envelope, which merging needs, and a body, which holds the values.
public struct Change: Hashable, Sendable {
  /// The name of the change.
  public var dot: Dot
  /// The author's clock.
  public var stamp: Stamp
  /// The link of the author's previous change in the palette, zero for the first.
  public var previous: UInt64
  /// The record that the change is about.
  public var record: RecordID
  /// What the change does.
  public var kind: ChangeKind
  /// The registers written, in ascending order; empty for `delete` and `drop`.
  public var writes: [Write]
  /// The dots covered, in ascending order; empty except for `delete` and `drop`.
  public var covers: [Dot]
  /// For `drop`, what its author held, in ascending order of nodes.
  public var frontier: [Dot]

  /// The write of one register.
  public struct Write: Hashable, Sendable {
    /// The register.
    public var register: Register
    /// The dots of all live values that the write replaces, in ascending order.
    public var saw: [Dot]
    /// The value written.
    public var value: RegisterValue

    /// Creates a write.
    public init(_ register: Register, saw: [Dot] = [], value: RegisterValue) {
      self.register = register
      self.saw = saw
      self.value = value
    }
  }

  /// Creates a change from parts that are already in order.
  public init(
    dot: Dot,
    stamp: Stamp,
    previous: UInt64,
    record: RecordID,
    kind: ChangeKind,
    writes: [Write] = [],
    covers: [Dot] = [],
    frontier: [Dot] = []
  ) {
    self.dot = dot
    self.stamp = stamp
    self.previous = previous
    self.record = record
    self.kind = kind
    self.writes = writes
    self.covers = covers
    self.frontier = frontier
  }
}

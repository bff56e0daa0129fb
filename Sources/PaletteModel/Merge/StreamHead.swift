/// How far an author's changes are held in a palette: the highest sequence and that change's link.
public struct StreamHead: Hashable, Sendable {
  /// The highest sequence number held.
  public let sequence: UInt32
  /// The link of the change with that number.
  public let link: UInt64

  /// Creates a head.
  public init(sequence: UInt32, link: UInt64) {
    self.sequence = sequence
    self.link = link
  }
}

/// For one palette, how far every author's changes are held.
public typealias Frontier = [NodeID: StreamHead]

extension Frontier {
  /// True when the change named by the dot is held.
  public func holds(_ dot: Dot) -> Bool {
    (self[dot.node]?.sequence ?? 0) >= dot.sequence
  }
}

/// Something a held change said of a dot that is not held yet.
///
/// Nothing waits for it: when the dot arrives, its value is dead, or covered, at once.
public struct PendingReference: Hashable, Sendable {
  /// The record that the change was about.
  public let record: RecordID
  /// The dot that is not held.
  public let dot: Dot
  /// The register whose value was replaced; nil when the dot was covered.
  public let register: Register?

  /// Creates a pending reference.
  public init(record: RecordID, dot: Dot, register: Register?) {
    self.record = record
    self.dot = dot
    self.register = register
  }
}

public import PaletteModel

/// A palette's whole state without its history.
///
/// A node that is new, or that lacks changes which its peer has compacted away, takes one in a
/// single step.
public struct Snapshot: Hashable, Sendable {
  /// The frontier: the point up to which each author's changes are held, for all authors.
  public var frontier: Frontier
  /// The joined frontiers of all drops.
  public var dropped: [NodeID: UInt32]
  /// For each author, the highest sequence of a change that wrote registers.
  public var highestWrite: [NodeID: UInt32]
  /// The marks of held changes on dots that are not held.
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

  /// As far as drops reach, and never beyond what is held: nobody saw more.
  package var droppedDots: [Dot] {
    dropped.compactMap { node, sequence in
      frontier[node].map { Dot(node, Swift.min(sequence, $0.sequence)) }
    }
  }
}

/// The rules for the rows of a snapshot, which are the same however they travelled.
///
/// Each author's rows ascend and lie within the frontier, the one at its end is the change that the
/// frontier names, and each has live values, all of registers that its change writes.
package struct SnapshotRowCheck: Hashable, Sendable {
  /// The authors of the frontier, in ascending order.
  let authors: [NodeID]
  private let heads: [StreamHead]
  /// The last sequence number of each author.
  private var reached: [UInt32]
  /// The authors' numbers; made when a row names its author by id.
  private var numbers: [NodeID: Int] = [:]

  /// Begins with no row of a snapshot with this frontier.
  package init(_ frontier: Frontier) {
    let entries = frontier.sorted { $0.key < $1.key }
    authors = entries.map(\.key)
    heads = entries.map(\.value)
    reached = [UInt32](repeating: 0, count: entries.count)
  }

  /// Checks the next row.
  ///
  /// - Parameters:
  ///   - change: Its change, which is well-formed.
  ///   - link: The change's link.
  ///   - live: The registers whose values are live, in ascending order.
  /// - Throws: Which rule the row breaks.
  package mutating func add(
    _ change: Change,
    link: UInt64,
    live: [Register]
  ) throws(MalformedChange) {
    if numbers.isEmpty { numbers = Dictionary(uniqueKeysWithValues: zip(authors, 0...)) }
    guard let author = numbers[change.dot.node] else { throw .beyondFrontier }
    let written = change.writes.map(\.register)
    func unknown(_ registers: [Register]) -> [Register] { registers.filter { !$0.isPacked } }
    try add(
      author: author,
      change.dot.sequence,
      link: link,
      written: written.reduce(0) { $0 | $1.bit },
      live: live.reduce(0) { $0 | $1.bit },
      unknownWritten: unknown(written),
      unknownLive: unknown(live)
    )
  }

  /// Checks the next row, whose author and registers are numbers already.
  mutating func add(
    author: Int,
    _ sequence: UInt32,
    link: UInt64,
    written: UInt8,
    live: UInt8,
    unknownWritten: [Register],
    unknownLive: [Register]
  ) throws(MalformedChange) {
    let head = heads[author]
    guard sequence > reached[author], sequence <= head.sequence,
      sequence < head.sequence || link == head.link
    else { throw .beyondFrontier }
    reached[author] = sequence
    guard live & ~written == 0, live != 0 || !unknownLive.isEmpty else { throw .noLiveValue }
    guard !unknownLive.isEmpty else { return }
    guard zip(unknownLive, unknownLive.dropFirst()).allSatisfy({ $0 < $1 }),
      unknownLive.allSatisfy(unknownWritten.contains)
    else { throw .noLiveValue }
  }
}

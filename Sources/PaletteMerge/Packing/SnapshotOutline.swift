public import PaletteModel

/// The parts of a snapshot, without the bytes of its changes.
///
/// Changes never alter, so their bytes can be fetched piece by piece later, whatever is committed
/// meanwhile: the outline alone decides which state it is.
public struct SnapshotOutline: Hashable, Sendable {
  /// The frontier: the point up to which each author's changes are held, for all authors.
  public var frontier: Frontier
  /// The joined frontiers of all drops.
  public var dropped: [NodeID: UInt32]
  /// For each author, the highest sequence of a change that wrote registers.
  public var highestWrite: [NodeID: UInt32]
  /// The marks of held changes on dots that are not held.
  public var ahead: Set<PendingReference>
  /// Every change with a live value, each author's in ascending order.
  public var rows: [Row]
  /// The live registers that packed rows do not know, of the rows that have some.
  public var unknown: [Dot: [Register]]

  /// A change of which at least one value is live.
  public struct Row: Hashable, Sendable {
    /// The change.
    public let dot: Dot
    private let bits: UInt8

    /// Creates a row.
    ///
    /// - Parameters:
    ///   - dot: The change.
    ///   - live: A bit for each packed register whose value is live.
    ///   - isCovered: Whether a delete saw the change.
    package init(_ dot: Dot, live: UInt8, isCovered: Bool) {
      self.dot = dot
      bits = live | (isCovered ? 0x80 : 0)
    }

    /// True when a delete saw the change.
    public var isCovered: Bool { bits & 0x80 != 0 }

    /// A bit for each packed register whose value is live.
    package var live: UInt8 { bits & 0x0F }

    /// The packed registers whose values are live, in ascending order.
    package var registers: [Register] { Register.packed.filter { live & $0.bit != 0 } }
  }

  /// Creates an outline.
  public init(
    frontier: Frontier,
    dropped: [NodeID: UInt32],
    highestWrite: [NodeID: UInt32],
    ahead: Set<PendingReference>,
    rows: [Row] = [],
    unknown: [Dot: [Register]] = [:]
  ) {
    self.frontier = frontier
    self.dropped = dropped
    self.highestWrite = highestWrite
    self.ahead = ahead
    self.rows = rows
    self.unknown = unknown
  }

  /// The snapshot without its rows.
  package var head: Snapshot {
    Snapshot(
      frontier: frontier,
      dropped: dropped,
      highestWrite: highestWrite,
      ahead: ahead,
      rows: []
    )
  }
}

extension Register {
  /// The registers that packed rows have columns for, whatever else a version shows.
  ///
  /// They are a part of the protocol: a change that writes another register travels whole.
  package static let packed: [Register] = [.name, .color, .place, .note]

  /// A value for each register of `packed`, by its number.
  package typealias PerPacked<Value> = [4 of Value]

  /// True for a register that packed rows have a column for.
  @inlinable package var isPacked: Bool { rawValue < 4 }

  /// The register's bit in a set of packed registers; none for another register.
  @inlinable package var bit: UInt8 { isPacked ? 1 << UInt8(rawValue) : 0 }
}

extension Snapshot {
  /// The parts of the snapshot.
  ///
  /// - Throws: `MalformedChange` when a row is no change.
  package func outline(in palette: PaletteID) throws(MalformedChange) -> SnapshotOutline {
    var outline = SnapshotOutline(
      frontier: frontier,
      dropped: dropped,
      highestWrite: highestWrite,
      ahead: ahead
    )
    for row in rows {
      let dot = try Change(decoding: row.bytes, in: palette).dot
      let live = row.live.reduce(0) { $0 | $1.bit }
      outline.rows.append(.init(dot, live: live, isCovered: row.isCovered))
      let unknown = row.live.filter { !$0.isPacked }
      if !unknown.isEmpty { outline.unknown[dot] = unknown }
    }
    return outline
  }
}

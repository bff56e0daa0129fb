import PaletteMerge
package import PaletteModel

/// The history that a compaction removed.
public struct CompactionSummary: Hashable, Sendable {
  /// The number of changes that were looked at.
  public package(set) var changes = 0
  /// The number of them that were removed.
  public internal(set) var removed = 0
  /// The number of bytes the removed changes had.
  public internal(set) var removedBytes = 0

  /// Describes a compaction in which nothing was looked at.
  public init() {}

  /// Counts another compaction in.
  public mutating func add(_ other: Self) {
    changes += other.changes
    removed += other.removed
    removedBytes += other.removedBytes
  }
}

/// A wish to compact a palette.
package struct CompactionOrder: Sendable {
  /// The palette.
  package let palette: PaletteID
  /// Milliseconds since 1970 from which on all history stays.
  let horizon: Int64
  /// The time of the order.
  let now: Int64
  /// The number of the palette's arrivals by then: what comes before the plan is read is younger.
  let arrivals: Int64
  /// The number under which its plan holds; nil where nothing can happen before it is carried out.
  let number: Int?
}

/// The history of a palette that nobody needs, found in one state of the library and removed in steps.
///
/// Finding it means reading all of the log, which is done beside the thread that writes; removing it takes
/// some transactions, between which others have their turn. This is right, whatever is appended meanwhile:
///
/// - A change may go when none of its values is live and none was live since the horizon. An append, be it
///   an edit, a change of a peer, a delete or a drop, ends values or covers them, and nothing brings back
///   one that ended: what died before the horizon has died before it for good. So a change that may go once
///   may go after any number of appends; and as the rule names no other change, also after any removals.
/// - With the rows of a step goes all that a compaction does which finds only these: the floors rise above
///   them, what they covered is remembered where it is still held, and the past is known since the
///   horizon. So each step leaves a library that was compacted, only less than it could be.
///
/// Everything else that alters a log may give numbers in the plan to other changes, take them another
/// arrival, or make them needed: changes are issued again, a snapshot is merged, old history is fetched,
/// or another compaction removes the same. Each of those ends the plan, see `PlannedCompactions`, and what
/// is left has to be planned again. What may change without the log, the changes that an editor's peers
/// lack, is asked for in each step; and so is whether a value is live, which the rules above do not need.
package struct CompactionPlan: Sendable {
  /// A change that may go.
  struct Row: Sendable {
    let dot: Dot
    let record: RecordID
    let byteCount: Int
    /// The changes that it covered.
    let covers: [Dot]
  }

  /// The wish.
  package let order: CompactionOrder
  /// The arrival from which on changes are younger than the horizon.
  var bound: Int64 = 0
  /// The changes that are not removed yet.
  var rows: ArraySlice<Row> = []
  /// The numbers that stand for covered changes which are not held any more.
  var stale: [Int64] = []
  /// The actions of each undo stack that are not removed yet.
  var actions: [ClosedRange<Int64>] = []
  /// True if removals of snapshots before the horizon may be left.
  var hasRemovals = false
  /// The changes that were looked at, and those that were removed.
  package internal(set) var summary = CompactionSummary()

  /// Makes a plan that removes nothing.
  init(_ order: CompactionOrder) {
    self.order = order
  }

  /// True if nothing is left to be removed.
  package var isDone: Bool { rows.isEmpty && actions.isEmpty && !hasRemovals }
  /// The number of changes that are left to be removed.
  package var rowsLeft: Int { rows.count }
}

/// The most that one step of a compaction removes.
package struct CompactionLimit: Sendable {
  /// The number of changes, and of what else has rows.
  package var rows: Int
  /// The bytes of the changes, but for the last one.
  package var bytes: Int

  /// Creates a limit.
  package init(rows: Int, bytes: Int = .max) {
    self.rows = rows
    self.bytes = bytes
  }

  /// The limit of a step between which others have their turn.
  package static let step = Self(rows: 1_000, bytes: 1 << 20)
}

import PaletteMerge
import PaletteModel

/// The history that a compaction removed.
public struct CompactionSummary: Hashable, Sendable {
  /// The number of changes that were looked at.
  public internal(set) var changes = 0
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

/// Removes history of a palette that nobody needs.
struct Compaction {
  private let palette: PaletteWriter

  init(of palette: PaletteWriter) {
    self.palette = palette
  }

  /// Removes the changes that nothing needs to show the state since a time.
  ///
  /// - Parameters:
  ///   - bound: The arrival from which on changes are younger than that.
  ///   - horizon: The time, in milliseconds since 1970.
  ///   - sequences: For each own id, the number after which its changes stay.
  /// - Returns: What was removed.
  /// - Throws: `StoreError` when the store failed.
  func carryOut(
    beforeArrival bound: Int64,
    horizon: Int64,
    keeping sequences: [NodeID: UInt32]
  ) throws(StoreError) -> CompactionSummary {
    var rows: [HistoryRow] = []
    // What was fetched is here since then, however old it is; by a clock that ran ahead, nobody knows.
    let now = palette.nowMilliseconds
    let isFetchedLater =
      try HistoryMerge.milliseconds(of: palette.row, in: palette.database)
      .map { $0 > horizon && $0 <= now } ?? false
    try palette.reader.forEachChange(of: palette.id) { arrival, bytes throws(StoreError) in
      let arrival = arrival < 0 && isFetchedLater ? .max : arrival
      let change = try ChangeRow.decode(bytes, in: palette.id)
      let hash = ChangeHash(of: bytes, in: palette.id)
      rows.append(
        HistoryRow(change: change, hash: hash, arrival: arrival, byteCount: bytes.count)
      )
    }
    let hashes = Dictionary(uniqueKeysWithValues: rows.map { ($0.change.dot, $0.hash) })
    func isMeant(_ seen: SeenDot) -> Bool { hashes[seen.dot].map(seen.fits) ?? false }
    let live = try palette.reader.liveMarks(of: palette.row).values
    // The arrival by which a value was dead; what a removed change replaced was dead before it.
    var died: [ValueName: Int64] = [:]
    for row in rows {
      for mark in row.change.marks where isMeant(mark.seen) {
        died[mark.value] = min(died[mark.value] ?? .max, row.arrival)
      }
    }
    let removed = try RemovalTable.forget(
      beforeArrival: bound,
      of: palette.row,
      in: palette.database
    )
    // What died without a change that says so may have died when a snapshot came.
    let isPastKnown = palette.row.sinceMilliseconds ?? .min <= horizon
    var summary = CompactionSummary()
    summary.changes = rows.count
    let delete = try palette.database.prepare("DELETE FROM change WHERE id = ?1")
    var held = Set(rows.map(\.change.dot))
    var covered: Set<Dot> = []
    for row in rows where row.arrival < bound && row.change.kind != .drop {
      let isNeeded = row.change.writes.contains { write in
        let value = ValueName(
          record: row.change.record,
          dot: row.change.dot,
          register: write.register
        )
        return live.contains(value) || died[value].map { $0 >= bound } ?? !isPastKnown
      }
      guard !isNeeded, !removed.contains(row.change.record),
        row.change.dot.sequence <= sequences[row.change.dot.node] ?? .max,
        var stream = palette.streams[row.change.dot.node]
      else { continue }
      try delete.bind(stream.changeNumber(row.change.dot.sequence), at: 1)
      try delete.run()
      stream.floor = max(stream.floor, row.change.dot.sequence)
      palette.streams.update(stream)
      summary.removed += 1
      summary.removedBytes += row.byteCount
      held.remove(row.change.dot)
      covered.formUnion(row.change.covers.filter(isMeant).dots)
    }
    try ActionTable.shorten(in: palette.row, beforeMilliseconds: horizon, palette.database)
    guard summary.removed > 0 else { return summary }
    try CoveredBefore.insert(
      covered,
      holding: held,
      of: palette.row,
      palette.streams,
      in: palette.database
    )
    palette.draft.forgetPast(beforeMilliseconds: horizon)
    return summary
  }
}

/// A change with what its row adds to it.
private struct HistoryRow {
  let change: Change
  let hash: ChangeHash
  let arrival: Int64
  let byteCount: Int
}

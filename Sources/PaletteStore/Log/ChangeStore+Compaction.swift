internal import PaletteMerge
public import PaletteModel

extension ChangeStore {
  /// Removes history of a palette that nobody needs to show its state since a time.
  ///
  /// A change goes only when none of its values is live and none was live since the horizon, which
  /// counts the time of commit here, never stamps. Deletes go too, for their work is kept as covered
  /// bits; drops stay. Changes of this library's own stay too until every peer that takes them from
  /// an editor has stated to hold them: an editor cannot send a snapshot in their place.
  ///
  /// - Parameters:
  ///   - id: The palette.
  ///   - horizon: Milliseconds since 1970; the last two seconds count as now.
  /// - Returns: What was removed.
  /// - Throws: `StoreError` when the store failed, and then nothing was removed.
  public func compact(
    _ id: PaletteID,
    beforeMilliseconds horizon: Int64
  ) throws(StoreError) -> CompactionSummary {
    let now = nowMilliseconds
    let horizon = horizon >= now - 2_000 ? now : horizon
    return try write { transaction throws(StoreError) in
      guard let palette = try transaction.palette(id) else { return CompactionSummary() }
      let bound = try arrivals(in: palette.row, beforeMilliseconds: horizon, now: now)
      return try palette.compact(
        beforeArrival: bound,
        horizon: horizon,
        keeping: try sequencesToSend(in: palette)
      )
    }
  }

  /// For each id of this library, the number after which an editor's peers may lack its changes.
  private func sequencesToSend(in palette: PaletteWriter) throws(StoreError) -> [NodeID: UInt32] {
    // Whoever may send the state need not send the changes that lead to it.
    let urls = try peers.all().filter { peer in
      let trust = Trust.hub(peer.grants)
      return trust.letsOutChanges(of: palette.id) && !trust.letsOutState(of: palette.id)
    }.map(\.url)
    var sequences: [NodeID: UInt32] = [:]
    for node in identities { sequences[node] = .max }
    for url in urls {
      let held = try peers.stated(by: url, of: palette.id)
      for node in identities { sequences[node] = min(sequences[node] ?? 0, held[node] ?? 0) }
    }
    return sequences
  }

  /// The number of a palette's arrivals that were surely committed before a time.
  private func arrivals(
    in palette: PaletteRow,
    beforeMilliseconds horizon: Int64,
    now: Int64
  ) throws(StoreError) -> Int64 {
    if horizon >= now { return palette.arrivals }
    var moments: [(arrival: Int64, milliseconds: Int64)] = []
    let select = try database.prepare(
      "SELECT arrival, milliseconds FROM moment WHERE palette = ?1 ORDER BY arrival"
    )
    try select.bind(palette.number, at: 1)
    try select.rows { moments.append(($0.int64(0), $0.int64(1))) }
    var bound: Int64 = 0
    var latest = Int64.min
    for (index, moment) in moments.enumerated() {
      // A clock that ran ahead must not hold compaction up for years, one that fell back must not
      // make young history look old.
      if moment.milliseconds <= now { latest = max(latest, moment.milliseconds) }
      let next = index + 1 < moments.count ? moments[index + 1].arrival : palette.arrivals
      if latest <= horizon { bound = moment.arrival + 1 }
      if latest <= horizon - 60_000 { bound = next }
    }
    return bound
  }
}

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

extension PaletteWriter {
  fileprivate func compact(
    beforeArrival bound: Int64,
    horizon: Int64,
    keeping sequences: [NodeID: UInt32]
  ) throws(StoreError) -> CompactionSummary {
    var rows: [HistoryRow] = []
    // What was fetched is here since then, however old it is; by a clock that ran ahead, nobody knows.
    let now = store.nowMilliseconds
    let isFetchedLater = try fetchedMilliseconds().map { $0 > horizon && $0 <= now } ?? false
    try store.forEachChange(of: id) { arrival, bytes throws(StoreError) in
      let arrival = arrival < 0 && isFetchedLater ? .max : arrival
      let change = try store.decode(bytes, in: id)
      let hash = ChangeHash(of: bytes, in: id)
      rows.append(
        HistoryRow(change: change, hash: hash, arrival: arrival, byteCount: bytes.count)
      )
    }
    let hashes = Dictionary(uniqueKeysWithValues: rows.map { ($0.change.dot, $0.hash) })
    func isMeant(_ seen: SeenDot) -> Bool { hashes[seen.dot].map(seen.fits) ?? false }
    let live = try store.liveMarks(of: row).values
    // The arrival by which a value was dead; what a removed change replaced was dead before it.
    var died: [ValueName: Int64] = [:]
    for row in rows {
      for mark in row.change.marks where isMeant(mark.seen) {
        died[mark.value] = min(died[mark.value] ?? .max, row.arrival)
      }
    }
    let removed = try forgetRemovals(beforeArrival: bound)
    // What died without a change that says so may have died when a snapshot came.
    let isPastKnown = row.sinceMilliseconds ?? .min <= horizon
    var summary = CompactionSummary()
    summary.changes = rows.count
    let delete = try store.database.prepare("DELETE FROM change WHERE id = ?1")
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
        var stream = streams[row.change.dot.node]
      else { continue }
      try delete.bind(stream.changeNumber(row.change.dot.sequence), at: 1)
      try delete.run()
      stream.floor = max(stream.floor, row.change.dot.sequence)
      streams.update(stream)
      summary.removed += 1
      summary.removedBytes += row.byteCount
      held.remove(row.change.dot)
      covered.formUnion(row.change.covers.filter(isMeant).dots)
    }
    try UndoStack.shorten(in: self, beforeMilliseconds: horizon)
    guard summary.removed > 0 else { return summary }
    try rememberCovered(covered, holding: held)
    draft.forgetPast(beforeMilliseconds: horizon)
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

import PaletteMerge
import PaletteModel

extension PaletteReader {
  /// Finds the history of a palette that nobody needs to show its state since a time.
  package func planCompaction(_ order: CompactionOrder) throws(StoreError) -> CompactionPlan {
    var plan = CompactionPlan(order)
    guard let palette = try paletteRow(order.palette) else { return plan }
    let bound = min(
      order.arrivals,
      try arrivals(in: palette, beforeMilliseconds: order.horizon, now: order.now)
    )
    var rows: [HistoryRow] = []
    // What was fetched is here since then, however old it is; by a clock that ran ahead, nobody knows.
    let isFetchedLater =
      try HistoryMerge.milliseconds(of: palette, in: database)
      .map { $0 > order.horizon && $0 <= order.now } ?? false
    try forEachChange(of: palette.id) { arrival, bytes throws(StoreError) in
      let arrival = arrival < 0 && isFetchedLater ? .max : arrival
      let change = try ChangeRow.decode(bytes, in: palette.id)
      let hash = ChangeHash(of: bytes, in: palette.id)
      rows.append(
        HistoryRow(change: change, hash: hash, arrival: arrival, byteCount: bytes.count)
      )
    }
    let hashes = Dictionary(uniqueKeysWithValues: rows.map { ($0.change.dot, $0.hash) })
    func isMeant(_ seen: SeenDot) -> Bool { hashes[seen.dot].map(seen.fits) ?? false }
    let live = try liveMarks(of: palette).values
    // The arrival by which a value was dead; what a removed change replaced was dead before it.
    var died: [ValueName: Int64] = [:]
    for row in rows {
      for mark in row.change.marks where isMeant(mark.seen) {
        died[mark.value] = min(died[mark.value] ?? .max, row.arrival)
      }
    }
    let removed = try RemovalTable.records(removedFrom: bound, of: palette, in: database)
    // What died without a change that says so may have died when a snapshot came.
    let isPastKnown = palette.sinceMilliseconds ?? .min <= order.horizon
    var found: [CompactionPlan.Row] = []
    for row in rows where row.arrival < bound && row.change.kind != .drop {
      let isNeeded = row.change.writes.contains { write in
        let value = ValueName(
          record: row.change.record,
          dot: row.change.dot,
          register: write.register
        )
        return live.contains(value) || died[value].map { $0 >= bound } ?? !isPastKnown
      }
      guard !isNeeded, !removed.contains(row.change.record) else { continue }
      found.append(
        CompactionPlan.Row(
          dot: row.change.dot,
          record: row.change.record,
          byteCount: row.byteCount,
          covers: Array(row.change.covers.filter(isMeant).dots)
        )
      )
    }
    let streams = try streams(of: palette)
    let held = Set(rows.compactMap { streams.changeNumber($0.change.dot) })
    plan.bound = bound
    plan.rows = found[...]
    plan.stale = try CoveredBefore(of: palette, in: database).numbers.filter { !held.contains($0) }
    plan.actions = try ActionTable.overlong(
      in: palette,
      beforeMilliseconds: order.horizon,
      database
    )
    plan.hasRemovals = try RemovalTable.hasAny(beforeArrival: bound, of: palette, in: database)
    plan.summary.changes = rows.count
    return plan
  }
}

/// Removes history of a palette that nobody needs.
struct Compaction {
  private let palette: PaletteWriter

  init(of palette: PaletteWriter) {
    self.palette = palette
  }

  /// Carries out a plan as far as a limit lets it.
  ///
  /// - Parameters:
  ///   - plan: The plan, which is then what is left of it.
  ///   - limit: The limit.
  ///   - sequences: For each own id, the number after which its changes stay.
  /// - Throws: `StoreError` when the store failed.
  func carryOut(
    _ plan: inout CompactionPlan,
    atMost limit: CompactionLimit,
    keeping sequences: [NodeID: UInt32]
  ) throws(StoreError) {
    var left = limit.rows
    try removeChanges(&plan, &left, limit.bytes, keeping: sequences)
    guard plan.rows.isEmpty else { return }
    if plan.hasRemovals, left > 0 {
      left -= try RemovalTable.forget(
        beforeArrival: plan.bound,
        atMost: left,
        of: palette.row,
        in: palette.database
      )
      plan.hasRemovals = left == 0
    }
    while left > 0, let ids = plan.actions.last {
      left -= try ActionTable.forget(
        ids,
        beforeMilliseconds: plan.order.horizon,
        atMost: left,
        in: palette.database
      )
      if left > 0 { plan.actions.removeLast() }
    }
  }

  private func removeChanges(
    _ plan: inout CompactionPlan,
    _ left: inout Int,
    _ byteLimit: Int,
    keeping sequences: [NodeID: UInt32]
  ) throws(StoreError) {
    let delete = try palette.database.prepare("DELETE FROM change WHERE id = ?1")
    var gone: [Int64] = []
    var covered: [Dot] = []
    let start = plan.summary
    while left > 0, plan.summary.removedBytes - start.removedBytes < byteLimit,
      let row = plan.rows.popFirst()
    {
      left -= 1
      guard row.dot.sequence <= sequences[row.dot.node] ?? .max,
        var stream = palette.streams[row.dot.node],
        try !palette.state(of: row.record).values.contains(where: { $0.dot == row.dot })
      else { continue }
      let number = stream.changeNumber(row.dot.sequence)
      try delete.bind(number, at: 1)
      try delete.run()
      stream.floor = max(stream.floor, row.dot.sequence)
      palette.streams.update(stream)
      plan.summary.removed += 1
      plan.summary.removedBytes += row.byteCount
      gone.append(number)
      covered += row.covers
    }
    guard !gone.isEmpty else { return }
    var kept: Set<Int64> = []
    for dot in covered {
      guard let number = palette.streams.changeNumber(dot), !kept.contains(number),
        try palette.reader.changeBytes(dot, palette.streams) != nil
      else { continue }
      kept.insert(number)
    }
    try CoveredBefore.replace(gone + plan.stale, by: kept, of: palette.row, in: palette.database)
    plan.stale = []
    palette.draft.forgetPast(beforeMilliseconds: plan.order.horizon)
  }
}

/// A change with what its row adds to it.
private struct HistoryRow {
  let change: Change
  let hash: ChangeHash
  let arrival: Int64
  let byteCount: Int
}

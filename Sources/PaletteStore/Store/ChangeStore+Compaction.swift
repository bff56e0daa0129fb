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
    let order = try order(of: id, beforeMilliseconds: horizon, number: nil)
    return try write { transaction throws(StoreError) in
      guard let palette = try transaction.palette(id) else { return CompactionSummary() }
      palette.endCompaction()
      var plan = try planCompaction(order)
      try carryOut(&plan, in: palette, atMost: CompactionLimit(rows: .max))
      return plan.summary
    }
  }

  /// Begins compactions that are planned beside the thread that writes, and carried out in steps.
  ///
  /// - Parameters:
  ///   - palettes: The palettes.
  ///   - horizon: Milliseconds since 1970; the last two seconds count as now.
  /// - Returns: The orders, to be planned in a state of the library that is read from now on.
  /// - Throws: `StoreError` when the store cannot be read.
  package func beginCompactions(
    of palettes: some Sequence<PaletteID>,
    beforeMilliseconds horizon: Int64
  ) throws(StoreError) -> [CompactionOrder] {
    precondition(!hasUncommittedWrites, "whoever reads beside must see all that is written")
    precondition(!transactions.isLogged, "what others write into a cache ends no plan")
    var orders: [CompactionOrder] = []
    for palette in palettes {
      let number = parts.compactions.begin(palette)
      orders.append(try order(of: palette, beforeMilliseconds: horizon, number: number))
    }
    return orders
  }

  /// Carries out a part of a compaction in one transaction of its own.
  ///
  /// - Parameters:
  ///   - plan: The plan; it is what is left of it where the step was taken.
  ///   - limit: The most to remove.
  /// - Returns: Whether the plan still held; if not, nothing was removed.
  /// - Throws: `StoreError` when the store failed, and then nothing was removed.
  package func compact(
    _ plan: inout CompactionPlan,
    atMost limit: CompactionLimit = .step
  ) throws(StoreError) -> Bool {
    var left = plan
    let isTaken = try write { transaction throws(StoreError) in
      guard parts.compactions.holds(plan.order.number, of: plan.order.palette),
        let palette = try transaction.palette(plan.order.palette)
      else { return false }
      try carryOut(&left, in: palette, atMost: limit)
      return true
    }
    plan = left
    if isTaken, plan.isDone { parts.compactions.end(plan.order.palette) }
    return isTaken
  }

  private func order(
    of palette: PaletteID,
    beforeMilliseconds horizon: Int64,
    number: Int?
  ) throws(StoreError) -> CompactionOrder {
    let now = nowMilliseconds
    let horizon = horizon >= now - 2_000 ? now : horizon
    return CompactionOrder(
      palette: palette,
      horizon: horizon,
      now: now,
      arrivals: try paletteRow(palette)?.arrivals ?? 0,
      number: number
    )
  }

  private func carryOut(
    _ plan: inout CompactionPlan,
    in palette: PaletteWriter,
    atMost limit: CompactionLimit
  ) throws(StoreError) {
    let sequences = try sequencesToSend(in: palette)
    try Compaction(of: palette).carryOut(&plan, atMost: limit, keeping: sequences)
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
}

extension PaletteReader {
  /// The number of a palette's arrivals that were surely committed before a time.
  func arrivals(
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
    // A moment beyond the present was noted by a clock that ran ahead: what came then is as old as the next
    // moment that can be believed, so it neither looks older nor holds compaction up for years. A clock that
    // fell back must not make young history look old.
    for (index, moment) in moments.enumerated() where moment.milliseconds <= now {
      latest = max(latest, moment.milliseconds)
      let next = index + 1 < moments.count ? moments[index + 1].arrival : palette.arrivals
      if latest <= horizon { bound = moment.arrival + 1 }
      if latest <= horizon - 60_000 { bound = next }
    }
    return bound
  }
}

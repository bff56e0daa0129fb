import PaletteMerge
import PaletteModel

/// Issues changes of this library's authors again.
struct Reissuing {
  private let palette: PaletteWriter

  init(in palette: PaletteWriter) {
    self.palette = palette
  }

  /// Takes own changes back and issues them again, under new dots of their authors' present ids.
  ///
  /// What the changes do stays done: they go and come back in one step, with their own dots in what
  /// they saw renamed. So nothing that they replaced has to be known any more.
  ///
  /// - Returns: The new dot of each change that was issued again.
  func carryOut(_ plan: ReissuePlan, shift: StampShift?) throws(StoreError) -> [Dot: Dot] {
    palette.endCompaction()
    try withdraw(plan)
    var dots: [Dot: Dot] = [:]
    var actions = ReissuedActions(beside: plan.kept.map { ActionID(of: $0.change) })
    for row in plan.tail {
      var change = row.change
      // Each stays its author's own.
      let node = try palette.node(
        of: palette.parts.identity.ids.author(of: change.dot.node) ?? .library
      )
      let head = palette.streams[node]?.head
      change.dot = Dot(node, (head?.sequence ?? 0) + 1)
      change.previous = head?.link ?? 0
      try rename(&change, plan, dots)
      change.stamp = actions.rename(ActionID(of: row.change), by: node, shift).stamp
      dots[row.change.dot] = change.dot
      let bytes = change.encoded
      try palette.append(
        change,
        bytes: ChangeBytes(bytes),
        hash: ChangeHash(of: bytes, in: palette.id)
      )
    }
    try renameActions(plan, dots, actions)
    return dots
  }

  /// Removes changes with their live values.
  private func withdraw(_ plan: ReissuePlan) throws(StoreError) {
    for (id, rows) in Dictionary(grouping: plan.tail, by: \.change.record) {
      var record = try palette.records.record(id)
      for mark in plan.forgottenMarks(of: rows, record.state, in: palette.id) {
        try palette.insert(mark)
      }
      var values: [LiveValue] = []
      for value in record.state.values {
        guard plan.withdraws(value.dot) else {
          values.append(value)
          continue
        }
        let hash = try palette.facts(of: value.dot).hash
        palette.draft.subtract(Digest(hash, value.register, covered: value.isCovered))
      }
      record.state = RecordState(values: values)
      record.isChanged = true
      palette.records.put(record, for: id)
    }
    let delete = try palette.database.prepare("DELETE FROM change WHERE id = ?1")
    // They are no changes any more; what is needed of others is read again.
    palette.facts.removeAll()
    for row in plan.tail {
      guard let number = palette.streams.changeNumber(row.change.dot) else { continue }
      try delete.bind(number, at: 1)
      try delete.run()
    }
    let dots = Set(plan.tail.map(\.change.dot))
    // Others may come under their numbers.
    try CoveredBefore.remove(dots, of: palette.row, palette.streams, in: palette.database)
    for (node, cut) in plan.cuts { try stepBack(node, to: cut, plan) }
    for mark in plan.marks { try palette.insert(mark) }
  }

  /// Lets the log of a node id end earlier.
  private func stepBack(
    _ node: NodeID,
    to cut: Reissue.Cut,
    _ plan: ReissuePlan
  ) throws(StoreError) {
    guard var stream = palette.streams[node], let old = stream.head, old.sequence > cut.sequence
    else {
      return
    }
    let link = try self.link(of: Dot(node, cut.sequence), cut, plan)
    let highest = plan.kept.filter { $0.change.dot.node == node && $0.change.kind.writesRegisters }
      .map(\.change.dot.sequence).max()
    // Below the floor rows are missing: one of them may have been the highest write.
    let wrote = max(highest ?? 0, min(stream.floor, cut.sequence))
    palette.draft.subtract(Digest(node, old))
    stream.held = cut.sequence
    stream.link = link
    stream.cut(to: cut.sequence)
    stream.floor = min(stream.floor, cut.sequence)
    stream.wrote = min(stream.wrote, wrote)
    // What drops saw of it beyond that waits for the peers' changes.
    stream.dropped = min(stream.dropped, cut.sequence)
    if let head = stream.head { palette.draft.add(Digest(node, head)) }
    palette.streams.update(stream)
  }

  private func link(
    of dot: Dot,
    _ cut: Reissue.Cut,
    _ plan: ReissuePlan
  ) throws(StoreError) -> UInt64 {
    if dot.sequence == 0 { return 0 }
    if let bytes = try palette.reader.changeBytes(dot, palette.streams) {
      return ChangeHash(of: bytes, in: palette.id).link
    }
    let next = plan.tail.first {
      $0.change.dot.node == dot.node && $0.change.dot.sequence == dot.sequence + 1
    }
    if let link = next?.change.previous ?? cut.link { return link }
    throw StoreError(
      code: .failed,
      message: "history that is needed to issue changes again was compacted away"
    )
  }

  /// Lets the undo stacks name actions, and the changes in them, as they are called now.
  private func renameActions(
    _ plan: ReissuePlan,
    _ dots: [Dot: Dot],
    _ renamed: ReissuedActions
  ) throws(StoreError) {
    guard !dots.isEmpty else { return }
    for action in try ActionTable.actions(of: palette.row, in: palette.database) {
      let new = StoredAction(
        number: action.number,
        steps: action.steps.renamed(plan, dots),
        id: action.id.map { renamed[$0] ?? $0 }
      )
      if new != action { try ActionTable.replace(new, in: palette.database) }
    }
  }

  /// Lets a change name what was issued again by its new dots.
  ///
  /// What was compacted away has none, and lives nowhere, so that nothing need be said of it.
  private func rename(
    _ change: inout Change,
    _ plan: ReissuePlan,
    _ dots: [Dot: Dot]
  ) throws(StoreError) {
    for index in change.writes.indices {
      let saw = change.writes[index].saw.compactMap { plan.renamed($0, dots) }
      change.writes[index].saw = try palette.proven(saw, by: change.dot.node)
    }
    change.covers = try palette.proven(
      change.covers.compactMap { plan.renamed($0, dots) },
      by: change.dot.node
    )
    var reached: [NodeID: SeenDot] = [:]
    func join(_ seen: SeenDot) {
      if reached[seen.dot.node]?.dot.sequence ?? 0 < seen.dot.sequence {
        reached[seen.dot.node] = seen
      }
    }
    for seen in change.frontier {
      let dot = seen.dot
      guard plan.withdraws(dot) else {
        join(seen)
        continue
      }
      if let cut = plan.cuts[dot.node], cut.sequence > 0 {
        join(SeenDot(Dot(dot.node, cut.sequence)))
      }
      let issued = dots.filter { $0.key.node == dot.node && $0.key.sequence <= dot.sequence }
      if let last = issued.values.max() { join(SeenDot(last)) }
    }
    change.frontier = try palette.proven(Array(reached.values), by: change.dot.node)
  }
}

/// The names that actions get whose changes are issued again.
///
/// Each stays one action: under one node id no two get the same stamp, wherever they come from.
private struct ReissuedActions {
  private var used: Set<ActionID>
  private var renamed: [ActionID: ActionID] = [:]

  /// Begins beside actions that stay as they are.
  init(beside kept: [ActionID]) {
    used = Set(kept)
  }

  /// The new name of an action; nil for one that stays as it is.
  subscript(old: ActionID) -> ActionID? { renamed[old] }

  /// Gives an action its new name.
  mutating func rename(_ old: ActionID, by node: NodeID, _ shift: StampShift?) -> ActionID {
    if let known = renamed[old] { return known }
    var new = ActionID(shift?.applied(to: old.stamp) ?? old.stamp, by: node)
    while !used.insert(new).inserted { new = ActionID(new.stamp.next, by: node) }
    renamed[old] = new
    return new
  }
}

extension ReissuePlan {
  /// The mark of a change under the new dot, if there is one; nil if that was compacted away.
  fileprivate func renamed(_ seen: SeenDot, _ dots: [Dot: Dot]) -> SeenDot? {
    withdraws(seen.dot) ? dots[seen.dot].map { SeenDot($0) } : seen
  }
}

extension [UndoStep] {
  /// The steps with the additions that were issued again under their new dots.
  fileprivate func renamed(_ plan: ReissuePlan, _ dots: [Dot: Dot]) -> [UndoStep] {
    var steps: [UndoStep] = []
    for step in self {
      guard case .added(let node, let first, let last) = step, plan.withdraws(Dot(node, last))
      else {
        steps.append(step)
        continue
      }
      for sequence in first...last {
        let dot = Dot(node, sequence)
        guard let name = plan.withdraws(dot) ? dots[dot] : dot else { continue }
        steps.record(.added(name.node, first: name.sequence, last: name.sequence))
      }
    }
    return steps
  }
}

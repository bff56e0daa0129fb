public import PaletteMerge
public import PaletteModel

extension PaletteWriter {
  /// Merges a snapshot, as `PaletteState` does.
  ///
  /// What came before it is not known here afterwards, so the past can be read from now on only.
  ///
  /// - Returns: What became of it; where it was refused the transaction must not be committed.
  public func merge(_ snapshot: Snapshot) throws(StoreError) -> SnapshotOutcome {
    for (node, head) in snapshot.frontier {
      if let own = streams[node]?.head, own.sequence == head.sequence, own.link != head.link {
        return SnapshotOutcome(refused: SnapshotRefusal(.fork, at: Dot(node, head.sequence)))
      }
    }
    let frontier = streams.frontier
    let marks = try store.pendingReferences(of: row).union(snapshot.ahead)
    var theirs: [RecordID: RecordState] = [:]
    var check = SnapshotRowCheck(snapshot.frontier)
    for entry in snapshot.rows {
      if let refusal = try insert(entry, &check, into: &theirs) {
        return SnapshotOutcome(refused: refusal)
      }
    }
    var removals = SnapshotRemovals()
    var covered: Set<Dot> = []
    for record in Set(try store.recordIDs(of: row)).union(theirs.keys) {
      let frontiers = (ours: frontier, theirs: snapshot.frontier)
      covered.formUnion(try join(record, theirs[record], frontiers, marks, &removals))
    }
    try rememberCovered(covered)
    try join(snapshot)
    for mark in marks where mark.effect == .dropped && streams.holds(mark.dot) {
      if try proof(of: mark.dot) ?? mark.proof == mark.proof { drop(upTo: mark.dot) }
    }
    try replacePendingReferences(marks.filter { !streams.holds($0.dot) })
    return SnapshotOutcome(removed: removals.listed)
  }

  /// Takes a row into the log, unless it is there, and adds its live values to their record.
  private func insert(
    _ entry: Snapshot.Row,
    _ check: inout SnapshotRowCheck,
    into records: inout [RecordID: RecordState]
  ) throws(StoreError) -> SnapshotRefusal? {
    let change: Change
    let hash = ChangeHash(of: entry.bytes, in: row.id)
    do {
      change = try Change(decoding: entry.bytes, in: row.id)
      try check.add(change, link: hash.link, live: entry.live)
    } catch {
      return SnapshotRefusal(.malformed(error), at: nil)
    }
    var stream = try self.stream(of: change.dot.node)
    if let held = try store.changeBytes(change.dot, streams) {
      guard held == entry.bytes else { return SnapshotRefusal(.equivocation, at: change.dot) }
    } else {
      try entry.bytes.withUnsafeBufferPointer { (bytes) throws(StoreError) in
        try insert(change.dot, stream, UnsafeRawBufferPointer(bytes))
      }
      stream.insert(change.stamp)
      streams.update(stream)
    }
    facts.put(ChangeFacts(stamp: change.stamp, hash: hash), for: change.dot)
    for write in change.writes where entry.live.contains(write.register) {
      records[change.record, default: RecordState()].insert(
        LiveValue(
          register: write.register,
          dot: change.dot,
          isCovered: entry.isCovered,
          value: write.value
        )
      )
      if write.register == .place { draft.raiseBound(to: write.value) }
    }
    return nil
  }

  /// Joins a record.
  ///
  /// - Returns: The changes of which it is new that they are covered.
  private func join(
    _ id: RecordID,
    _ theirs: RecordState?,
    _ frontiers: (ours: Frontier, theirs: Frontier),
    _ marks: Set<PendingReference>,
    _ removals: inout SnapshotRemovals
  ) throws(StoreError) -> Set<Dot> {
    var record = try records.record(id, in: self)
    let joined = try RecordState(
      joining: record.state,
      theirs ?? RecordState(),
      record: id,
      frontiers: frontiers,
      marks: marks,
      facts: { dot throws(StoreError) in try facts(of: dot) }
    )
    guard joined != record.state else { return [] }
    try removals.record(id, record.state, leaving: joined, in: self)
    endPast()
    for value in record.state.values {
      let hash = try facts(of: value.dot).hash
      draft.subtract(Digest(hash, value.register, covered: value.isCovered))
    }
    for value in joined.values {
      let hash = try facts(of: value.dot).hash
      draft.add(Digest(hash, value.register, covered: value.isCovered))
    }
    let wereCovered = record.state.values.filter(\.isCovered).map(\.dot)
    record.state = joined
    record.isChanged = true
    records.put(record, for: id)
    return Set(joined.values.filter(\.isCovered).map(\.dot)).subtracting(wereCovered)
  }

  /// Joins what the snapshot says of authors.
  func join(_ snapshot: Snapshot) throws(StoreError) {
    let nodes = Set(snapshot.frontier.keys).union(snapshot.highestWrite.keys)
    for node in nodes {
      var stream = try self.stream(of: node)
      if let head = snapshot.frontier[node], head.sequence > stream.held {
        try store.identity.abandonNodeID(from: node)
        if let old = stream.head { draft.subtract(Digest(node, old)) }
        draft.add(Digest(node, head))
        stream.held = head.sequence
        stream.link = head.link
        stream.floor = head.sequence
        // Changes that come later may be older than those that are missing.
        stream.cut(to: 0)
        endPast()
      }
      stream.wrote = max(stream.wrote, snapshot.highestWrite[node] ?? 0)
      streams.update(stream)
    }
    for dot in snapshot.droppedDots where dot.sequence > streams[dot.node]?.dropped ?? 0 {
      endPast()
      drop(upTo: dot)
    }
  }

  /// Says that the past is known from now on only: when and by which change something was replaced,
  /// covered or dropped is not among the changes that are held.
  private func endPast() {
    draft.forgetPast(beforeMilliseconds: store.clock.nowMilliseconds)
  }

  private func replacePendingReferences(_ marks: Set<PendingReference>) throws(StoreError) {
    try references.removeAll(in: row)
    for mark in marks { try insert(mark) }
  }
}

extension ChangeStore {
  /// Merges a snapshot of a palette in one durable step.
  ///
  /// - Returns: What became of it; of one that was refused nothing was kept.
  public func merge(_ snapshot: Snapshot, into id: PaletteID) throws(StoreError) -> SnapshotOutcome
  {
    try mergeSnapshot(into: id) { palette throws(StoreError) in try palette.merge(snapshot) }
  }

  /// Merges a snapshot that came packed in one durable step.
  ///
  /// - Returns: What became of it; of one that was refused nothing was kept.
  public func merge(_ staged: StagedSnapshot, into id: PaletteID) throws(StoreError)
    -> SnapshotOutcome
  {
    try mergeSnapshot(into: id) { palette throws(StoreError) in try palette.merge(staged) }
  }

  private func mergeSnapshot(
    into id: PaletteID,
    _ merge: (PaletteWriter) throws(StoreError) -> SnapshotOutcome
  ) throws(StoreError) -> SnapshotOutcome {
    var outcome = SnapshotOutcome()
    do throws(StoreError) {
      try write { transaction throws(StoreError) in
        outcome = try merge(transaction.palette(beginning: id))
        guard outcome.refusal == nil else {
          throw StoreError(code: .failed, message: "the snapshot was refused")
        }
      }
    } catch {
      guard outcome.refusal != nil else { throw error }
    }
    return outcome
  }
}

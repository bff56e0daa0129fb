package import PaletteMerge
internal import PaletteModel

/// Merges a snapshot into a palette.
package struct SnapshotMerge {
  private let palette: PaletteWriter

  package init(into palette: PaletteWriter) {
    self.palette = palette
  }

  /// Merges a snapshot, as `PaletteState` does.
  ///
  /// The history before it is not known here afterwards: the past begins with this merge.
  ///
  /// - Returns: What became of it; where it was refused the transaction must not be committed.
  package func merge(_ snapshot: Snapshot) throws(StoreError) -> SnapshotOutcome {
    for (node, head) in snapshot.frontier {
      if let own = palette.streams[node]?.head, own.sequence == head.sequence, own.link != head.link
      {
        return SnapshotOutcome(refused: SnapshotRefusal(.fork, at: Dot(node, head.sequence)))
      }
    }
    palette.endCompaction()
    let frontier = palette.streams.frontier
    let marks = try ReferenceTable.all(of: palette.row, in: palette.database).union(snapshot.ahead)
    var theirs: [RecordID: RecordState] = [:]
    var check = SnapshotRowCheck(snapshot.frontier)
    for entry in snapshot.rows {
      if let refusal = try insert(entry, &check, into: &theirs) {
        return SnapshotOutcome(refused: refusal)
      }
    }
    var removals = SnapshotRemovals()
    var covered: Set<Dot> = []
    for record in Set(try palette.reader.recordIDs(of: palette.row)).union(theirs.keys) {
      let frontiers = (ours: frontier, theirs: snapshot.frontier)
      covered.formUnion(try join(record, theirs[record], frontiers, marks, &removals))
    }
    try rememberCovered(covered)
    try join(snapshot)
    for mark in marks where mark.effect == .dropped && palette.streams.holds(mark.dot) {
      if try palette.proof(of: mark.dot) ?? mark.proof == mark.proof {
        palette.drop(upTo: mark.dot)
      }
    }
    try replacePendingReferences(marks.filter { !palette.streams.holds($0.dot) })
    return SnapshotOutcome(removed: removals.listed)
  }

  /// Takes a row into the log, unless it is there, and adds its live values to their record.
  private func insert(
    _ entry: Snapshot.Row,
    _ check: inout SnapshotRowCheck,
    into records: inout [RecordID: RecordState]
  ) throws(StoreError) -> SnapshotRefusal? {
    let change: Change
    let hash = ChangeHash(of: entry.bytes, in: palette.row.id)
    do {
      change = try Change(decoding: entry.bytes, in: palette.row.id)
      try check.add(change, link: hash.link, live: entry.live)
    } catch {
      return SnapshotRefusal(.malformed(error), at: nil)
    }
    var stream = try palette.stream(of: change.dot.node)
    if let held = try palette.reader.changeBytes(change.dot, palette.streams) {
      guard held == entry.bytes else { return SnapshotRefusal(.equivocation, at: change.dot) }
    } else {
      try entry.bytes.withUnsafeBufferPointer { (bytes) throws(StoreError) in
        try palette.insert(change.dot, stream, UnsafeRawBufferPointer(bytes))
      }
      stream.insert(change.stamp)
      palette.streams.update(stream)
    }
    palette.facts.put(ChangeFacts(stamp: change.stamp, hash: hash), for: change.dot)
    for write in change.writes where entry.live.contains(write.register) {
      records[change.record, default: RecordState()].insert(
        LiveValue(
          register: write.register,
          dot: change.dot,
          isCovered: entry.isCovered,
          value: write.value
        )
      )
      if write.register == .place { palette.draft.raiseBound(to: write.value) }
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
    var record = try palette.records.record(id)
    let joined = try RecordState(
      joining: record.state,
      theirs ?? RecordState(),
      record: id,
      frontiers: frontiers,
      marks: marks,
      facts: { dot throws(StoreError) in try palette.facts(of: dot) }
    )
    guard joined != record.state else { return [] }
    try removals.record(id, record.state, leaving: joined, in: palette)
    endPast()
    for value in record.state.values {
      let hash = try palette.facts(of: value.dot).hash
      palette.draft.subtract(Digest(hash, value.register, covered: value.isCovered))
    }
    for value in joined.values {
      let hash = try palette.facts(of: value.dot).hash
      palette.draft.add(Digest(hash, value.register, covered: value.isCovered))
    }
    let wereCovered = record.state.values.filter(\.isCovered).map(\.dot)
    record.state = joined
    record.isChanged = true
    palette.records.put(record, for: id)
    return Set(joined.values.filter(\.isCovered).map(\.dot)).subtracting(wereCovered)
  }

  /// Joins what the snapshot says of authors.
  func join(_ snapshot: Snapshot) throws(StoreError) {
    let nodes = Set(snapshot.frontier.keys).union(snapshot.highestWrite.keys)
    for node in nodes {
      var stream = try palette.stream(of: node)
      if let head = snapshot.frontier[node], head.sequence > stream.held {
        try palette.parts.identity.abandonNodeID(from: node)
        if let old = stream.head { palette.draft.subtract(Digest(node, old)) }
        palette.draft.add(Digest(node, head))
        stream.held = head.sequence
        stream.link = head.link
        stream.floor = head.sequence
        // Changes that come later may be older than those that are missing.
        stream.cut(to: 0)
        endPast()
      }
      stream.wrote = max(stream.wrote, snapshot.highestWrite[node] ?? 0)
      palette.streams.update(stream)
    }
    for dot in snapshot.droppedDots where dot.sequence > palette.streams[dot.node]?.dropped ?? 0 {
      endPast()
      palette.drop(upTo: dot)
    }
  }

  /// Says that the past is known from now on only: when and by which change something was replaced,
  /// covered or dropped is not among the changes that are held.
  private func endPast() {
    palette.draft.forgetPast(beforeMilliseconds: palette.nowMilliseconds)
  }

  private func replacePendingReferences(_ marks: Set<PendingReference>) throws(StoreError) {
    try palette.references.removeAll(in: palette.row)
    for mark in marks { try palette.insert(mark) }
  }

  /// Merges a snapshot that came packed.
  ///
  /// - Returns: What became of it; where it was refused the transaction must not be committed.
  package func merge(_ staged: StagedSnapshot) throws(StoreError) -> SnapshotOutcome {
    guard palette.holdsNothing else { return try merge(Snapshot(staged)) }
    try join(staged.head)
    try palette.insertMoment()
    var loader = RowLoader(staged.changes, in: palette.records.table, palette.facts)
    try loader.insertChanges()
    try loader.insertRecords()
    var newest = [UInt64](repeating: 0, count: staged.changes.authors.count)
    for row in staged.changes.rows {
      newest[Int(row.author)] = max(newest[Int(row.author)], row.stamp.rawValue)
    }
    for (node, stamp) in zip(staged.changes.authors, newest) {
      guard var stream = palette.streams[node] else { continue }
      stream.insert(Stamp(rawValue: stamp))
      palette.streams.update(stream)
    }
    try rememberCovered(staged.changes.rows.filter(\.isCovered).map(staged.changes.dot(of:)))
    for mark in staged.head.ahead where !palette.streams.holds(mark.dot) {
      try palette.insert(mark)
    }
    palette.rebuilt()
    return SnapshotOutcome()
  }

  private func rememberCovered(_ dots: some Sequence<Dot>) throws(StoreError) {
    try CoveredBefore.insert(dots, of: palette.row, palette.streams, in: palette.database)
  }
}

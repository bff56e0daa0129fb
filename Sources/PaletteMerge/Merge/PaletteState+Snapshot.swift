internal import PaletteModel

extension PaletteState {
  /// The state without its history.
  public var snapshot: Snapshot {
    var live: [Dot: (registers: [Register], isCovered: Bool)] = [:]
    for value in records.values.flatMap(\.values) {
      live[value.dot, default: ([], value.isCovered)].registers.append(value.register)
    }
    let rows = live.sorted { $0.key < $1.key }.map { dot, entry in
      Snapshot.Row(
        bytes: log[dot] ?? [],
        live: entry.registers.sorted(),
        isCovered: entry.isCovered
      )
    }
    return Snapshot(
      frontier: frontier,
      dropped: dropped,
      highestWrite: highestWrite,
      ahead: Set(ahead.values.joined()),
      rows: rows
    )
  }

  /// Merges a snapshot: the result is what merging all the changes behind it would give.
  ///
  /// A live value that only one side has stays if the other side neither holds its dot nor has seen
  /// it replaced; covered bits and drops join.
  ///
  /// - Throws: `Refusal` when a row is no change, or the snapshot contradicts what is held; the
  ///   state is as before.
  public mutating func merge(_ snapshot: Snapshot) throws(Refusal) {
    for (node, head) in snapshot.frontier {
      if let own = frontier[node], own.sequence == head.sequence, own.link != head.link {
        throw .fork
      }
    }
    var merged = self
    let theirs = try merged.insert(snapshot)
    let marks = snapshot.ahead.union(ahead.values.joined())
    merged.records = joined(theirs, snapshot, marks: marks, facts: merged.facts)
    merged.dropped.join(snapshot.droppedDots)
    merged.highestWrite.join(snapshot.highestWrite.map { Dot($0.key, $0.value) })
    for (node, head) in snapshot.frontier where head.sequence > frontier[node]?.sequence ?? 0 {
      merged.frontier[node] = head
    }
    for mark in marks where mark.effect == .dropped && merged.frontier.holds(mark.dot) {
      if merged.proof(of: mark.dot) ?? mark.proof == mark.proof { merged.dropped.join([mark.dot]) }
    }
    merged.ahead = Dictionary(grouping: marks.filter { !merged.frontier.holds($0.dot) }, by: \.dot)
      .mapValues { Set($0) }
    merged.digest = merged.computedDigest
    self = merged
  }

  /// The digest, from nothing: what `digest` always equals.
  public var computedDigest: Digest {
    var digest = Digest.zero
    for (node, head) in frontier { digest += Digest(node, head) }
    for value in records.values.flatMap(\.values) {
      digest += Digest(fact(of: value.dot).hash, value.register, covered: value.isCovered)
    }
    return digest
  }

  /// Takes the rows into the log and gives their live values by record.
  private mutating func insert(
    _ snapshot: Snapshot
  ) throws(Refusal) -> [RecordID: RecordState] {
    var records: [RecordID: RecordState] = [:]
    var check = SnapshotRowCheck(snapshot.frontier)
    for row in snapshot.rows {
      let change: Change
      let hash = ChangeHash(of: row.bytes, in: palette)
      do {
        change = try Change(decoding: row.bytes, in: palette)
        try check.add(change, link: hash.link, live: row.live)
      } catch {
        throw .malformed(error)
      }
      if let known = facts[change.dot]?.hash, known != hash { throw .equivocation }
      log[change.dot] = row.bytes
      facts[change.dot] = ChangeFacts(stamp: change.stamp, hash: hash)
      for write in change.writes where row.live.contains(write.register) {
        records[change.record, default: RecordState()].insert(
          LiveValue(
            register: write.register,
            dot: change.dot,
            isCovered: row.isCovered,
            value: write.value
          )
        )
      }
    }
    return records
  }

  private func joined(
    _ theirs: [RecordID: RecordState],
    _ snapshot: Snapshot,
    marks: Set<PendingReference>,
    facts: [Dot: ChangeFacts]
  ) -> [RecordID: RecordState] {
    var result: [RecordID: RecordState] = [:]
    for record in Set(records.keys).union(theirs.keys) {
      let joined = RecordState(
        joining: records[record] ?? RecordState(),
        theirs[record] ?? RecordState(),
        record: record,
        frontiers: (frontier, snapshot.frontier),
        marks: marks,
        facts: { dot in
          guard let known = facts[dot] else { preconditionFailure("\(dot) is live and has no row") }
          return known
        }
      )
      result[record] = joined.values.isEmpty ? nil : joined
    }
    return result
  }
}

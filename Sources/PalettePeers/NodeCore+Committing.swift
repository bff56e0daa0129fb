internal import PaletteMerge
internal import PaletteModel
package import PaletteStore
internal import PaletteSync

extension NodeCore {
  /// Merges what arrived since, in one transaction, and tells everyone.
  ///
  /// The shell calls it when no more frames wait to be read, so that many changes share one commit,
  /// and again after `nextFlushMilliseconds`.
  package func flush() -> [NodeEffect] { flush(with: {}).effects }

  /// The same, together with edits that people make at this node.
  ///
  /// - Parameters:
  ///   - edits: Writes to the store, each of which may fail for itself.
  ///   - meanwhile: What can be done while the disk writes, as `ChangeStore.group` says.
  /// - Returns: What to do, and why nothing of it is durable if that failed. Before this returns,
  ///   nobody may be told that an edit is done.
  package func flush(
    with edits: () -> Void,
    meanwhile: @escaping () -> Void = {}
  ) -> (effects: [NodeEffect], failure: StoreError?) {
    let waiting = turns.beginTurn(at: store.nowMilliseconds) { [time, connections] id in
      connections[id]?.mergePayer.map(time.isHeldBack) ?? false
    }
    let snapshots = turns.removeSnapshots()
    workload = Workload()
    for entry in waiting { count(entry.work.count, from: entry.session) }
    for snapshot in snapshots { count(snapshot.weight, from: snapshot.connection) }
    defer { turns.endTurn() }
    var outcomes: [(ArrivedSnapshot, SnapshotOutcome)] = []
    var results: [(connection: PeerConnectionID, merged: [MergedChanges])] = []
    var failure: StoreError?
    let stated = statements.all
    do throws(StoreError) {
      try store.group(
        {
          // Changes that came behind a snapshot go on from it.
          outcomes = merge(snapshots)
          results = merge(waiting)
          edits()
          // What peers said goes along with a commit that is made anyway.
          if store.hasUncommittedWrites { writeStatements() }
        },
        meanwhile: meanwhile
      )
    } catch {
      failure = error
      refuse(snapshots.map(\.connection) + waiting.map(\.session), error)
      (outcomes, results) = ([], [])
      // What went along is not written either, and peers do not say it twice.
      for statement in stated { statements.add(statement, at: store.nowMilliseconds) }
    }
    orBeginAnew {
      for (connection, merged) in results where connections.count > 1 {
        let accepted = merged.lazy.flatMap(\.results).filter { $0.refusal == nil }
        let first = Set(accepted.filter { $0.dot.sequence == 1 }.map(\.dot.node))
        if !first.isEmpty { try tellFirst(first, from: connection) }
      }
      try broadcast()
      for (connection, merged) in results {
        for part in merged {
          let held = part.results.lazy.filter { $0.refusal == nil }.map(\.dot)
          connections[connection]?.keep(received: held, part.palette)
        }
      }
      for (snapshot, outcome) in outcomes { try finish(snapshot, outcome) }
      for (connection, merged) in results { try pass(.merged(merged), to: connection) }
      if failure == nil { try charge(waiting) }
      chargeRememberedEdits()
      try pushOn()
      try heal()
    }
    return (removeEffects(), failure)
  }

  /// Counts changes that the next commit is about.
  private func count(_ changes: Int, from connection: PeerConnectionID) {
    guard let payer = connections[connection]?.mergePayer else { return }
    workload.shares[payer, default: 0] += changes
  }

  /// Counts all that members sent; changes that were already held are hardly ever sent again.
  private func charge(_ waiting: [(session: PeerConnectionID, work: Arrivals)]) throws {
    for entry in waiting {
      guard let member = connections[entry.session]?.member else { continue }
      try charge(entry.work.byteCount, to: member.id)
    }
  }

  /// True if a connection has more to push.
  package var isPushing: Bool { turns.isPushing }

  /// The time that the shell may wait before it flushes again; nil when nothing waits.
  package var nextFlushMilliseconds: Int64? {
    turns.delayMilliseconds(at: store.nowMilliseconds)
  }

  /// Continues pushing to connections that had more than one turn allows.
  ///
  /// Those who had their share of the loop's time come last, and who finds no time left comes first the
  /// next time.
  private func pushOn() throws {
    let pushing = turns.removePushing()
    let isOver = pushing.map { time.isOver(payer(of: $0)) }
    let order =
      zip(pushing, isOver).filter { !$1 }.map(\.0) + zip(pushing, isOver).filter { $1 }.map(\.0)
    let start = time.microseconds
    for (index, connection) in order.enumerated() {
      let payer = payer(of: connection)
      let isOver = time.isOver(payer)
      let limit = isOver ? Self.pushMicroseconds.rest : Self.pushMicroseconds.usual
      guard index == 0 || time.microseconds - start < limit, !(isOver && time.isNeeded) else {
        return turns.pushFirst(order[index...])
      }
      try time.spend(for: payer) { try pass(.pushDue, to: connection) }
    }
  }

  /// The time that connections push on before something else is done: usually, and those who had
  /// their share.
  private static let pushMicroseconds: (usual: Int64, rest: Int64) = (20_000, 5_000)

  private func merge(
    _ waiting: [(session: PeerConnectionID, work: Arrivals)]
  ) -> [(connection: PeerConnectionID, merged: [MergedChanges])] {
    guard !waiting.isEmpty else { return [] }
    do throws(StoreError) {
      return try store.write { transaction throws(StoreError) in
        var parts: [PaletteID: [ArrivedChanges]] = [:]
        for part in waiting.lazy.flatMap(\.work.parts) {
          parts[part.palette, default: []].append(part)
        }
        var arrivals: [PaletteID: ArraySlice<Arrival>] = [:]
        for (id, parts) in parts.sorted(by: { $0.key < $1.key }) {
          arrivals[id] = try transaction.palette(beginning: id).merge(parts)[...]
        }
        return waiting.map { session, work in
          let merged = work.parts.map { part in
            let own = arrivals[part.palette]?.prefix(part.count) ?? []
            arrivals[part.palette]?.removeFirst(own.count)
            let results = zip(part.dots, own).map { MergeResult($0, $1) }
            return MergedChanges(palette: part.palette, results: results)
          }
          return (session, merged)
        }
      }
    } catch {
      refuse(waiting.map(\.session), error)
      return []
    }
  }

  /// Merges snapshots, each for itself: one that is refused leaves nothing and stops no other.
  private func merge(
    _ snapshots: [ArrivedSnapshot]
  ) -> [(ArrivedSnapshot, SnapshotOutcome)] {
    var merged: [(ArrivedSnapshot, SnapshotOutcome)] = []
    for snapshot in snapshots {
      do throws(StoreError) {
        merged.append((snapshot, try snapshot.merge(into: store)))
      } catch {
        refuse([snapshot.connection], error)
      }
    }
    return merged
  }

  /// Tells of a snapshot that is durable, or was refused.
  private func finish(_ snapshot: ArrivedSnapshot, _ outcome: SnapshotOutcome) throws {
    let (palette, connection) = (snapshot.palette, snapshot.connection)
    if outcome.removed > 0 {
      let text =
        "a snapshot of \(palette) from \(who(connection)) removed \(outcome.removed) of what was listed"
      emit(.log(isProblem: true, text + "; 'hued restore' brings it back"))
    }
    if outcome.refusal == nil {
      offering.add(palette)
      let dots = snapshot.frontier.map { Dot($0.key, $0.value.sequence) }
      connections[connection]?.keep(received: dots, palette)
      for other in connections.concerning(palette) where other != connection {
        try pass(.rebuilt(palette), to: other)
      }
    }
    try pass(.mergedSnapshot(palette, outcome.refused), to: connection)
  }

  /// Drops the connections whose changes could not be stored: only durable changes are acknowledged.
  private func refuse(_ senders: [PeerConnectionID], _ error: StoreError) {
    guard !senders.isEmpty else { return }
    report("received changes could not be stored", error)
    for connection in Set(senders) where connections[connection] != nil {
      drop(connection, 1013, "storage: \(error.code.rawValue)")
    }
  }

  /// Writes what peers said they hold; where that fails, it is tried again with the next commit.
  @discardableResult
  package func writeStatements() -> Bool {
    let waiting = statements.beginWriting()
    guard !waiting.isEmpty else { return true }
    do throws(StoreError) {
      try store.peers.record(waiting)
      statements.removeAll()
      return true
    } catch {
      report("what peers hold could not be noted", error)
      return false
    }
  }

  /// Drops peers that may hold less than is recorded, so that they do not count as caught up.
  func dropUnwritten() {
    let urls = Set(statements.all.filter(\.isWhole).map(\.url))
    for (id, connection) in connections.all {
      if let url = connection.url, urls.contains(url) { drop(id, 1013, "storage") }
    }
  }
}

extension MergeResult {
  /// The outcome of a change, for the session that it came from.
  fileprivate init(_ dot: Dot, _ arrival: Arrival) {
    self.init(dot: dot)
    if case .refused(let refusal) = arrival { self.refusal = refusal }
  }
}

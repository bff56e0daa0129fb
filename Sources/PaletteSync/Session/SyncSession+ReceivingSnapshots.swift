import PaletteModel

/// A snapshot of which some parts have arrived.
struct IncomingSnapshot: Hashable {
  var bytes: [UInt8] = []
  var nextIndex: UInt64 = 0
  /// What its sender holds; known when all of it is here.
  var frontier: Frontier = [:]

  mutating func append(_ part: [UInt8]) {
    bytes += part
    nextIndex += 1
  }
}

extension SyncSession {
  mutating func take(
    _ palette: PaletteID,
    snapshotPart bytes: [UInt8],
    _ index: UInt64,
    _ isLast: Bool,
    _ actions: inout [SyncAction]
  ) {
    guard trust.letsInState(of: palette) else {
      return fail("a snapshot from someone who may not send one", &actions)
    }
    if index == 0 { incoming[palette] = nil }
    guard index == incoming[palette]?.nextIndex ?? 0 else {
      return fail("a snapshot part is missing", &actions)
    }
    guard hasRoom(forSnapshotBytes: bytes.count) else {
      return fail("the snapshot is too large", &actions)
    }
    if index == 0 { ackedSince[palette] = [:] }
    // In place: what has come so far may be large.
    incoming[palette, default: IncomingSnapshot()].append(bytes)
    guard isLast else { return grantCredit(&actions) }
    do {
      let whole = try Snapshot(decoding: incoming[palette]?.bytes ?? [])
      incoming[palette]?.bytes = []
      incoming[palette]?.frontier = whole.frontier
      actions.append(.mergeSnapshot(palette, whole))
    } catch {
      fail("\(error)", &actions)
    }
  }

  /// Whether as much more may be held of unfinished snapshots, of all palettes together.
  private func hasRoom(forSnapshotBytes count: Int) -> Bool {
    let plain = incoming.values.reduce(0) { $0 + $1.bytes.count }
    let packed = pulls.values.reduce(0) { $0 + $1.byteCount }
    return plain + packed + count <= SyncProtocol.snapshotBytes
      && incoming.count + pulls.count <= SyncProtocol.unfinishedSnapshots
  }

  mutating func take(
    _ palette: PaletteID,
    _ part: PackedPart,
    _ actions: inout [SyncAction]
  ) {
    guard trust.letsInState(of: palette) else {
      return fail("a snapshot from someone who may not send one", &actions)
    }
    if part.index == 0 { pulls[palette] = nil }
    guard hasRoom(forSnapshotBytes: 0) else { return fail("the snapshot is too large", &actions) }
    if part.index == 0 { ackedSince[palette] = [:] }
    do {
      let staged = try pulls[palette, default: SnapshotPull()].add(part, of: palette)
      grantCredit(&actions)
      guard let staged else { return }
      pulls[palette] = nil
      incoming[palette] = IncomingSnapshot(frontier: staged.frontier)
      actions.append(.mergeStaged(palette, staged))
    } catch {
      fail("\(error)", &actions)
    }
  }

  mutating func acknowledgeSnapshot<Library: SyncLibrary>(
    _ palette: PaletteID,
    _ refused: SnapshotRefusal?,
    _ library: Library,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    let snapshot = incoming.removeValue(forKey: palette)
    if let refused {
      guard let dot = refused.dot else {
        return fail("the snapshot was refused: \(refused.reason)", &actions)
      }
      // The changes themselves would be refused in the same way: their author has to hear of it.
      ackedSince[palette] = nil
      try refuse(dot, in: palette, refused.reason, library, &actions)
      return grantCredit(&actions)
    }
    acknowledge(try library.frontier(of: palette), of: palette, &actions)
    let acked = ackedSince.removeValue(forKey: palette) ?? [:]
    if let snapshot {
      let held = snapshot.frontier.merging(acked) { $0.sequence > $1.sequence ? $0 : $1 }
      actions.append(.stated(palette, held, isWhole: true))
    }
    try check(palette, library, &actions)
    grantCredit(&actions)
    noteProgress(&actions)
  }
}

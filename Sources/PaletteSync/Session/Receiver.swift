import PaletteMerge
import PaletteModel

/// The pushes of the peer, within the credit that it was granted, until they are durable.
struct Receiver: Sendable {
  /// The credit that the peer has left.
  private var window: ReceivingWindow
  /// Palettes of which a change came too early, and of which we told how far we are.
  private var restarted: Set<PaletteID> = []
  /// Plain snapshots of which some parts have come.
  private var incoming: [PaletteID: IncomingSnapshot] = [:]
  private var pulls: [PaletteID: SnapshotPull] = [:]
  /// The bytes of unfinished snapshots that are kept.
  private(set) var snapshotBytes = 0
  /// The most of them.
  var snapshotLimit = SyncProtocol.snapshotBytes
  /// The frontiers of snapshots that are being merged: the first of each palette first.
  private var merging: [PaletteID: [Frontier]] = [:]
  /// The acknowledgements of the peer since its snapshot began, which does not contain them.
  private var ackedSince: [PaletteID: Frontier] = [:]

  /// A snapshot of which some parts have arrived.
  ///
  /// The parts stay as they came until all are there: an array that grows takes twice their bytes.
  private struct IncomingSnapshot {
    private var parts: [[UInt8]] = []
    /// The number of bytes that have come.
    private(set) var byteCount = 0

    var nextIndex: UInt64 { UInt64(parts.count) }

    mutating func append(_ part: [UInt8]) {
      parts.append(part)
      byteCount += part.count
    }

    /// Removes all bytes; each part is released as soon as it is copied.
    mutating func removeBytes() -> [UInt8] {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(byteCount)
      for index in parts.indices {
        bytes += parts[index]
        parts[index] = []
      }
      self = IncomingSnapshot()
      return bytes
    }
  }

  init(creditBytes: UInt64) {
    window = ReceivingWindow(size: creditBytes)
  }

  /// True if a snapshot is on its way, or being merged.
  var isReceivingSnapshot: Bool { !incoming.isEmpty || !pulls.isEmpty || !merging.isEmpty }

  /// Lets the peer send as much again as there is room for, in steps worth a frame.
  mutating func grantCredit(_ actions: inout Actions) {
    guard let room = window.grant() else { return }
    actions.send(.credit(room))
  }

  /// Remembers what the peer says to hold of some authors.
  mutating func remember(acknowledged held: Frontier, of palette: PaletteID) {
    ackedSince[palette]?.merge(held) { $1 }
  }

  // MARK: Changes

  /// Checks changes of one author, and passes them on to be merged.
  mutating func receive(
    _ changes: [[UInt8]],
    from first: Dot,
    in palette: PaletteID,
    frameBytes: Int,
    _ trust: Trust,
    _ actions: inout Actions
  ) {
    guard admit(frameBytes, &actions) else { return }
    guard !changes.isEmpty, UInt64(first.sequence) + UInt64(changes.count) <= UInt64(UInt32.max)
    else { return actions.fail("changes without a sequence") }
    guard trust.letsIn(changesBy: first.node, in: palette) else {
      window.used()
      actions.refuseUnallowed(first, in: palette)
      return grantCredit(&actions)
    }
    let arrived = changes.enumerated().map { offset, bytes in
      let dot = Dot(first.node, first.sequence + UInt32(offset))
      return ArrivedChange(bytes: bytes, announcedAs: dot, in: palette)
    }
    actions.append(.merge([ArrivedChanges(palette: palette, changes: arrived)]))
  }

  /// Unpacks changes, and passes them on to be merged.
  mutating func receive(
    _ packed: PackedChanges,
    in palette: PaletteID,
    _ trust: Trust,
    _ actions: inout Actions
  ) {
    // Nothing is unpacked for who may push nothing.
    guard trust.letsInChanges(in: palette) else {
      return actions.fail("changes from someone who may not push any")
    }
    do {
      let changes = try packed.changes(in: palette)
      receive([ArrivedChanges(palette: palette, changes: changes)], trust, &actions)
    } catch {
      actions.fail("\(error)")
    }
  }

  /// Passes the changes of a packed frame on to be merged, without authors that the peer may not push.
  mutating func receive(_ arrived: [ArrivedChanges], _ trust: Trust, _ actions: inout Actions) {
    // What waits to be merged is counted as it will lie in memory.
    guard admit(arrived.reduce(0) { $0 + $1.byteCount }, &actions) else { return }
    var refused = 0
    var allowed: [ArrivedChanges] = []
    for part in arrived {
      let own = Self.allowed(part, trust, &refused, &actions)
      if own.count > 0 { allowed.append(own) }
    }
    guard !allowed.isEmpty else {
      window.used()
      return grantCredit(&actions)
    }
    actions.append(.merge(allowed))
  }

  /// The changes of authors that may come from the peer; the others are refused, some by name.
  private static func allowed(
    _ arrived: ArrivedChanges,
    _ trust: Trust,
    _ refused: inout Int,
    _ actions: inout Actions
  ) -> ArrivedChanges {
    let palette = arrived.palette
    var strangers: Set<NodeID> = []
    for author in authors(of: arrived.dots).sorted()
    where !trust.letsIn(changesBy: author, in: palette) {
      strangers.insert(author)
      refused += 1
      guard refused <= SyncProtocol.nacksAFrame,
        let first = arrived.dots.first(where: { $0.node == author })
      else { continue }
      actions.refuseUnallowed(first, in: palette)
    }
    guard !strangers.isEmpty else { return arrived }
    return ArrivedChanges(
      palette: palette,
      changes: arrived.changes.filter { !strangers.contains($0.dot.node) }
    )
  }

  /// Acknowledges what is durable of the changes of a frame.
  ///
  /// - Returns: Those of our own changes that came from the peer, by way of a copy of this library:
  ///   what it sends it holds, and it says so in no other way.
  mutating func finish<Library: SyncLibrary>(
    _ merged: [MergedChanges],
    _ context: inout Context<Library>
  ) throws(Library.Failure) -> [Frame.Held] {
    window.merged()
    var acks: [Frame.Held] = []
    var returned: [Frame.Held] = []
    for part in merged {
      let (palette, results) = (part.palette, part.results)
      let nodes = Self.authors(of: results.lazy.filter { $0.refusal == nil }.map(\.dot))
      guard !nodes.isEmpty else { continue }
      restarted.remove(palette)
      let held = try context.library.frontier(of: palette).filter { nodes.contains($0.key) }
      acks.append(Frame.Held(palette: palette, frontier: held))
      let own = held.filter { node, head in
        context.library.isOwn(node)
          && results.contains { $0.dot == Dot(node, head.sequence) && $0.refusal == nil }
      }
      if !own.isEmpty { returned.append(Frame.Held(palette: palette, frontier: own)) }
    }
    context.actions.acknowledge(acks, context.terms)
    return returned
  }

  /// The peer pushed a change of a palette from further ahead than we are.
  ///
  /// - Returns: Whether it is to be told so now; once until something follows again.
  mutating func restart(_ palette: PaletteID) -> Bool { restarted.insert(palette).inserted }

  private static func authors(of dots: some Sequence<Dot>) -> Set<NodeID> {
    var authors: Set<NodeID> = []
    var last: NodeID?
    // Most are of the author of the one before.
    for dot in dots where dot.node != last {
      last = dot.node
      authors.insert(dot.node)
    }
    return authors
  }

  // MARK: Snapshots

  /// Keeps a part of a plain snapshot, and has the whole one merged.
  mutating func receive(
    snapshotPart bytes: [UInt8],
    _ index: UInt64,
    isLast: Bool,
    of palette: PaletteID,
    frameBytes: Int,
    _ trust: Trust,
    _ actions: inout Actions
  ) {
    guard admit(frameBytes, &actions) else { return }
    window.used()
    guard mayReceiveState(of: palette, trust, &actions) else { return }
    let before = snapshotBytes(of: palette)
    defer { snapshotBytes += snapshotBytes(of: palette) - before }
    if index == 0 { incoming[palette] = nil }
    guard index == incoming[palette]?.nextIndex ?? 0 else {
      return actions.fail("a snapshot part is missing")
    }
    guard hasRoom(forSnapshotBytes: bytes.count + snapshotBytes(of: palette) - before) else {
      return actions.fail("the snapshot is too large")
    }
    if index == 0 { ackedSince[palette] = [:] }
    incoming[palette, default: IncomingSnapshot()].append(bytes)
    guard isLast else { return grantCredit(&actions) }
    do {
      var parts = incoming.removeValue(forKey: palette)
      let whole = try Snapshot(decoding: parts?.removeBytes() ?? [])
      merging[palette, default: []].append(whole.frontier)
      actions.append(.mergeSnapshot(palette, whole))
    } catch {
      actions.fail("\(error)")
    }
  }

  /// Keeps a part of a packed snapshot, and has the whole one merged.
  mutating func receive(
    _ part: PackedPart,
    of palette: PaletteID,
    frameBytes: Int,
    _ trust: Trust,
    _ actions: inout Actions
  ) {
    guard admit(frameBytes, &actions) else { return }
    window.used()
    guard mayReceiveState(of: palette, trust, &actions) else { return }
    let before = snapshotBytes(of: palette)
    defer { snapshotBytes += snapshotBytes(of: palette) - before }
    if part.index == 0 { pulls[palette] = nil }
    guard hasRoom(forSnapshotBytes: snapshotBytes(of: palette) - before) else {
      return actions.fail("the snapshot is too large")
    }
    if part.index == 0 { ackedSince[palette] = [:] }
    do {
      let staged = try pulls[palette, default: SnapshotPull()].add(part, of: palette)
      grantCredit(&actions)
      guard let staged else { return }
      pulls[palette] = nil
      merging[palette, default: []].append(staged.frontier)
      actions.append(.mergeStaged(palette, staged))
    } catch {
      actions.fail("\(error)")
    }
  }

  /// Ends a snapshot that is durable.
  ///
  /// - Returns: What the peer holds of the palette, as far as it is known.
  mutating func finishSnapshot(of palette: PaletteID) -> Frontier? {
    let acked = ackedSince[palette] ?? [:]
    return endMerging(palette)?.merging(acked) { $0.sequence > $1.sequence ? $0 : $1 }
  }

  /// Ends a snapshot that was refused.
  mutating func forgetSnapshot(of palette: PaletteID) { _ = endMerging(palette) }

  /// Removes the first snapshot of a palette that is being merged; another may be on its way already.
  private mutating func endMerging(_ palette: PaletteID) -> Frontier? {
    guard var frontiers = merging.removeValue(forKey: palette) else { return nil }
    let first = frontiers.removeFirst()
    if !frontiers.isEmpty {
      merging[palette] = frontiers
    } else if incoming[palette] == nil, pulls[palette] == nil {
      ackedSince[palette] = nil
    }
    return first
  }

  private func mayReceiveState(
    of palette: PaletteID,
    _ trust: Trust,
    _ actions: inout Actions
  ) -> Bool {
    if trust.letsInState(of: palette) { return true }
    actions.fail("a snapshot from someone who may not send one")
    return false
  }

  /// Returns whether as much more may be held of unfinished snapshots, of all palettes together.
  private func hasRoom(forSnapshotBytes count: Int) -> Bool {
    snapshotBytes + count <= snapshotLimit
      && incoming.count + pulls.count + merging.count <= SyncProtocol.unfinishedSnapshots
  }

  /// Returns the number of bytes that are held of a palette's unfinished snapshots.
  private func snapshotBytes(of palette: PaletteID) -> Int {
    (incoming[palette]?.byteCount ?? 0) + (pulls[palette]?.byteCount ?? 0)
  }

  private mutating func admit(_ byteCount: Int, _ actions: inout Actions) -> Bool {
    if window.admit(byteCount) { return true }
    actions.fail("more than the credit")
    return false
  }
}

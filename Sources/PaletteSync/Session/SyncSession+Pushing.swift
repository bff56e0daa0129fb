package import PaletteModel

extension SyncSession {
  /// Pushes what was just committed here, one frame a change, or leaves it to the log.
  mutating func push<Library: SyncLibrary>(
    _ palette: PaletteID,
    _ changes: [OutgoingChange],
    _ library: Library,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    guard trust.scope.covers(palette), !changes.isEmpty else { return }
    guard comparison.isDone else {
      if comparison.early[palette] == nil {
        comparison.early[palette] = try library.frontier(of: palette).before(changes)
      }
      return
    }
    guard (progress[palette] ?? .live) == .live else { return }
    let forked = forks[palette]
    let start = actions.count
    var total: UInt64 = 0
    for change in changes where isPushable(change, palette, forked, library) {
      if let frame = change.frame {
        total += UInt64(frame.bytes.count)
        actions.append(.sendShared(frame))
      } else {
        let frame = change.encoded(in: palette)
        total += UInt64(frame.count)
        actions.append(.send(frame))
      }
    }
    guard !isCongested, total <= credit else {
      actions.removeSubrange(start...)
      // A peer that is behind is served from the log, when it takes more.
      let frontier = try library.frontier(of: palette).before(changes)
      progress[palette] = .pushing(sent: frontier)
      return try pump(library, &actions)
    }
    credit -= total
  }

  /// How far others' changes are held where our role does not let them through.
  ///
  /// They are none to be looked for in the log, which may have been cut there.
  private func withheld(
    _ own: Frontier,
    in palette: PaletteID,
    _ library: some SyncLibrary
  ) -> Frontier {
    guard !trust.letsOut(palette, isOwn: false) else { return [:] }
    return own.filter { !library.isOwn($0.key) }
  }

  /// The changes that our role lets through.
  private func pushable(
    _ changes: [OutgoingChange],
    in palette: PaletteID,
    _ library: some SyncLibrary
  ) -> [OutgoingChange] {
    let forked = forks[palette]
    return changes.filter { isPushable($0, palette, forked, library) }
  }

  private func isPushable(
    _ change: OutgoingChange,
    _ palette: PaletteID,
    _ forked: Set<NodeID>?,
    _ library: some SyncLibrary
  ) -> Bool {
    if let forked, forked.contains(change.dot.node) { return false }
    return trust.letsOut(palette, isOwn: library.isOwn(change.dot.node))
  }

  /// Pushes from the log while the peer takes more.
  mutating func pump<Library: SyncLibrary>(
    _ library: Library,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    guard comparison.isDone else { return }
    pushed = 0
    while !isCongested, credit > 0, let palette = progress.nextDue() {
      var isWaiting = true
      while isWaiting, !isCongested, credit > 0 {
        guard pushed < SyncProtocol.pushedBytes else {
          // What was packed can leave meanwhile.
          actions.append(.pushOn)
          return
        }
        switch progress[palette] {
        case .pushing(let sent):
          try pushLog(of: palette, after: sent, library, &actions)
        case .pushingSnapshot:
          pushSnapshot(of: palette, &actions)
        case .pushingPacked:
          try pushPacked(palette, library, &actions)
        case .comparing, .live, nil:
          isWaiting = false
        }
      }
    }
    noteProgress(&actions)
  }

  private mutating func pushLog<Library: SyncLibrary>(
    of palette: PaletteID,
    after sent: Frontier,
    _ library: Library,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    let own = try library.frontier(of: palette)
    let sent = sent.merging(withheld(own, in: palette, library)) { $1 }
    guard trust.letsOutChanges(of: palette), !sent.covers(own) else {
      progress[palette] = .live
      return
    }
    let part = sent.isEmpty ? limits.creditBytes : SyncProtocol.pushedBytes
    let byteLimit = Int(min(credit, part))
    // A peer that is new takes the state first, unless the whole log is short; from those who may not
    // give state it takes the log, however long.
    let prefersState = sent.isEmpty && trust.letsOutState(of: palette)
    let isLong = prefersState && own.changeCount > byteLimit / SyncProtocol.leastChangeBytes
    var batch = try isLong ? nil : library.changes(of: palette, after: sent, byteLimit: byteLimit)
    // A damaged log may lack what its end is known to have: the state stands for it.
    if batch?.isEmpty == true { batch = nil }
    let reached = sent.after(batch ?? [])
    if batch == nil || prefersState && !reached.covers(own) {
      if trust.letsOutState(of: palette), features.contains(SyncProtocol.packedSnapshots),
        let outline = try library.outline(of: palette)
      {
        progress[palette] = .pushingPacked(SnapshotPush(outline))
        return
      }
      guard trust.letsOutState(of: palette), let snapshot = try library.snapshot(of: palette) else {
        actions.append(.withheld(palette))
        progress[palette] = .live
        return
      }
      progress[palette] = .pushingSnapshot(
        rest: snapshot.encoded[...],
        index: 0,
        sent: snapshot.frontier
      )
      return pushSnapshot(of: palette, &actions)
    }
    let changes = pushable(batch ?? [], in: palette, library)
    push(changes, in: palette, &actions)
    progress[palette] = reached.covers(own) ? .live : .pushing(sent: reached)
    // The peer compares digests when it holds all of this.
    if reached.covers(own), !changes.isEmpty {
      try sendFrontier(of: palette, asks: false, library, &actions)
    }
  }

  /// Pushes changes from the log, packed where the peer reads that.
  private mutating func push(
    _ changes: [OutgoingChange],
    in palette: PaletteID,
    _ actions: inout [SyncAction]
  ) {
    var rest = changes[...]
    do throws(CBORError) {
      while features.contains(SyncProtocol.packedChanges), rest.count > 1 {
        let before = rest
        let packed = try PackedChanges(first: &rest, payloadBytes: payloadBytes)
        let count = before.prefix(before.count - rest.count).reduce(0) { $0 + $1.bytes.count }
        send(Frame.packedChanges(palette, packed).encoded, cost: count, &actions)
      }
    } catch {
      // The peer is to say what is wrong with it.
    }
    for frame in frames(of: rest, in: palette) { send(frame, &actions) }
  }

  /// Pushes the next part of a snapshot.
  private mutating func pushSnapshot(of palette: PaletteID, _ actions: inout [SyncAction]) {
    guard case .pushingSnapshot(let rest, let index, let sent)? = progress[palette] else { return }
    let part = rest.prefix(payloadBytes)
    let left = rest.dropFirst(part.count)
    let frame = Frame.snapshot(palette, index: index, isLast: left.isEmpty, Array(part))
    send(frame.encoded, &actions)
    progress[palette] =
      left.isEmpty
      ? .pushing(sent: sent) : .pushingSnapshot(rest: left, index: index + 1, sent: sent)
  }

  /// Pushes the next part of a packed snapshot.
  private mutating func pushPacked<Library: SyncLibrary>(
    _ palette: PaletteID,
    _ library: Library,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    guard case .pushingPacked(var push)? = progress[palette] else { return }
    // Nothing else may refer to what grows, or all of it would be copied for every part.
    progress[palette] = .comparing
    let payloadBytes = payloadBytes
    guard let part = try push.nextPart(of: palette, payloadBytes: payloadBytes, library) else {
      // A change was compacted away meanwhile: the state that is left is another one.
      return try compareAgain(palette, library, &actions)
    }
    send(Frame.packed(palette, part).encoded, &actions)
    progress[palette] =
      push.isAtEnd ? .pushing(sent: push.outline.frontier) : .pushingPacked(push)
  }

  /// Sends a frame that uses up credit, by its size where it costs nothing else.
  private mutating func send(
    _ frame: [UInt8],
    cost: Int? = nil,
    _ actions: inout [SyncAction]
  ) {
    let cost = UInt64(cost ?? frame.count)
    // The last frame may overdraw the credit, so that a frame never has to be cut.
    credit -= min(credit, cost)
    pushed += cost
    actions.append(.send(frame))
  }

  /// Changes in order as frames of consecutive changes of one author.
  private func frames(of changes: ArraySlice<OutgoingChange>, in palette: PaletteID) -> [[UInt8]] {
    var frames: [[UInt8]] = []
    var run: [OutgoingChange] = []
    var size = 0
    func finish() {
      guard let first = run.first?.dot else { return }
      let frame = Frame.changes(
        palette,
        first.node,
        first: first.sequence,
        run.map(\.bytes.array)
      )
      frames.append(frame.encoded)
      run = []
      size = 0
    }
    for change in changes {
      let follows = run.last.map {
        $0.dot.node == change.dot.node && $0.dot.sequence + 1 == change.dot.sequence
      }
      if follows == false || size + change.bytes.count > payloadBytes { finish() }
      run.append(change)
      size += change.bytes.count + 3
    }
    finish()
    return frames
  }
}

extension Frontier {
  /// The entries in parts that fit into a frame each; at least one part.
  var parts: [(part: Frontier, isLast: Bool)] {
    let size = SyncProtocol.frontierEntries
    guard count > size else { return [(self, true)] }
    let entries = sorted { $0.key < $1.key }
    return stride(from: 0, to: count, by: size).map { start in
      let part = entries[start..<Swift.min(start + size, count)]
      return (
        Frontier(uniqueKeysWithValues: part.map { ($0.key, $0.value) }), start + size >= count
      )
    }
  }

  /// Whether everything that another frontier holds is held.
  func covers(_ other: Frontier) -> Bool {
    other.allSatisfy { self[$0.key]?.sequence ?? 0 >= $0.value.sequence }
  }

  /// How many changes there have been.
  var changeCount: Int { values.reduce(0) { $0 + Int($1.sequence) } }

  /// The frontier when these changes are held too.
  func after(_ changes: [OutgoingChange]) -> Frontier {
    var frontier = self
    for index in changes.indices {
      let dot = changes[index].dot
      // Only the last of those that an author made in a row counts.
      if index + 1 < changes.count, changes[index + 1].dot.node == dot.node { continue }
      // Nobody compares the links of what was sent.
      frontier[dot.node] = StreamHead(sequence: dot.sequence, link: 0)
    }
    return frontier
  }

  /// The frontier when these changes were not held yet.
  package func before(_ changes: [OutgoingChange]) -> Frontier {
    var frontier = self
    for change in changes {
      guard let head = frontier[change.dot.node], head.sequence >= change.dot.sequence else {
        continue
      }
      let sequence = change.dot.sequence - 1
      frontier[change.dot.node] = sequence == 0 ? nil : StreamHead(sequence: sequence, link: 0)
    }
    return frontier
  }
}

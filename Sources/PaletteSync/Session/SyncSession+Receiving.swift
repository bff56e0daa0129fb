import PaletteModel

extension SyncSession {
  mutating func receiveEstablished<Library: SyncLibrary>(
    _ frame: Frame,
    byteCount: Int,
    _ library: Library,
    _ milliseconds: UInt64,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    switch frame {
    case .summary(let digest): try compare(summary: digest, library, &actions)
    case .buckets(let digests): try compare(buckets: digests, library, &actions)
    case .palettes(let buckets, let entries, let isLast):
      try compare(buckets: buckets, entries: entries, isLast: isLast, library, &actions)
    case .frontier(let palette, let part, let digest, let asks, let isLast):
      guard let frontier = take(palette, frontierPart: part, isLast: isLast, &actions) else {
        return
      }
      try compare(palette, frontier: frontier, digest: digest, asks: asks, library, &actions)
    case .changes(let palette, let node, let first, let changes):
      guard window.take(byteCount) else { return fail("more than the credit", &actions) }
      take(palette, node, first, changes, &actions)
    case .packedChanges(let palette, let packed): take(palette, packed, &actions)
    case .snapshot(let palette, let index, let isLast, let bytes):
      guard window.take(byteCount) else { return fail("more than the credit", &actions) }
      window.used()
      take(palette, snapshotPart: bytes, index, isLast, &actions)
    case .packed(let palette, let part):
      guard window.take(byteCount) else { return fail("more than the credit", &actions) }
      window.used()
      take(palette, part, &actions)
    case .ack(let palette, let frontier):
      if trust.scope.covers(palette) { state(frontier, of: palette, &actions) }
    case .nack(let palette, let dot, let code, let reason):
      guard trust.scope.covers(palette) else { break }
      actions.append(.refusedByPeer(palette, dot, code: code, reason: reason))
      if code == Nack.fork.rawValue { try note(fork: dot, in: palette, library, &actions) }
    case .credit(let bytes):
      credit = min(credit &+ bytes, 1 << 40)
      try pump(library, &actions)
    case .historyOf(let palette, let node, let first, let last):
      try answer(palette, node, first, last, library, &actions)
    case .history(let history):
      guard trust.letsInState(of: history.palette),
        try !takeShown(history, library, &actions)
      else { return }
      actions.append(.oldHistory(history))
    case .giveBack(let palette): if !isDialer { actions.append(.givenBack(palette)) }
    case .bindings(let bindings): actions.append(.bindings(bindings))
    case .presence(let presence): take(presence, library, &actions)
    case .ping(let time):
      actions.append(.send(Frame.pong(time, milliseconds).encoded))
    case .pong(let sent, let own):
      actions.append(.clock(peerMilliseconds: own, sentMilliseconds: sent))
    case .linksOf(let palette, let node, let sequences):
      try sendLinks(of: node, sequences, in: palette, library, &actions)
    case .links(let palette, let node, let links):
      try take(links, of: node, in: palette, library, &actions)
    case .hello, .challenge, .proof, .welcome, .refuse, .goaway, .bye:
      fail("this frame is not expected after the welcome", &actions)
    }
  }

  private mutating func take(
    _ palette: PaletteID,
    _ node: NodeID,
    _ first: UInt32,
    _ changes: [[UInt8]],
    _ actions: inout [SyncAction]
  ) {
    guard !changes.isEmpty, UInt64(first) + UInt64(changes.count) <= UInt64(UInt32.max) else {
      return fail("changes without a sequence", &actions)
    }
    guard trust.letsIn(changesBy: node, in: palette) else {
      window.used()
      refuse(Dot(node, first), in: palette, &actions)
      return grantCredit(&actions)
    }
    actions.append(
      .merge(
        palette,
        changes.enumerated().map { offset, bytes in
          ArrivedChange(
            bytes: bytes,
            announcedAs: Dot(node, first + UInt32(offset)),
            in: palette
          )
        }
      )
    )
  }

  private mutating func take(
    _ palette: PaletteID,
    _ packed: PackedChanges,
    _ actions: inout [SyncAction]
  ) {
    // Nothing is unpacked for who may push nothing.
    guard trust.letsInChanges(in: palette) else {
      return fail("changes from someone who may not push any", &actions)
    }
    let changes: [ArrivedChange]
    do {
      changes = try packed.changes(in: palette)
    } catch {
      return fail("\(error)", &actions)
    }
    guard !changes.isEmpty, changes.allSatisfy({ $0.dot.sequence < .max }) else {
      return fail("changes without a sequence", &actions)
    }
    // What waits to be merged is counted as it will lie in memory.
    guard window.take(changes.reduce(0) { $0 + $1.bytes.count }) else {
      return fail("more than the credit", &actions)
    }
    var refused: Set<NodeID> = []
    var authors: Set<NodeID> = []
    var last: NodeID?
    // Most are of the author of the one before.
    for change in changes where change.dot.node != last {
      last = change.dot.node
      authors.insert(change.dot.node)
    }
    for author in authors.sorted() where !trust.letsIn(changesBy: author, in: palette) {
      refused.insert(author)
      guard refused.count <= SyncProtocol.nacksAFrame,
        let first = changes.first(where: { $0.dot.node == author })
      else { continue }
      refuse(first.dot, in: palette, &actions)
    }
    guard refused.count < authors.count else {
      window.used()
      return grantCredit(&actions)
    }
    let allowed = refused.isEmpty ? changes : changes.filter { !refused.contains($0.dot.node) }
    actions.append(.merge(palette, allowed))
  }

  /// Refuses a change that the peer may not push, and what follows it.
  private func refuse(_ dot: Dot, in palette: PaletteID, _ actions: inout [SyncAction]) {
    let nack = Frame.nack(
      palette,
      dot,
      code: Nack.notAllowed.rawValue,
      reason: "the grant does not let the change through"
    )
    actions.append(.send(nack.encoded))
    actions.append(.refusedHere(palette, dot, code: Nack.notAllowed.rawValue))
  }

  /// Tells the peer what is durable, and what is refused.
  mutating func acknowledge<Library: SyncLibrary>(
    _ palette: PaletteID,
    _ results: [MergeResult],
    _ library: Library,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    window.merged()
    let frontier = try library.frontier(of: palette)
    var nodes: Set<NodeID> = []
    var last: NodeID?
    // Most results are of the author of the one before.
    for result in results where result.refusal == nil && result.dot.node != last {
      last = result.dot.node
      nodes.insert(result.dot.node)
    }
    if !nodes.isEmpty {
      restarted.remove(palette)
      let held = frontier.filter { nodes.contains($0.key) }
      acknowledge(held, of: palette, &actions)
      noteReturned(held, palette, results, library, &actions)
    }
    for result in results {
      guard let refusal = result.refusal else { continue }
      try refuse(result.dot, in: palette, refusal, library, &actions)
    }
    try check(palette, library, &actions)
    grantCredit(&actions)
    noteProgress(&actions)
  }

  /// States what is held of some authors.
  func acknowledge(_ held: Frontier, of palette: PaletteID, _ actions: inout [SyncAction]) {
    for (part, _) in held.parts { actions.append(.send(Frame.ack(palette, part).encoded)) }
  }

  /// Takes note of our own changes that came from the peer, by way of a copy of this library: what it
  /// sends it holds, and it says so in no other way.
  private mutating func noteReturned(
    _ held: Frontier,
    _ palette: PaletteID,
    _ results: [MergeResult],
    _ library: some SyncLibrary,
    _ actions: inout [SyncAction]
  ) {
    let returned = held.filter { node, head in
      library.isOwn(node)
        && results.contains { $0.dot == Dot(node, head.sequence) && $0.refusal == nil }
    }
    if !returned.isEmpty { state(returned, of: palette, &actions) }
  }

  /// Takes what the peer says to hold of some authors.
  private mutating func state(
    _ held: Frontier,
    of palette: PaletteID,
    _ actions: inout [SyncAction]
  ) {
    ackedSince[palette]?.merge(held) { $1 }
    actions.append(.stated(palette, held, isWhole: false))
  }

  mutating func refuse<Library: SyncLibrary>(
    _ dot: Dot,
    in palette: PaletteID,
    _ refusal: Refusal,
    _ library: Library,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    let code: Nack
    switch refusal {
    case .gap:
      // The peer pushed from further ahead than we are: it starts again from where we are.
      guard restarted.insert(palette).inserted else { return }
      guard features.contains(SyncProtocol.packedChanges) else {
        return try sendFrontier(of: palette, asks: false, library, &actions)
      }
      return try compareAgain(palette, library, &actions)
    case .fork, .equivocation: code = .fork
    case .malformed: code = .malformed
    }
    let nack = Frame.nack(palette, dot, code: code.rawValue, reason: "\(refusal)")
    actions.append(.send(nack.encoded))
    actions.append(.refusedHere(palette, dot, code: code.rawValue))
    if code == .fork { try note(fork: dot, in: palette, library, &actions) }
  }

  /// Lets the peer send as much again as there is room for, in steps worth a frame.
  mutating func grantCredit(_ actions: inout [SyncAction]) {
    guard let room = window.grant() else { return }
    actions.append(.send(Frame.credit(room).encoded))
  }
}

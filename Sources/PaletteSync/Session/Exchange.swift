import PaletteModel

/// A connection from the welcome on: leads from comparing through pushing to live changes.
///
/// It hands what happens to the part that owns the state, and holds together what concerns several.
struct Exchange: Sendable {
  /// What was agreed; only the ids of the peer's library may become more.
  private(set) var terms: Terms
  /// What the peer states and asks for, counted.
  private var budget = PeerBudget()
  private var comparison = Comparison()
  private var statements = StatementTable()
  private var forks = Forks()
  private var pusher = Pusher()
  private var receiver: Receiver
  private var disclosure = Disclosure()
  private var hasCaughtUp = false

  /// What a node keeps of what a peer of the same people states: frontiers of 100,000 palettes.
  private static let relayStatementBytes = 64 << 20

  init(_ terms: Terms) {
    self.terms = terms
    receiver = Receiver(creditBytes: terms.creditBytes)
    if terms.isDialer || terms.trust.exchangesBindings {
      budget.statementBytes = Self.relayStatementBytes
    }
  }

  /// How many changes the peer said to hold that are not held here yet, and that it may push.
  ///
  /// Of palettes of which it has not told yet, as many as of the others count.
  var changesToCome: Int { statements.changesToCome + comparison.changesToCome }

  /// The most bytes that are kept of what the peer states.
  var statementLimit: Int {
    get { budget.statementBytes }
    set { budget.statementBytes = newValue }
  }

  /// About how many bytes are kept of what the peer stated.
  var statementBytes: Int { statements.byteCount + comparison.byteCount }

  /// How many changes of others the peer said to hold that are not held here, and that it may not push.
  func changesOutOfReach<Library: SyncLibrary>(
    _ library: Library
  ) throws(Library.Failure) -> Int {
    try statements.changesOutOfReach(library)
  }

  /// Lets the peer push, and begins to compare.
  mutating func begin<Library: SyncLibrary>(
    _ library: Library,
    _ actions: inout Actions
  ) throws(Library.Failure) {
    actions.send(.credit(terms.creditBytes))
    try comparison.begin(terms, library, &actions)
  }

  /// Handles what happened here.
  mutating func handle<Library: SyncLibrary>(
    _ event: SyncEvent,
    _ library: Library,
    _ milliseconds: UInt64,
    _ actions: inout Actions
  ) throws(Library.Failure) {
    switch event {
    case .committed(let palette, let changes):
      try push(changes, in: palette, library, &actions)
    case .merged(let merged):
      try acknowledge(merged, library, &actions)
    case .mergedSnapshot(let palette, let refused):
      try acknowledgeSnapshot(of: palette, refused, library, &actions)
    case .rebuilt(let palette):
      try compareAgain(palette, library, &actions)
    case .congested:
      pusher.isCongested = true
    case .writable:
      pusher.isCongested = false
      try askOn(library, &actions)
      try pump(library, &actions)
    case .pushDue:
      try pump(library, &actions)
    case .historyWanted(let palette, let node, let numbers):
      guard terms.scope.covers(palette) else { break }
      let (first, last) = (numbers.lowerBound, numbers.upperBound)
      actions.send(.historyOf(palette, node, first: first, last: last))
    case .present(let presence):
      disclosure.tell(presence, terms, &actions)
    case .pingDue:
      actions.send(.ping(milliseconds))
    case .gaveBack(let palette):
      actions.send(.giveBack(palette))
    case .bindingsKnown(let bindings):
      Disclosure.tell(bindings, terms, &actions)
    case .bound(let nodes):
      terms.trust = terms.trust.speaking(as: nodes)
    case .opened, .received, .found, .accepted, .rejected, .revoked, .draining:
      break
    }
  }

  /// Handles a frame, within what a peer may ask and state.
  mutating func receive<Library: SyncLibrary>(
    _ frame: Frame,
    byteCount: Int,
    _ library: Library,
    _ milliseconds: UInt64,
    _ actions: inout Actions
  ) throws(Library.Failure) {
    guard budget.admits(frame, atMilliseconds: milliseconds) else { return refuse(&actions) }
    try receiveAdmitted(frame, byteCount: byteCount, library, milliseconds, &actions)
    if !actions.isClosed, statementBytes > budget.statementBytes { refuse(&actions) }
  }

  private mutating func receiveAdmitted<Library: SyncLibrary>(
    _ frame: Frame,
    byteCount: Int,
    _ library: Library,
    _ milliseconds: UInt64,
    _ actions: inout Actions
  ) throws(Library.Failure) {
    let trust = terms.trust
    switch frame {
    case .summary(let digest):
      let outcome = try comparison.receive(summary: digest, terms, library, &actions)
      try endComparison(outcome, library, &actions)
    case .buckets(let digests):
      let outcome = try comparison.receive(buckets: digests, terms, library, &actions)
      try endComparison(outcome, library, &actions)
    case .palettes(let buckets, let entries, let isLast):
      let outcome = try comparison.receive(
        palettes: entries,
        of: buckets,
        isLast: isLast,
        terms,
        library,
        &actions
      )
      try endComparison(outcome, library, &actions)
    case .frontier(let palette, let part, let digest, let asks, let isLast):
      guard trust.scope.covers(palette) else { return actions.fail("a palette out of scope") }
      guard let theirs = statements.assemble(part, of: palette, isLast: isLast) else { return }
      try compare(palette, theirs, digest, asks: asks, library, &actions)
    case .changes(let palette, let node, let first, let changes):
      receiver.receive(
        changes,
        from: Dot(node, first),
        in: palette,
        frameBytes: byteCount,
        trust,
        &actions
      )
    case .packedChanges(let palette, let packed):
      receiver.receive(packed, in: palette, trust, &actions)
    case .lacking(let palettes):
      guard palettes.allSatisfy(trust.scope.covers) else {
        return actions.fail("a palette out of scope")
      }
      pushAll(of: palettes, &actions)
      try askOn(library, &actions)
      // Packing takes long: others have their turn first.
      actions.append(.pushOn)
      reportCaughtUp(&actions)
    case .whole(let whole):
      try receive(whole, library, &actions)
    case .snapshot(let palette, let index, let isLast, let bytes):
      receiver.receive(
        snapshotPart: bytes,
        index,
        isLast: isLast,
        of: palette,
        frameBytes: byteCount,
        trust,
        &actions
      )
    case .packed(let palette, let part):
      receiver.receive(part, of: palette, frameBytes: byteCount, trust, &actions)
    case .ack(let palette, let frontier):
      report(held: frontier, of: palette, &actions)
    case .acks(let acks):
      for ack in acks { report(held: ack.frontier, of: ack.palette, &actions) }
    case .nack(let palette, let dot, let code, let reason):
      guard trust.scope.covers(palette) else { break }
      actions.append(.refusedByPeer(palette, dot, code: code, reason: reason))
      if code == Nack.fork.rawValue { try forks.add(dot, in: palette, trust, library, &actions) }
    case .credit(let bytes):
      pusher.add(credit: bytes)
      try pump(library, &actions)
    case .historyOf(let palette, let node, let first, let last):
      guard trust.scope.covers(palette), first <= last else { break }
      let limit = SyncProtocol.payloadBytes
      actions.send(
        .history(try library.oldHistory(of: palette, by: node, first...last, byteLimit: limit))
      )
    case .history(let history):
      guard trust.letsInState(of: history.palette),
        try !forks.receive(shown: history, library, &actions)
      else { return }
      actions.append(.oldHistory(history))
    case .giveBack(let palette): if !terms.isDialer { actions.append(.givenBack(palette)) }
    case .bindings(let bindings): actions.append(.bindings(bindings))
    case .presence(let presence): Disclosure.hear(presence, terms, library, &actions)
    case .ping(let time): actions.send(.pong(time, milliseconds))
    case .pong(let sent, let own):
      actions.append(.clock(peerMilliseconds: own, sentMilliseconds: sent))
    case .linksOf(let palette, let node, let sequences):
      try Forks.sendLinks(of: node, sequences, in: palette, trust, library, &actions)
    case .links(let palette, let node, let links):
      try forks.receive(links, of: node, in: palette, library, &actions)
    case .hello, .challenge, .proof, .welcome, .refuse, .goaway, .bye:
      actions.fail("this frame is not expected after the welcome")
    }
  }

  /// Ends a session whose peer asks or states more than one connection may.
  private func refuse(_ actions: inout Actions) {
    actions.append(.overBudget)
    let reason = "too much was asked or stated on one connection"
    actions.refuse(.overBudget, "over-budget", reason)
  }

  /// Says once that everything is exchanged that either side had when they met.
  private mutating func reportCaughtUp(_ actions: inout Actions) {
    guard !hasCaughtUp, comparison.isDone, !receiver.isReceivingSnapshot else { return }
    // Whoever dialed gets everything; the other side may never get what the role does not let through.
    guard !terms.isDialer || statements.isEmpty else { return }
    guard pusher.isLive else { return }
    hasCaughtUp = true
    actions.append(.caughtUp)
  }

  // MARK: Comparing

  private mutating func endComparison<Library: SyncLibrary>(
    _ outcome: Comparison.Outcome?,
    _ library: Library,
    _ actions: inout Actions
  ) throws(Library.Failure) {
    guard let outcome else { return }
    for palette in outcome.differing { pusher.awaitFrontier(of: palette) }
    pushAll(of: outcome.lacked, &actions)
    try askOn(library, &actions)
    for (palette, held) in outcome.changed { pusher.pushLog(of: palette, after: held) }
    try pump(library, &actions)
  }

  /// Asks how far the peer is with the palettes that differ, as many as may be asked for now.
  private mutating func askOn<Library: SyncLibrary>(
    _ library: Library,
    _ actions: inout Actions
  ) throws(Library.Failure) {
    guard !pusher.isCongested else { return }
    var lacking: [PaletteID] = []
    while let palette = comparison.nextAsk() {
      guard pusher.isComparing(palette) else {
        // The peer has asked meanwhile, so each knows how far the other is.
        comparison.endAsk(palette)
        continue
      }
      let own = try library.frontier(of: palette)
      if own.isEmpty, terms.packsPalettes {
        lacking.append(palette)
      } else {
        try actions.sendFrontier(of: palette, own, asks: true, library)
      }
    }
    let size = min(SyncProtocol.lackingEntries, terms.payloadBytes / 20)
    for start in stride(from: 0, to: lacking.count, by: size) {
      actions.send(.lacking(Array(lacking[start..<min(start + size, lacking.count)])))
    }
  }

  /// Compares a palette, of which the peer tells how far it is, and pushes from there.
  private mutating func compare<Library: SyncLibrary>(
    _ palette: PaletteID,
    _ theirs: Frontier,
    _ digest: Digest,
    asks: Bool,
    _ library: Library,
    _ actions: inout Actions
  ) throws(Library.Failure) {
    let own = try library.frontier(of: palette)
    if asks { try actions.sendFrontier(of: palette, own, asks: false, library) }
    try compare(palette, own, theirs, digest, library, &actions)
    if asks || restarts(palette) { pusher.pushLog(of: palette, after: theirs) }
    try askOn(library, &actions)
    if asks, pusher.isPushingLog(of: palette) {
      // The peer has as much to pack: it begins as soon as it knows how far we are.
      actions.append(.pushOn)
    } else {
      try pump(library, &actions)
    }
    reportCaughtUp(&actions)
  }

  /// Remembers how far the peer is with a palette, and stops pushing authors of whom it holds other
  /// changes.
  private mutating func compare<Library: SyncLibrary>(
    _ palette: PaletteID,
    _ own: Frontier,
    _ theirs: Frontier,
    _ digest: Digest,
    _ library: Library,
    _ actions: inout Actions
  ) throws(Library.Failure) {
    let trust = terms.trust
    comparison.endAsk(palette, missing: StatementTable.missing(theirs, in: own))
    actions.append(.stated(palette, theirs, isWhole: true))
    forks.forget(palette)
    for dot in try Forks.differences(in: palette, own, theirs, library) {
      // A peer that holds less of the author cannot see it, and may be the author.
      if !library.isOwn(dot.node), own[dot.node].map({ $0.sequence > dot.sequence }) ?? false {
        let code = Nack.fork.rawValue
        actions.send(.nack(palette, dot, code: code, reason: "another change is held"))
      }
      try forks.add(dot, in: palette, trust, library, &actions)
    }
    // Of whoever may push nothing there is nothing to wait for.
    if trust.letsInChanges(in: palette) || own.covers(theirs) {
      statements.expect(theirs, digest, of: palette)
      try statements.check(palette, holding: own, trust, library, &actions)
    }
    statements.keepOutOfReach(palette, theirs, own, trust)
  }

  /// Pushes palettes of which the peer holds nothing; what it is sent tells how far we are.
  private mutating func pushAll(of palettes: [PaletteID], _ actions: inout Actions) {
    for palette in palettes {
      comparison.endAsk(palette)
      forks.forget(palette)
      statements.expectNothing(of: palette)
      actions.append(.stated(palette, [:], isWhole: true))
      pusher.pushAll(of: palette)
    }
  }

  /// Compares whole palettes, each as far as the peer is with it, and has their changes merged.
  private mutating func receive<Library: SyncLibrary>(
    _ whole: WholePalettes,
    _ library: Library,
    _ actions: inout Actions
  ) throws(Library.Failure) {
    // Nothing is unpacked for who may push nothing.
    guard whole.entries.allSatisfy({ terms.trust.letsInChanges(in: $0.palette) }) else {
      return actions.fail("changes from someone who may not push any")
    }
    let arrivals: [WholePalettes.Arrival]
    do {
      arrivals = try whole.arrivals()
    } catch {
      return actions.fail("\(error)")
    }
    for arrival in arrivals {
      let (palette, theirs) = (arrival.palette, arrival.frontier)
      let own = try library.frontier(of: palette)
      try compare(palette, own, theirs, arrival.digest, library, &actions)
      if theirs.covers(own) {
        pusher.endComparing(palette)
      } else if pusher.isComparing(palette) {
        pusher.pushLog(of: palette, after: theirs)
      }
    }
    let arrived = arrivals.map { ArrivedChanges(palette: $0.palette, changes: $0.changes) }
    receiver.receive(arrived, terms.trust, &actions)
    try askOn(library, &actions)
    try pump(library, &actions)
    reportCaughtUp(&actions)
  }

  /// Whether a frontier that does not ask says from where to push.
  ///
  /// It does when we asked for it. Else the peer only states how far it is when it has sent all that
  /// it had, and what we have sent may be on its way; but one without the feature says in the same
  /// way that a change came too early.
  private func restarts(_ palette: PaletteID) -> Bool {
    pusher.isComparing(palette) || !terms.packsChanges
  }

  /// Asks the peer how far it is with a palette, to push from there.
  private mutating func compareAgain<Library: SyncLibrary>(
    _ palette: PaletteID,
    _ library: Library,
    _ actions: inout Actions
  ) throws(Library.Failure) {
    guard terms.scope.covers(palette) else { return }
    guard comparison.isDone else { return comparison.rememberNothing(of: palette) }
    pusher.awaitFrontier(of: palette)
    try actions.sendFrontier(of: palette, asks: true, library)
  }

  // MARK: Pushing

  /// What a hub does most, for every watcher of every change.
  private mutating func push<Library: SyncLibrary>(
    _ changes: [OutgoingChange],
    in palette: PaletteID,
    _ library: Library,
    _ actions: inout Actions
  ) throws(Library.Failure) {
    if terms.scope.covers(palette), !changes.isEmpty {
      if !comparison.isDone {
        try comparison.remember(palette, before: changes, library)
      } else if try pusher.push(
        committed: changes,
        in: palette,
        terms,
        forks,
        library,
        &actions
      ) {
        try pump(library, &actions)
      }
    }
    // What this peer has may have come from another one.
    try statements.check(palette, terms.trust, library, &actions)
    reportCaughtUp(&actions)
  }

  private mutating func pump<Library: SyncLibrary>(
    _ library: Library,
    _ actions: inout Actions
  ) throws(Library.Failure) {
    guard comparison.isDone else { return }
    try pusher.pump(terms, forks, library, &actions)
    reportCaughtUp(&actions)
  }

  // MARK: Receiving

  /// Tells the peer what is durable, and what is refused.
  private mutating func acknowledge<Library: SyncLibrary>(
    _ merged: [MergedChanges],
    _ library: Library,
    _ actions: inout Actions
  ) throws(Library.Failure) {
    for held in try receiver.finish(merged, terms, library, &actions) {
      report(held: held.frontier, of: held.palette, &actions)
    }
    for part in merged {
      for result in part.results {
        guard let refusal = result.refusal else { continue }
        try refuse(result.dot, in: part.palette, refusal, library, &actions)
      }
      try statements.check(part.palette, terms.trust, library, &actions)
    }
    receiver.grantCredit(&actions)
    reportCaughtUp(&actions)
  }

  /// Tells the peer that a snapshot is durable, or that a change in it is refused.
  private mutating func acknowledgeSnapshot<Library: SyncLibrary>(
    of palette: PaletteID,
    _ refused: SnapshotRefusal?,
    _ library: Library,
    _ actions: inout Actions
  ) throws(Library.Failure) {
    if let refused {
      receiver.forgetSnapshot(of: palette)
      guard let dot = refused.dot else {
        return actions.fail("the snapshot was refused: \(refused.reason)")
      }
      // The changes themselves would be refused in the same way: their author has to hear of it.
      try refuse(dot, in: palette, refused.reason, library, &actions)
      return receiver.grantCredit(&actions)
    }
    let own = try library.frontier(of: palette)
    actions.acknowledge([Frame.Held(palette: palette, frontier: own)], terms)
    if let held = receiver.finishSnapshot(of: palette) {
      actions.append(.stated(palette, held, isWhole: true))
    }
    try statements.check(palette, holding: own, terms.trust, library, &actions)
    receiver.grantCredit(&actions)
    reportCaughtUp(&actions)
  }

  private mutating func report(held: Frontier, of palette: PaletteID, _ actions: inout Actions) {
    guard terms.scope.covers(palette) else { return }
    receiver.remember(acknowledged: held, of: palette)
    actions.append(.stated(palette, held, isWhole: false))
  }

  private mutating func refuse<Library: SyncLibrary>(
    _ dot: Dot,
    in palette: PaletteID,
    _ refusal: Refusal,
    _ library: Library,
    _ actions: inout Actions
  ) throws(Library.Failure) {
    switch refusal {
    case .gap:
      // The peer pushed from further ahead than we are: it starts again from where we are.
      guard receiver.restart(palette) else { return }
      guard terms.packsChanges else {
        return try actions.sendFrontier(of: palette, asks: false, library)
      }
      try compareAgain(palette, library, &actions)
    case .fork, .equivocation:
      actions.refuse(dot, in: palette, .fork, "\(refusal)")
      try forks.add(dot, in: palette, terms.trust, library, &actions)
    case .malformed:
      actions.refuse(dot, in: palette, .malformed, "\(refusal)")
    }
  }
}

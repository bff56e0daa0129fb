import PaletteMerge
import PaletteModel

/// A connection from the welcome on: leads from comparing through pushing to live changes.
///
/// It hands what happens to the part that owns the state, and holds together what concerns several.
struct Exchange: Sendable {
  /// The terms of the connection; only the ids of the peer's library may become more.
  private(set) var terms: Terms
  /// The peer's reports and questions, counted.
  private var budget = PeerBudget()
  private var reconciliation = Reconciliation()
  private var receiver: Receiver
  private var disclosure = Disclosure()
  private var hasCaughtUp = false

  /// The most bytes of reports that a node keeps of a peer of the same people: frontiers of 100,000
  /// palettes.
  private static let relayStatementBytes = 64 << 20

  init(_ terms: Terms) {
    self.terms = terms
    receiver = Receiver(creditBytes: terms.creditBytes)
    if terms.isDialer || terms.trust.exchangesBindings {
      budget.statementBytes = Self.relayStatementBytes
    }
  }

  /// The number of changes the peer said to hold that are not held here yet, and that it may push.
  var changesToCome: Int { reconciliation.changesToCome }

  /// The bytes of unfinished snapshots that are kept.
  var snapshotBytes: Int { receiver.snapshotBytes }

  /// The most of them.
  var snapshotLimit: Int {
    get { receiver.snapshotLimit }
    set { receiver.snapshotLimit = newValue }
  }

  /// The most bytes that are kept of what the peer states.
  var statementLimit: Int {
    get { budget.statementBytes }
    set { budget.statementBytes = newValue }
  }

  /// About how many bytes are kept of what the peer stated.
  var statementBytes: Int { reconciliation.statementBytes }

  /// The number of changes of others the peer said to hold that are not held here, and that it may
  /// not push.
  func changesOutOfReach<Library: SyncLibrary>(
    _ library: Library
  ) throws(Library.Failure) -> Int {
    try reconciliation.changesOutOfReach(library)
  }

  /// Lets the peer push, and begins to compare.
  mutating func begin<Library: SyncLibrary>(
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    context.actions.send(.credit(context.terms.creditBytes))
    try reconciliation.begin(&context)
  }

  /// Handles what happened here.
  mutating func handle<Library: SyncLibrary>(
    _ event: SyncEvent,
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    switch event {
    case .committed(let palette, let batch):
      try reconciliation.push(batch, in: palette, &context)
    case .merged(let merged):
      try acknowledge(merged, &context)
    case .mergedSnapshot(let palette, let refused):
      try acknowledgeSnapshot(of: palette, refused, &context)
    case .rebuilt(let palette):
      try reconciliation.compareAgain(palette, &context)
    case .congested:
      reconciliation.isCongested = true
    case .writable:
      try reconciliation.goOn(&context)
    case .pushDue:
      try reconciliation.pump(&context)
    case .historyWanted(let palette, let node, let numbers):
      guard context.scope.covers(palette) else { break }
      let (first, last) = (numbers.lowerBound, numbers.upperBound)
      context.actions.send(.historyOf(palette, node, first: first, last: last))
    case .present(let presence):
      disclosure.tell(presence, context.terms, &context.actions)
    case .pingDue:
      context.actions.send(.ping(context.milliseconds))
    case .gaveBack(let palette):
      context.actions.send(.giveBack(palette))
    case .bindingsKnown(let bindings):
      Disclosure.tell(bindings, context.terms, &context.actions)
    case .bound(let nodes):
      terms.trust = terms.trust.speaking(as: nodes)
    case .opened, .received, .found, .accepted, .rejected, .revoked, .draining:
      break
    }
    reportCaughtUp(&context.actions)
  }

  /// Handles a frame, within what a peer may ask and state.
  mutating func receive<Library: SyncLibrary>(
    _ frame: Frame,
    byteCount: Int,
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    guard budget.admits(frame, atMilliseconds: context.milliseconds) else {
      return refuse(&context.actions)
    }
    try receiveAdmitted(frame, byteCount: byteCount, &context)
    if !context.actions.isClosed, statementBytes > budget.statementBytes {
      refuse(&context.actions)
    }
    reportCaughtUp(&context.actions)
  }

  private mutating func receiveAdmitted<Library: SyncLibrary>(
    _ frame: Frame,
    byteCount: Int,
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    let trust = context.trust
    switch frame {
    case .summary, .buckets, .palettes, .frontier, .lacking:
      try reconciliation.receive(frame, &context)
    case .changes(let palette, let node, let first, let changes):
      receiver.receive(
        changes,
        from: Dot(node, first),
        in: palette,
        frameBytes: byteCount,
        trust,
        &context.actions
      )
    case .packedChanges(let palette, let packed):
      receiver.receive(packed, in: palette, trust, &context.actions)
    case .whole(let whole):
      try receive(whole, &context)
    case .snapshot(let palette, let index, let isLast, let bytes):
      receiver.receive(
        snapshotPart: bytes,
        index,
        isLast: isLast,
        of: palette,
        frameBytes: byteCount,
        trust,
        &context.actions
      )
    case .packed(let palette, let part):
      receiver.receive(part, of: palette, frameBytes: byteCount, trust, &context.actions)
    case .ack(let palette, let frontier):
      report(held: frontier, of: palette, &context.actions)
    case .acks(let acks):
      for ack in acks { report(held: ack.frontier, of: ack.palette, &context.actions) }
    case .nack(let palette, let dot, let code, let reason):
      guard trust.scope.covers(palette) else { break }
      context.actions.append(
        .refusedByPeer(
          palette,
          dot,
          code: SafeText.words(code),
          reason: SafeText.words(reason)
        )
      )
      if code == Nack.fork.rawValue { try reconciliation.forks.add(dot, in: palette, &context) }
    case .credit(let bytes):
      try reconciliation.add(credit: bytes, &context)
    case .historyOf(let palette, let node, let first, let last):
      guard trust.scope.covers(palette), first <= last else { break }
      let limit = SyncProtocol.payloadBytes
      context.actions.send(
        .history(
          try context.library.oldHistory(of: palette, by: node, first...last, byteLimit: limit)
        )
      )
    case .history(let history):
      guard trust.letsInState(of: history.palette),
        try !reconciliation.forks.receive(shown: history, &context)
      else { return }
      context.actions.append(.oldHistory(history))
    case .giveBack(let palette):
      if !context.terms.isDialer { context.actions.append(.givenBack(palette)) }
    case .bindings(let bindings): context.actions.append(.bindings(bindings))
    case .presence(let presence):
      Disclosure.hear(presence, context.terms, context.library, &context.actions)
    case .ping(let time): context.actions.send(.pong(time, context.milliseconds))
    case .pong(let sent, let own):
      context.actions.append(.clock(peerMilliseconds: own, sentMilliseconds: sent))
    case .linksOf(let palette, let node, let sequences):
      try Forks.sendLinks(of: node, sequences, in: palette, &context)
    case .links(let palette, let node, let links):
      try reconciliation.forks.receive(links, of: node, in: palette, &context)
    case .hello, .challenge, .proof, .welcome, .refuse, .goaway, .bye:
      context.actions.fail("this frame is not expected after the welcome")
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
    guard !hasCaughtUp, !actions.isClosed, !receiver.isReceivingSnapshot,
      reconciliation.isDone(terms)
    else { return }
    hasCaughtUp = true
    actions.append(.caughtUp)
  }

  // MARK: Receiving

  /// Passes the changes of whole palettes on to be merged, and compares the peer's frontiers.
  private mutating func receive<Library: SyncLibrary>(
    _ whole: WholePalettes,
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    // Nothing is unpacked for who may push nothing.
    guard whole.entries.allSatisfy({ context.trust.letsInChanges(in: $0.palette) }) else {
      return context.actions.fail("changes from someone who may not push any")
    }
    let arrivals: [WholePalettes.Arrival]
    do {
      arrivals = try whole.arrivals()
    } catch {
      return context.actions.fail("\(error)")
    }
    try reconciliation.compare(arrivals, &context)
    receiver.receive(arrivals.map(\.changes), context.trust, &context.actions)
  }

  /// Tells the peer what is durable, and what is refused.
  private mutating func acknowledge<Library: SyncLibrary>(
    _ merged: [MergedChanges],
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    for held in try receiver.finish(merged, &context) {
      report(held: held.frontier, of: held.palette, &context.actions)
    }
    for part in merged {
      for result in part.results {
        guard let refusal = result.refusal else { continue }
        try refuse(result.dot, in: part.palette, refusal, &context)
      }
      try reconciliation.check(part.palette, &context)
    }
    receiver.grantCredit(&context.actions)
  }

  /// Tells the peer that a snapshot is durable, or that a change in it is refused.
  private mutating func acknowledgeSnapshot<Library: SyncLibrary>(
    of palette: PaletteID,
    _ refused: SnapshotRefusal?,
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    if let refused {
      receiver.forgetSnapshot(of: palette)
      guard let dot = refused.dot else {
        return context.actions.fail("the snapshot was refused: \(refused.reason)")
      }
      // The changes themselves would be refused in the same way: their author has to hear of it.
      try refuse(dot, in: palette, refused.reason, &context)
      return receiver.grantCredit(&context.actions)
    }
    let own = try context.library.frontier(of: palette)
    context.actions.acknowledge([Frame.Held(palette: palette, frontier: own)], context.terms)
    if let held = receiver.finishSnapshot(of: palette) {
      context.actions.append(.stated(palette, held, isWhole: true))
    }
    try reconciliation.check(palette, holding: own, &context)
    receiver.grantCredit(&context.actions)
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
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    switch refusal {
    case .gap:
      // The peer pushed from further ahead than we are: it starts again from where we are.
      guard receiver.restart(palette) else { return }
      guard context.terms.packsChanges else {
        return try context.sendFrontier(of: palette, asks: false)
      }
      try reconciliation.compareAgain(palette, &context)
    case .fork, .equivocation:
      context.actions.refuse(dot, in: palette, .fork, "\(refusal)")
      try reconciliation.forks.add(dot, in: palette, &context)
    case .malformed:
      context.actions.refuse(dot, in: palette, .malformed, "\(refusal)")
    }
  }
}

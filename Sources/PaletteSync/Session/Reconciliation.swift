import PaletteMerge
import PaletteModel

/// The comparison of both sides, and the pushes that follow from it.
struct Reconciliation: Sendable {
  private var comparison = Comparison()
  private var statements = HeldReports()
  /// Authors of whom both sides hold different changes.
  var forks = Forks()
  private var pusher = Pusher()

  /// The number of changes the peer said to hold that are not held here yet, and that it may push.
  ///
  /// Of palettes of which it has not told yet, as many as of the others count.
  var changesToCome: Int { statements.changesToCome + comparison.changesToCome }

  /// About how many bytes are kept of what the peer stated.
  var statementBytes: Int { statements.byteCount + comparison.byteCount }

  /// True if more waits to be sent than the connection may hold.
  var isCongested: Bool {
    get { pusher.isCongested }
    set { pusher.isCongested = newValue }
  }

  /// Returns whether everything is pushed and, at the dialer, everything has arrived.
  func isDone(_ terms: Terms) -> Bool {
    // Whoever dialed gets everything; the other side may never get what the role does not let through.
    comparison.isDone && pusher.isLive && (!terms.isDialer || statements.isEmpty)
  }

  /// The number of changes of others the peer said to hold that are not held here, and that it may
  /// not push.
  func changesOutOfReach<Library: SyncLibrary>(
    _ library: Library
  ) throws(Library.Failure) -> Int {
    try statements.changesOutOfReach(library)
  }

  /// Begins to compare.
  mutating func begin<Library: SyncLibrary>(
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    try comparison.begin(&context)
  }

  /// Handles a frame that tells what the peer holds.
  mutating func receive<Library: SyncLibrary>(
    _ frame: Frame,
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    switch frame {
    case .summary(let digest):
      try endComparison(comparison.receive(summary: digest, &context), &context)
    case .buckets(let digests):
      try endComparison(comparison.receive(buckets: digests, &context), &context)
    case .palettes(let buckets, let entries, let isLast):
      let outcome = try comparison.receive(
        palettes: entries,
        of: buckets,
        isLast: isLast,
        &context
      )
      try endComparison(outcome, &context)
    case .frontier(let palette, let part, let digest, let asks, let isLast):
      guard context.scope.covers(palette) else {
        return context.actions.fail("a palette out of scope")
      }
      guard let theirs = statements.assemble(part, of: palette, isLast: isLast) else { return }
      try compare(palette, theirs, digest, asks: asks, &context)
    case .lacking(let palettes):
      guard palettes.allSatisfy(context.scope.covers) else {
        return context.actions.fail("a palette out of scope")
      }
      pushAll(of: palettes, &context.actions)
      try askOn(&context)
      // Packing takes long: others have their turn first.
      context.actions.append(.pushOn)
    default: break
    }
  }

  // MARK: Comparing

  private mutating func endComparison<Library: SyncLibrary>(
    _ outcome: Comparison.Outcome?,
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    guard let outcome else { return }
    for palette in outcome.differing { pusher.awaitFrontier(of: palette) }
    pushAll(of: outcome.lacked, &context.actions)
    try askOn(&context)
    for (palette, held) in outcome.changed { pusher.pushLog(of: palette, after: held) }
    try pump(&context)
  }

  /// Asks how far the peer is with the palettes that differ, as many as may be asked for now.
  private mutating func askOn<Library: SyncLibrary>(
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    guard !pusher.isCongested else { return }
    var lacking: [PaletteID] = []
    while let palette = comparison.nextAsk() {
      guard pusher.isComparing(palette) else {
        // The peer has asked meanwhile, so each knows how far the other is.
        comparison.endAsk(palette)
        continue
      }
      let own = try context.library.frontier(of: palette)
      if own.isEmpty, context.terms.packsPalettes {
        lacking.append(palette)
      } else {
        try context.sendFrontier(of: palette, own, asks: true)
      }
    }
    let size = min(SyncProtocol.lackingEntries, context.terms.payloadBytes / 20)
    for start in stride(from: 0, to: lacking.count, by: size) {
      context.actions.send(.lacking(Array(lacking[start..<min(start + size, lacking.count)])))
    }
  }

  /// Compares a palette, of which the peer tells how far it is, and pushes from there.
  private mutating func compare<Library: SyncLibrary>(
    _ palette: PaletteID,
    _ theirs: Frontier,
    _ digest: Digest,
    asks: Bool,
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    let own = try context.library.frontier(of: palette)
    if asks { try context.sendFrontier(of: palette, own, asks: false) }
    try compare(palette, own, theirs, digest, &context)
    if asks || restarts(palette, context.terms) { pusher.pushLog(of: palette, after: theirs) }
    try askOn(&context)
    if asks, pusher.isPushingLog(of: palette) {
      // The peer has as much to pack: it begins as soon as it knows how far we are.
      context.actions.append(.pushOn)
    } else {
      try pump(&context)
    }
  }

  /// Remembers how far the peer is with a palette, and stops pushing authors of whom it holds other
  /// changes.
  private mutating func compare<Library: SyncLibrary>(
    _ palette: PaletteID,
    _ own: Frontier,
    _ theirs: Frontier,
    _ digest: Digest,
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    let trust = context.trust
    comparison.endAsk(palette, missing: HeldReports.missing(theirs, in: own))
    context.actions.append(.stated(palette, theirs, isWhole: true))
    forks.forget(palette)
    for dot in try Forks.differences(in: palette, own, theirs, context.library) {
      // A peer that holds less of the author cannot see it, and may be the author.
      if !context.library.isOwn(dot.node),
        own[dot.node].map({ $0.sequence > dot.sequence }) ?? false
      {
        let code = Nack.fork.rawValue
        context.actions.send(.nack(palette, dot, code: code, reason: "another change is held"))
      }
      try forks.add(dot, in: palette, &context)
    }
    // Of whoever may push nothing there is nothing to wait for.
    if trust.letsInChanges(in: palette) || own.covers(theirs) {
      statements.expect(theirs, digest, of: palette)
      try statements.check(palette, holding: own, &context)
    }
    statements.keepOutOfReach(palette, theirs, own, trust)
  }

  /// Compares whole palettes, each as far as the peer is with it.
  mutating func compare<Library: SyncLibrary>(
    _ arrivals: [WholePalettes.Arrival],
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    for arrival in arrivals {
      let (palette, theirs) = (arrival.changes.palette, arrival.changes.heads)
      let own = try context.library.frontier(of: palette)
      try compare(palette, own, theirs, arrival.digest, &context)
      if theirs.covers(own) {
        pusher.endComparing(palette)
      } else if pusher.isComparing(palette) {
        pusher.pushLog(of: palette, after: theirs)
      }
    }
    try askOn(&context)
    try pump(&context)
  }

  /// Returns whether a frontier that does not ask says from where to push.
  ///
  /// It does when we asked for it. Else the peer only states how far it is when it has sent all that
  /// it had, and what we have sent may be on its way; but one without the feature says in the same
  /// way that a change came too early.
  private func restarts(_ palette: PaletteID, _ terms: Terms) -> Bool {
    pusher.isComparing(palette) || !terms.packsChanges
  }

  /// Asks the peer how far it is with a palette, to push from there.
  mutating func compareAgain<Library: SyncLibrary>(
    _ palette: PaletteID,
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    guard context.scope.covers(palette) else { return }
    guard comparison.isDone else { return comparison.rememberNothing(of: palette) }
    pusher.awaitFrontier(of: palette)
    try context.sendFrontier(of: palette, asks: true)
  }

  /// Compares digests of a palette when we hold exactly what the peer said it holds.
  mutating func check<Library: SyncLibrary>(
    _ palette: PaletteID,
    holding known: Frontier? = nil,
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    try statements.check(palette, holding: known, &context)
  }

  // MARK: Pushing

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

  /// Pushes what was just committed: what a hub does most, for every watcher of every change.
  mutating func push<Library: SyncLibrary>(
    _ batch: OutgoingBatch,
    in palette: PaletteID,
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    if context.scope.covers(palette), !batch.changes.isEmpty {
      if !comparison.isDone {
        try comparison.remember(palette, before: batch.changes, context.library)
      } else if try pusher.push(
        committed: batch,
        in: palette,
        forks,
        &context
      ) {
        try pump(&context)
      }
    }
    // What this peer has may have come from another one.
    try statements.check(palette, &context)
  }

  /// Pushes while the peer takes more.
  mutating func pump<Library: SyncLibrary>(
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    guard comparison.isDone else { return }
    try pusher.pump(forks, &context)
  }

  /// Lets more bytes go to the peer.
  mutating func add<Library: SyncLibrary>(
    credit bytes: UInt64,
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    pusher.add(credit: bytes)
    try pump(&context)
  }

  /// Goes on with asking and pushing, as the connection takes more.
  mutating func goOn<Library: SyncLibrary>(
    _ context: inout Context<Library>
  ) throws(Library.Failure) {
    pusher.isCongested = false
    try askOn(&context)
    try pump(&context)
  }
}

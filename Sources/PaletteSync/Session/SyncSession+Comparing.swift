import PaletteModel

/// How far two sides are with finding out which palettes differ.
struct Comparison: Hashable {
  /// The digest that we sent; both sides compare the two that were sent, so they agree.
  var ownSummary = Digest.zero
  /// The peer's palettes in buckets that differ, as far as they came.
  var entries: [Frame.Entry] = []
  /// Palettes that changed here since our digests were sent, with what was held before.
  var early: [PaletteID: Frontier] = [:]
  /// Whether we know which palettes differ.
  var isDone = false
}

/// What a peer said it holds of a palette.
struct Statement: Hashable {
  let frontier: Frontier
  let digest: Digest
}

extension SyncSession {
  mutating func compare<Library: SyncLibrary>(
    summary: Digest,
    _ library: Library,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    guard !comparison.isDone else { return fail("a second summary", &actions) }
    if summary == comparison.ownSummary {
      noteEqual(except: [], &actions)
      return try finishComparison(library, &actions)
    }
    guard isDialer else { return }
    // From here on our digests stand for what we hold now.
    comparison.early = [:]
    let digests = try library.bucketDigests(in: trust.scope)
    actions.append(.send(Frame.buckets(digests).encoded))
  }

  mutating func compare<Library: SyncLibrary>(
    buckets: [Digest],
    _ library: Library,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    guard !isDialer, !comparison.isDone else { return fail("buckets out of turn", &actions) }
    let own = try library.bucketDigests(in: trust.scope)
    let differing = (0..<SyncProtocol.buckets).filter { own[$0] != buckets[$0] }.map(UInt8.init)
    let entries = try library.palettes(in: trust.scope, buckets: Set(differing))
    // An entry takes 36 bytes.
    let chunk = payloadBytes / 36
    for start in stride(from: 0, through: max(0, entries.count - 1), by: chunk) {
      let end = min(start + chunk, entries.count)
      let frame = Frame.palettes(
        buckets: differing,
        entries: Array(entries[start..<end]),
        isLast: end == entries.count
      )
      actions.append(.send(frame.encoded))
    }
    comparison.early = [:]
    try finishComparison(library, &actions)
  }

  mutating func compare<Library: SyncLibrary>(
    buckets: [UInt8],
    entries: [Frame.Entry],
    isLast: Bool,
    _ library: Library,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    guard isDialer, !comparison.isDone else { return fail("palettes out of turn", &actions) }
    comparison.entries += entries
    guard isLast else { return }
    var own: [PaletteID: Digest] = [:]
    for entry in try library.palettes(in: trust.scope, buckets: Set(buckets)) {
      own[entry.palette] = entry.digest
    }
    let theirs = Dictionary(
      comparison.entries.map { ($0.palette, $0.digest) },
      uniquingKeysWith: { first, _ in first }
    )
    var differing: Set<PaletteID> = []
    for palette in Set(theirs.keys).union(own.keys).sorted() where trust.scope.covers(palette) {
      // What came from elsewhere meanwhile may be what the peer has: its digest is newer than ours.
      comparison.early[palette] = nil
      guard theirs[palette] != own[palette] else { continue }
      progress[palette] = .comparing
      differing.insert(palette)
    }
    asks.add(differing.sorted())
    try askOn(library, &actions)
    noteEqual(except: differing, &actions)
    comparison.entries = []
    try finishComparison(library, &actions)
  }

  /// Asks how far the peer is with the palettes that differ, as many as may be asked for now.
  mutating func askOn<Library: SyncLibrary>(
    _ library: Library,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    while !isCongested, let palette = asks.next() {
      guard progress[palette] == .comparing else {
        // The peer has asked meanwhile, so each knows how far the other is.
        asks.close(palette)
        continue
      }
      try sendFrontier(of: palette, asks: true, library, &actions)
    }
  }

  /// The peer holds what we held when the digests were found to be equal, but for some palettes.
  ///
  /// Only whoever dialed keeps count of what the other side holds; a hub would have to for each of those
  /// who come back.
  private func noteEqual(except differing: Set<PaletteID>, _ actions: inout [SyncAction]) {
    guard isDialer else { return }
    let early = comparison.early.filter { !differing.contains($0.key) }
    actions.append(.equal(except: differing.union(early.keys)))
    for (palette, frontier) in early.sorted(by: { $0.key < $1.key }) {
      actions.append(.stated(palette, frontier, isWhole: true))
    }
  }

  private mutating func finishComparison<Library: SyncLibrary>(
    _ library: Library,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    comparison.isDone = true
    for (palette, frontier) in comparison.early { progress[palette] = .pushing(sent: frontier) }
    comparison.early = [:]
    try pump(library, &actions)
    noteProgress(&actions)
  }

  func sendFrontier<Library: SyncLibrary>(
    of palette: PaletteID,
    asks: Bool,
    _ library: Library,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    let frontier = try library.frontier(of: palette)
    let digest = try library.digest(of: palette)
    for (part, isLast) in frontier.parts {
      let frame = Frame.frontier(palette, part, digest, asks: asks, isLast: isLast)
      actions.append(.send(frame.encoded))
    }
  }

  /// Asks the peer how far it is with a palette, to push from there.
  mutating func compareAgain<Library: SyncLibrary>(
    _ palette: PaletteID,
    _ library: Library,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    guard trust.scope.covers(palette) else { return }
    guard comparison.isDone else {
      // Before that, a lower frontier than the true one only costs some repetition.
      comparison.early[palette] = [:]
      return
    }
    if !isPushingSnapshot(of: palette) { progress[palette] = .comparing }
    try sendFrontier(of: palette, asks: true, library, &actions)
  }

  /// Whether a snapshot is under way: what is begun is finished, and the log follows from there.
  private func isPushingSnapshot(of palette: PaletteID) -> Bool {
    switch progress[palette] {
    case .pushingSnapshot, .pushingPacked: true
    case .comparing, .pushing, .live, nil: false
    }
  }

  /// Takes a part of how far the peer is with a palette.
  mutating func take(
    _ palette: PaletteID,
    frontierPart part: Frontier,
    isLast: Bool,
    _ actions: inout [SyncAction]
  ) -> Frontier? {
    guard trust.scope.covers(palette) else {
      fail("a palette out of scope", &actions)
      return nil
    }
    return awaited.assemble(part, of: palette, isLast: isLast)
  }

  /// Takes how far the peer is with a palette, and pushes from there.
  mutating func compare<Library: SyncLibrary>(
    _ palette: PaletteID,
    frontier theirs: Frontier,
    digest: Digest,
    asks: Bool,
    _ library: Library,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    if asks { try sendFrontier(of: palette, asks: false, library, &actions) }
    self.asks.close(palette)
    try askOn(library, &actions)
    actions.append(.stated(palette, theirs, isWhole: true))
    let own = try library.frontier(of: palette)
    forks[palette] = nil
    for dot in try forkedDots(in: palette, own, theirs, library) {
      // A peer that holds less of the author cannot see it, and may be the author.
      if !library.isOwn(dot.node), own[dot.node].map({ $0.sequence > dot.sequence }) ?? false {
        let code = Nack.fork
        let nack = Frame.nack(palette, dot, code: code.rawValue, reason: "another change is held")
        actions.append(.send(nack.encoded))
      }
      try note(fork: dot, in: palette, library, &actions)
    }
    // Of whoever may push nothing there is nothing to wait for.
    if trust.letsInChanges(in: palette) || own.covers(theirs) {
      awaited[palette] = Statement(frontier: theirs, digest: digest)
      try check(palette, library, &actions)
    }
    noteOutOfReach(palette, theirs, own)
    if !isPushingSnapshot(of: palette), asks || restarts(palette) {
      progress[palette] = .pushing(sent: theirs)
    }
    if asks, case .pushing = progress[palette] {
      // The peer has as much to pack: it begins as soon as it knows how far we are.
      actions.append(.pushOn)
    } else {
      try pump(library, &actions)
    }
    noteProgress(&actions)
  }

  /// Whether a frontier that does not ask says from where to push.
  ///
  /// It does when we asked for it. Else the peer only states how far it is when it has sent all that
  /// it had, and what we have sent may be on its way; but one without the feature says in the same
  /// way that a change came too early.
  private func restarts(_ palette: PaletteID) -> Bool {
    progress[palette] == .comparing || !features.contains(SyncProtocol.packedChanges)
  }

  /// Where both sides hold a change with the same dot, but not the same change.
  private func forkedDots<Library: SyncLibrary>(
    in palette: PaletteID,
    _ own: Frontier,
    _ theirs: Frontier,
    _ library: Library
  ) throws(Library.Failure) -> [Dot] {
    var dots: [Dot] = []
    for (node, head) in theirs.sorted(by: { $0.key < $1.key }) {
      guard let held = own[node] else { continue }
      if head.sequence == held.sequence, head.link != held.link {
        dots.append(Dot(node, head.sequence))
      }
      if head.sequence < held.sequence,
        let link = try library.link(of: Dot(node, head.sequence), in: palette), link != head.link
      {
        dots.append(Dot(node, head.sequence))
      }
    }
    return dots
  }

  /// Compares digests when we hold exactly what the peer said it holds.
  mutating func check<Library: SyncLibrary>(
    _ palette: PaletteID,
    _ library: Library,
    _ actions: inout [SyncAction]
  ) throws(Library.Failure) {
    guard let statement = awaited[palette] else { return }
    let own = try library.frontier(of: palette)
    guard own.covers(statement.frontier) else {
      let theirs = statement.frontier.filter { trust.letsIn(changesBy: $0.key, in: palette) }
      return awaited.setChangesToCome(Self.missing(theirs, in: own), of: palette)
    }
    awaited[palette] = nil
    if own == statement.frontier, try library.digest(of: palette) != statement.digest {
      actions.append(.diverged(palette))
    }
  }

  /// How many changes the peer said to hold that are not held here yet, and that it may push.
  public var changesToCome: Int { awaited.changesToCome }

  /// How many changes of others the peer said to hold that are not held here, and that it may not push.
  ///
  /// - Throws: That the library cannot be read.
  public func changesOutOfReach<Library: SyncLibrary>(
    _ library: Library
  ) throws(Library.Failure) -> Int {
    var count = 0
    for (palette, theirs) in outOfReach {
      count += try Self.missing(theirs, in: library.frontier(of: palette))
    }
    return count
  }

  private static func missing(_ theirs: Frontier, in own: Frontier) -> Int {
    theirs.reduce(0) { $0 + max(0, Int($1.value.sequence) - Int(own[$1.key]?.sequence ?? 0)) }
  }

  /// Keeps what a peer holds that is missing here and that it may not push; of liars, not much.
  private mutating func noteOutOfReach(_ palette: PaletteID, _ theirs: Frontier, _ own: Frontier) {
    let missing = theirs.filter { node, head in
      head.sequence > own[node]?.sequence ?? 0 && !trust.letsIn(changesBy: node, in: palette)
        && !trust.isBound(node)
    }
    outOfReach[palette] = nil
    let kept = outOfReach.values.reduce(0) { $0 + $1.count }
    guard !missing.isEmpty, kept + missing.count <= Self.keptOutOfReach else { return }
    outOfReach[palette] = missing
  }

  private static let keptOutOfReach = 1_000

  /// Says once that everything is exchanged that either side had when they met.
  mutating func noteProgress(_ actions: inout [SyncAction]) {
    guard comparison.isDone, !hasCaughtUp, incoming.isEmpty, pulls.isEmpty else { return }
    // Whoever dialed gets everything; the other side may never get what the role does not let through.
    guard !isDialer || awaited.isEmpty else { return }
    guard progress.isLive else { return }
    hasCaughtUp = true
    actions.append(.caughtUp)
  }
}

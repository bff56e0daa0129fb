internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore
internal import PaletteSync

/// Changes of one frame that wait to be merged.
struct Arrivals {
  let parts: [ArrivedChanges]
  /// The number of changes there are.
  let count: Int
  /// The number of bytes the changes have.
  let byteCount: Int

  init(_ parts: [ArrivedChanges]) {
    self.parts = parts
    count = parts.reduce(0) { $0 + $1.count }
    byteCount = parts.reduce(0) { $0 + $1.byteCount }
  }
}

/// A snapshot that waits to be merged.
struct ArrivedSnapshot {
  /// The form in which its changes came.
  enum Content {
    case plain(Snapshot)
    case staged(StagedSnapshot)
  }

  let palette: PaletteID
  let connection: PeerConnectionID
  let content: Content

  /// The number of changes that it brings, and itself.
  var weight: Int {
    switch content {
    case .plain(let snapshot): snapshot.rows.count + 1
    case .staged(let snapshot): snapshot.changes.rows.count + 1
    }
  }

  /// The frontier of its sender's changes.
  var frontier: Frontier {
    switch content {
    case .plain(let snapshot): snapshot.frontier
    case .staged(let snapshot): snapshot.frontier
    }
  }

  /// Merges it.
  ///
  /// - Returns: What became of it; of one that was refused nothing was kept.
  func merge(into store: ChangeStore) throws(StoreError) -> SnapshotOutcome {
    switch content {
    case .plain(let snapshot): try store.merge(snapshot, into: palette)
    case .staged(let snapshot): try store.merge(snapshot, into: palette)
    }
  }
}

/// The work of the next turn: merging what peers sent, and letting those go on that have more to
/// push.
final class MergeQueue {
  /// The most changes of peers that one commit takes, so that nobody else waits for long.
  static let changesPerTurn = 12_288
  /// The same for changes of members while others want something.
  private static let changesPerStep = 512
  /// The largest palette fits into one burst; beyond it a peer's changes are merged at this rate.
  private static let changeLimits = FairLimits(perSecond: 25_000, burst: 250_000)
  /// The bytes of a long catch-up that are worth a commit: half of what a peer may send unmerged.
  private static func gatheredBytes(_ limits: SyncLimits) -> Int {
    Int(min(limits.creditBytes, SyncProtocol.creditBytes) / 2)
  }

  /// Changes that arrived and are not merged yet.
  private var arrivals: FairQueue<PeerConnectionID, Arrivals>
  /// The batches that wait for more of the same.
  private var batches: MergeBatcher
  /// Snapshots that arrived and are not merged yet, in their order.
  private var snapshots: [ArrivedSnapshot] = []
  /// The connections that have more to push when others have had their turn.
  private var pushing: Set<PeerConnectionID> = []
  /// Those of them for whom there was no time, and who come first.
  private var pushingFirst: [PeerConnectionID] = []
  /// The senders of the changes that are being merged.
  private var sources: [PaletteID: ChangeSources] = [:]

  init(_ limits: SyncLimits, ofChanges changeLimits: FairLimits = changeLimits) {
    arrivals = FairQueue(limits: changeLimits)
    batches = MergeBatcher(
      changeLimit: Self.changesPerTurn,
      byteLimit: Self.gatheredBytes(limits)
    )
  }

  /// True if a connection has more to push.
  var isPushing: Bool { !pushing.isEmpty }

  /// Adds what a frame brought.
  ///
  /// - Parameters:
  ///   - work: What it brought.
  ///   - connection: Where it came from.
  ///   - missing: How many changes the peer said to hold that are not held here, these among them.
  ///   - isLimited: Whether the peer has only so many changes taken a second.
  ///   - now: The time.
  func add(
    _ work: Arrivals,
    from connection: PeerConnectionID,
    missing: Int,
    isLimited: Bool = true,
    at now: Int64
  ) {
    arrivals.add(work, cost: isLimited ? work.count : 0, from: connection, at: now)
    batches.add(work, from: connection, missing: missing > 0 ? missing : nil, at: now)
  }

  /// Adds a snapshot, which waits for no more of them: those that came together are merged together.
  func add(_ snapshot: ArrivedSnapshot) { snapshots.append(snapshot) }

  /// Removes the snapshots that are to be merged now: all, for their senders may send on at once, and
  /// what is read between two turns is all that may wait.
  func removeSnapshots() -> [ArrivedSnapshot] {
    defer { snapshots = [] }
    return snapshots
  }

  /// A peer has told how far it is with a palette: it has sent all of it, and what is missing besides
  /// is of other palettes.
  func expect(_ missing: Int, from connection: PeerConnectionID) {
    batches.expect(missing, from: connection)
  }

  /// Lets a connection push on when others have had their turn.
  func pushOn(_ connection: PeerConnectionID) { pushing.insert(connection) }

  /// Lets connections push on before all others: there was no time for them.
  func pushFirst(_ connections: ArraySlice<PeerConnectionID>) {
    pushing.formUnion(connections)
    pushingFirst = Array(connections)
  }

  /// The connections that push on now, in order.
  func removePushing() -> [PeerConnectionID] {
    defer { (pushing, pushingFirst) = ([], []) }
    let first = pushingFirst.filter(pushing.contains)
    return first + pushing.subtracting(first).sorted { $0.rawValue < $1.rawValue }
  }

  /// Forgets a connection that has ended.
  func remove(_ connection: PeerConnectionID) {
    arrivals.remove(connection)
    batches.remove(connection)
    pushing.remove(connection)
    snapshots.removeAll { $0.connection == connection }
  }

  /// The time that the shell may wait for the next turn; nil when nothing waits.
  func delayMilliseconds(at now: Int64) -> Int64? {
    if isPushing || !snapshots.isEmpty { return 0 }
    return arrivals.delayMilliseconds(at: now) { batches.delayMilliseconds(of: $0, at: now) }
  }

  /// Begins a turn: removes what is to be merged now, and remembers who sent it.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - isHeldBack: Whether little of a peer is taken, so that nobody else waits for it.
  /// - Returns: What is to be merged now, and who sent it.
  func beginTurn(
    at now: Int64,
    where isHeldBack: (PeerConnectionID) -> Bool = { _ in false }
  ) -> [(session: PeerConnectionID, work: Arrivals)] {
    var taken: [(session: PeerConnectionID, work: Arrivals)] = []
    var chosen: Set<PeerConnectionID> = []
    var count = 0
    var known: [PeerConnectionID: Bool] = [:]
    func mayGoOn(_ connection: PeerConnectionID) -> Bool {
      guard count >= Self.changesPerStep else { return true }
      if let isHeld = known[connection] { return !isHeld }
      let isHeld = isHeldBack(connection)
      known[connection] = isHeld
      return !isHeld
    }
    // What is due is taken whole; what is gathered by then waits for the next turn.
    while count < Self.changesPerTurn,
      let next = arrivals.next(
        at: now,
        where: { [batches, isPushing] connection in
          mayGoOn(connection)
            && (chosen.contains(connection)
              || Self.isDue(connection, batches, isPushing: isPushing, at: now))
        }
      )
    {
      chosen.insert(next.session)
      batches.remove(next.work, from: next.session, at: now)
      for part in next.work.parts {
        sources[part.palette, default: ChangeSources()].add(part, next.session)
      }
      count += next.work.count
      taken.append(next)
    }
    return taken
  }

  /// The senders of the changes of a palette that are being merged.
  func sources(of palette: PaletteID) -> ChangeSources { sources[palette] ?? ChangeSources() }

  /// Ends a turn: everybody was told what was merged.
  func endTurn() { sources = [:] }

  /// Returns whether what a peer sent is to be merged now.
  private static func isDue(
    _ connection: PeerConnectionID,
    _ batches: MergeBatcher,
    isPushing: Bool,
    at now: Int64
  ) -> Bool {
    batches.delayMilliseconds(of: connection, at: now) == 0
      && !(isPushing && batches.canWait(connection, at: now))
  }
}

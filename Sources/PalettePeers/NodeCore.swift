internal import PaletteModel
package import PaletteStore
package import PaletteSync

/// The changes that a commit was about: how many each peer sent, and how many were made at this node.
package struct Workload {
  /// The changes by who pays for merging them; those of machines of the same people are the owner's.
  package var shares: [Payer: Int] = [:]
  /// The changes that were made here.
  package var changesMadeHere = 0
}

/// The decisions of a node about its peers: event in, effects out.
///
/// It owns the sessions, merges what they receive in groups, and broadcasts what is durable. It has
/// no socket, no thread and no timer, so a whole fleet of cores runs inside one test.
package final class NodeCore {
  package let store: ChangeStore
  let limits: SyncLimits
  /// The peers that this library joined, and how they are reached.
  let dialing: DialBook
  let connections = PeerConnections()
  /// The work that waits for the next turn.
  let turns: MergeQueue
  /// The reports of what peers hold that are not written yet.
  let statements = HeldReportBuffer()
  /// The views of palettes.
  package let presence = PresenceTable()
  /// Old rows that peers were asked for.
  let history = HistoryFetches()
  /// Own changes that are to be issued again when the event is dealt with.
  let reissues: Reissues
  /// The readings of the peers' clocks.
  let clocks = PeerClocks()
  /// Palettes with own changes that may have been sent.
  let offering = Offering()
  /// The machines that came in.
  let members = MemberBook()
  /// The amounts that members have written, and may write.
  let quotas = WriteQuotas()
  /// The time at which the rights of connected members are looked at next.
  let rights = RightsSchedule()
  let random: RandomSource
  /// For whom the loop works.
  package let time: LoopTime
  /// The name that this node wants to have, asked for with each connection: it may be set at any time.
  let name: () -> String
  /// The changes that the last flush was about.
  package internal(set) var workload = Workload()
  /// The effects of the present event.
  private(set) var effects: [NodeEffect] = []
  private var isDraining = false
  /// The number of this library's ids that peers know.
  private var toldIdentities: Int
  /// The progress of looking whether what is listed is found.
  private var lookups = LookupCheck()
  /// The commits of any origin that the sessions have not heard of yet.
  private var committed: [CommittedChanges] = []
  /// The same, and not taken by the shell yet.
  private var news: [CommittedChanges] = []
  /// The damage over which a peer could not be served, if any: waiting for peers does not help
  /// then.
  package private(set) var damage: StoreError?

  /// Creates the core of a node that speaks for a library, and wants to be called by a name.
  package init(
    _ store: ChangeStore,
    name: @escaping () -> String = { "" },
    random: some RandomNumberGenerator,
    limits: SyncLimits = SyncLimits(),
    time: LoopTime = LoopTime()
  ) throws {
    self.store = store
    self.name = name
    self.time = time
    self.limits = limits
    turns = MergeQueue(limits)
    reissues = Reissues(greetedNode: store.node)
    self.random = RandomSource(random)
    dialing = DialBook(try store.peers.all(), random: self.random)
    toldIdentities = store.identities.count
    store.followsCommits = true
    // What a crash left open counts as given away.
    try endOffering()
    checkLookups()
  }

  // MARK: What the shell sees

  /// True if a tick may have something to do: a peer is connected or joined, or what is known waits to be
  /// written or checked.
  package var needsTicks: Bool {
    connections.count > 0 || !peers.isEmpty || !statements.isEmpty || !quotas.unsaved.isEmpty
      || !presence.present.isEmpty || !(lookups.isDone || damage != nil)
  }

  /// The dialers of the joined peers.
  package var dialers: [String: PeerDialer] { dialing.dialers }

  /// How a machine that this library lets in stands; nil for one that was not here since the node began.
  package func standing(ofMember id: Int64) -> MemberStanding? { members.standing(of: id) }

  /// The peers that this library joined.
  package var peers: [String: StoredPeer] { dialing.peers }

  /// The bytes of changes that each member may have in the log.
  package var quotaBytes: Int {
    get { quotas.limitBytes }
    set { quotas.limitBytes = newValue }
  }

  /// The most connections of one member.
  package var connectionsOfMember: Int {
    get { connections.memberLimit }
    set { connections.memberLimit = newValue }
  }

  // MARK: Effects

  /// Adds an effect, which the shell carries out after the present event.
  func emit(_ effect: NodeEffect) { effects.append(effect) }

  func emit(_ effects: [NodeEffect]) { self.effects += effects }

  /// Takes out the effects; those decided before a failure are carried out the next time.
  func removeEffects() -> [NodeEffect] {
    defer { effects = [] }
    return effects
  }

  // MARK: The library

  /// True if peers may be dialed.
  var mayDial: Bool { !isDraining && !quotas.isFull }

  /// Looks whether some more of what is listed is found, until all is looked at.
  func checkLookups() {
    guard !lookups.isDone, damage == nil else { return }
    do {
      try lookups.step(in: store)
    } catch {
      // What can be read is served all the same.
      rememberDamage(error)
    }
  }

  /// Nobody is connected: what is written from now on has not left.
  func endOffering() throws {
    collect()
    if try store.endOffering(of: offering.palettes) { offering.removeAll() }
  }

  /// Collects what the store made durable.
  private func collect() {
    let new = store.removeCommitted()
    for changes in new where changes.authors.contains(where: store.isOwn) {
      offering.add(changes.palette)
    }
    committed += new
    news += new
  }

  /// Removes what became durable, for those here who want to know.
  ///
  /// The sessions are told by the next event, where they were not yet.
  package func removeCommitted() -> [CommittedChanges] {
    collect()
    defer { news = [] }
    return news
  }

  /// Remembers damage, where that is why the library could not be used for a peer.
  package func rememberDamage(_ failure: any Error) {
    guard damage == nil, let failure = failure as? StoreError else { return }
    switch failure.code {
    case .corrupt: damage = failure
    // Nothing that is merged breaks a rule of its table: either it is damaged, or the rule is.
    case .constraint, .failed: damage = failure.corrupt
    default: break
    }
  }

  /// Logs what could not be done with the library, and why.
  func report(_ problem: String, _ failure: any Error) {
    rememberDamage(failure)
    emit(.log(.storage, isProblem: true, "\(problem): \(failure)"))
  }

  /// True if anything was committed that the sessions were not told of.
  package var hasNews: Bool { store.hasCommitted || !committed.isEmpty }

  /// Decides what to do about what happened.
  package func handle(_ event: NodeEvent) throws -> [NodeEffect] {
    // Sessions read the library: they have to know of all that is in it.
    orBeginAnew { try broadcast() }
    switch event {
    case .accepted(let id, let endpoint): try open(id, .acceptor, endpoint: endpoint)
    case .dialed(let id, let url, let address, let endpoint):
      try opened(id, url, address, endpoint)
    case .dialFailed(let url, let address, let error): failed(url, address, error)
    case .received(let id, let bytes):
      if let member = connections[id]?.member {
        members.heard(member.id, at: store.nowMilliseconds)
      }
      try pass(.received(bytes), to: id)
    case .closed(let id, let code, let reason): closed(id, code, reason)
    case .congested(let id): try pass(.congested, to: id)
    case .drained(let id): try pass(.writable, to: id)
    case .tick: try tick()
    case .joined(let peer): try join(peer)
    case .left(let url, let palette): try leave(url, palette)
    case .rightsChanged: try checkRights()
    case .room(let isThere): try setFull(!isThere)
    case .syncNow: dialing.hurry()
    case .networkChanged: changeNetwork()
    case .draining:
      isDraining = true
      writeStatements()
      saveQuotas(always: true)
      try passToAll(.draining(retryAfterMilliseconds: 1_000))
    }
    if statements.hasWhole, !writeStatements() { dropUnwritten() }
    orBeginAnew {
      try broadcast()
      try adjustClock()
      try heal()
    }
    return removeEffects()
  }

  /// Does what sessions have to know of; where the library fails, they begin again, which leads here again.
  func orBeginAnew(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      report("the library cannot be used for peers", error)
      for id in connections.ids { drop(id, 1013, "storage") }
    }
  }

  /// Tells the sessions what was committed, apart from whoever sent it.
  func broadcast() throws {
    guard hasNews else { return }
    try tellNewIdentities()
    while hasNews {
      collect()
      let batch = Dictionary(grouping: committed, by: \.palette)
      committed = []
      for (palette, parts) in batch.sorted(by: { $0.key < $1.key }) {
        try broadcast(parts.count == 1 ? parts[0].changes : parts.flatMap(\.changes), of: palette)
      }
    }
  }

  /// Passes on what was committed of a palette, by however many transactions: each session is asked once.
  private func broadcast(_ changes: [CommittedChanges.Entry], of palette: PaletteID) throws {
    let order = connections.concerning(palette)
    let origins = turns.sources(of: palette)
    // Not by key paths, which look the type of a result up for each change.
    let dots = changes.lazy.map { $0.dot }
    let runs = ChangeRun.runs(of: dots) { origins[$0] }
    chargeGuests(changes, in: runs)
    for run in runs where run.origin == nil { workload.changesMadeHere += run.count }
    members.committed(runs, in: palette)
    if runs.contains(where: { store.isOwn($0.node) }) { dialing.hurry() }
    // A long catch-up mostly comes from the only peer there is.
    guard order.contains(where: { connection in runs.contains { $0.origin != connection } }) else {
      return
    }
    let outgoing = changes.map { OutgoingChange(dot: $0.dot, bytes: $0.bytes) }
    let batch = OutgoingBatch(outgoing, in: palette)
    let senders = Set(runs.lazy.compactMap { $0.origin })
    for connection in order {
      try connections[connection]?.keep(heldBefore: dots, palette) {
        try store.frontier(of: palette)
      }
      guard senders.contains(connection) else {
        try pass(.committed(palette, batch), to: connection)
        continue
      }
      let others = outgoing.filter { origins[$0.dot] != connection }
      guard !others.isEmpty else { continue }
      try pass(.committed(palette, OutgoingBatch(others, in: palette)), to: connection)
    }
  }

  /// Tells peers of ids that this library took, before changes under them are pushed.
  private func tellNewIdentities() throws {
    let all = store.identities
    guard all.count > toldIdentities else { return }
    let new = all[toldIdentities...].map { Frame.Binding(node: $0, library: store.library) }
    toldIdentities = all.count
    // Changes of theirs may be here that nobody thought of as own.
    offering.forget()
    try tell(new, except: nil)
  }

  /// Hands an event to every session, one that is not past its greeting too.
  func passToAll(_ event: SyncEvent) throws {
    for connection in connections.ids { try pass(event, to: connection) }
  }
}

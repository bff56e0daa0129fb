package import PaletteModel
package import PaletteStore
package import PaletteSync

/// What a node decides about its peers: event in, effects out.
///
/// It owns the sessions, merges what they receive in groups, and broadcasts what is durable. It has
/// no socket, no thread and no timer, so a whole fleet of cores runs inside one test.
package final class NodeCore {
  package let store: ChangeStore
  let limits: SyncLimits
  var links: [LinkID: PeerLink] = [:]
  /// Which of them concern which palette and which member.
  var index = LinkIndex()
  /// When they are pinged next.
  var pings = DueQueue<LinkID>(afterMilliseconds: NodeCore.pingMilliseconds)
  package internal(set) var dialers: [String: PeerDialer] = [:]
  package internal(set) var peers: [String: StoredPeer] = [:]
  var effects: [NodeEffect] = []
  var random: any RandomNumberGenerator
  /// What waits for the next turn.
  var turns: MergeQueue
  /// What peers said they hold and is not written yet.
  var statements = StatementBuffer()
  /// Who looks at what.
  package var presence = PresenceTable()
  /// Old rows that peers were asked for.
  var historyFetches: [PaletteID: HistoryFetch] = [:]
  /// The palettes whose old rows have come, or will not come; for the shell to take.
  package var settledHistory: Set<PaletteID> = []
  var isDraining = false
  /// Own changes that are to be issued again when the event is dealt with.
  var reissues: Reissues
  /// What the peers' clocks show.
  var clocks = PeerClocks()
  /// Whether a peer was greeted just now, and there was no other.
  var isFirstContact = false
  /// What the library does not know as given away.
  var offering = Offering()
  /// What members have written, and may.
  var quotas = WriteQuotas()
  /// How many ids of this library peers were told of.
  var toldIdentities = 0
  /// How far it was looked whether what is listed is found.
  private var lookups = LookupCheck()
  /// What this node wants to be called.
  package var name = ""
  /// When the rights of connected members are looked at next.
  var rights = RightsSchedule()
  /// The most connections of one member.
  package var linksOfMember = 64
  /// Peers as they were before they were joined anew, until the new membership holds.
  var formerPeers: [String: StoredPeer] = [:]
  /// What was committed, by whomever, and not told to the sessions yet.
  private var committed: [CommittedChanges] = []
  /// The same, and not taken by the shell yet.
  private var news: [CommittedChanges] = []
  /// What is damaged here, where a peer could not be served over it: no waiting for peers helps then.
  package private(set) var damage: StoreError?

  /// The shortest and the longest limit of the random time between two attempts to reach a peer.
  ///
  /// Whoever is back has to be live again within ten seconds, however long the absence was.
  static let backoffMilliseconds: ClosedRange<Int64> = 500...8_000
  /// The least time until a peer is asked again that has refused this library.
  static let refusedMilliseconds: Int64 = 30_000
  static let longestWaitMilliseconds = refusedMilliseconds + backoffMilliseconds.upperBound
  static let pingMilliseconds: Int64 = 20_000
  /// How long an address of a peer may take to answer.
  ///
  /// A network that swallows everything must not hold an attempt for longer than a wait would.
  static let dialMilliseconds: Int64 = 8_000
  /// How old an attempt is that begins anew when the network has changed.
  static let staleDialMilliseconds: Int64 = 3_000
  /// How long a peer that answered may take for its welcome.
  static let welcomeMilliseconds: Int64 = 5_000

  /// Creates the core of a node that speaks for a library.
  package init(
    _ store: ChangeStore,
    random: some RandomNumberGenerator,
    limits: SyncLimits = SyncLimits()
  ) throws {
    self.store = store
    self.limits = limits
    turns = MergeQueue(limits)
    reissues = Reissues(greetedNode: store.node)
    self.random = random
    store.followsCommits = true
    toldIdentities = store.identities.count
    // What a crash left open counts as given away.
    try endOffering()
    for peer in try store.peers.all() {
      peers[peer.url] = peer
      dialers[peer.url] = PeerDialer()
    }
    checkLookups()
  }

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

  /// Collects what the store made durable.
  func collect() {
    let new = store.removeCommitted()
    for changes in new where changes.containsDot(where: { store.isOwn($0.node) }) {
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
    effects.append(.log(.storage, isProblem: true, "\(problem): \(failure)"))
  }

  /// Whether anything was committed that the sessions were not told of.
  package var hasNews: Bool { store.hasCommitted || !committed.isEmpty }

  /// Decides what to do about what happened.
  package func handle(_ event: NodeEvent) throws -> [NodeEffect] {
    effects = []
    // Sessions read the library: they have to know of all that is in it.
    try broadcast()
    switch event {
    case .accepted(let id): try open(id, .acceptor)
    case .dialed(let id, let url, let address): try opened(id, url, address)
    case .dialFailed(let url, let address, let reason): failed(url, address, reason)
    case .received(let id, let bytes): try pass(.received(bytes), to: id)
    case .closed(let id, let code, let reason): closed(id, code, reason)
    case .congested(let id): try pass(.congested, to: id)
    case .drained(let id): try pass(.writable, to: id)
    case .tick: try tick()
    case .joined(let peer): try join(peer)
    case .left(let url, let palette): try leave(url, palette)
    case .rightsChanged: try checkRights()
    case .room(let isThere): try setFull(!isThere)
    case .syncNow: hurry()
    case .networkChanged: changeNetwork()
    case .draining:
      isDraining = true
      writeStatements()
      saveQuotas(always: true)
      try passToAll(.draining(retryAfterMilliseconds: 1_000))
    }
    if statements.hasWhole, !writeStatements() { dropUnwritten() }
    try broadcast()
    do {
      try adjustClock()
      try heal()
    } catch {
      // What was decided before is done all the same, and sessions that begin anew lead here again.
      report("the library cannot be written", error)
      for id in links.keys.sorted(by: { $0.rawValue < $1.rawValue }) { drop(id, 1013, "storage") }
    }
    return effects
  }

  /// Tells the sessions what was committed, apart from whoever sent it.
  func broadcast() throws {
    guard hasNews else { return }
    try tellNewIdentities()
    while hasNews {
      collect()
      let batch = committed
      committed = []
      for changes in batch {
        chargeGuests(changes)
        let order = index.links(of: changes.palette)
        let origins = turns.sources(of: changes.palette)
        // A long catch-up mostly comes from the only peer there is.
        let isNews = order.contains { link in
          changes.containsDot { origins[$0] != link }
        }
        let outgoing = (isNews ? changes.changes : []).map { entry in
          var change = OutgoingChange(dot: entry.change.dot, bytes: entry.bytes)
          change.encode(in: changes.palette)
          return change
        }
        if changes.containsDot(where: { store.isOwn($0.node) }) { hurry() }
        for link in order {
          if !outgoing.isEmpty { try keepHeld(before: outgoing, in: changes.palette, link) }
          let others =
            origins.isEmpty ? outgoing : outgoing.filter { origins[$0.dot] != link }
          if !others.isEmpty { try pass(.committed(changes.palette, others), to: link) }
        }
      }
    }
  }

  /// Hands an event to every session, one that is not past its greeting too.
  func passToAll(_ event: SyncEvent) throws {
    for link in links.keys.sorted(by: { $0.rawValue < $1.rawValue }) { try pass(event, to: link) }
  }
}

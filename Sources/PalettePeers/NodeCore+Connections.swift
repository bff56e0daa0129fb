internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore
internal import PaletteSync

extension NodeCore {
  func open(
    _ id: PeerConnectionID,
    _ side: SyncSession.Side,
    url: String? = nil,
    address: String? = nil,
    endpoint: String
  ) throws {
    let session = SyncSession(
      side,
      node: store.node,
      library: store.library,
      name: name(),
      otherNodes: store.identities.filter { $0 != store.node },
      limits: limits
    )
    let connection = PeerConnection(
      session: session,
      url: url,
      address: address,
      endpoint: endpoint,
      openedMilliseconds: store.nowMilliseconds,
      greetedIdentities: store.identities.count
    )
    connections.add(id, connection)
    try pass(.opened, to: id)
  }

  /// Hands an event to a session and carries out what it wants.
  func pass(_ event: SyncEvent, to id: PeerConnectionID) throws {
    let actions: [SyncAction]
    do {
      // In place: what a session is receiving may be large.
      let found = try connections.handle(
        event,
        on: id,
        library: StoreLibrary(store: store),
        milliseconds: UInt64(max(0, store.correctedMilliseconds))
      )
      guard let found else { return }
      actions = found
    } catch {
      report("the library cannot be read for a peer", error)
      return drop(id, 1013, "storage: \(error.code.rawValue)")
    }
    do {
      for action in actions { try carryOut(action, id) }
    } catch {
      // The session has moved on without what could not be done, so only a new one is sure of it;
      // what else is to be done, for others, is not lost over it.
      report("the library cannot be written for a peer", error)
      drop(id, 1013, "storage")
    }
  }

  /// Forgets a connection and closes it.
  func drop(_ id: PeerConnectionID, _ code: UInt16, _ reason: String) {
    emit(.close(id, code: code, reason: reason))
    closed(id, code, reason)
  }

  private func carryOut(_ action: SyncAction, _ id: PeerConnectionID) throws {
    switch action {
    case .send(let frame): emit(.send(id, frame))
    case .sendShared(let frames): emit(.sendShared(id, frames))
    case .findSecret(let bytes): try findSecret(bytes, id)
    case .authenticate(let hello): try authenticate(hello, id)
    case .merge(let arrived):
      for part in arrived {
        guard try admits(part.dots, part.palette, id) else { return }
      }
      turns.add(
        Arrivals(arrived),
        from: id,
        missing: changesToCome(id),
        // What this library joined a hub for is taken as fast as it comes.
        isLimited: connections[id]?.url == nil,
        at: store.nowMilliseconds
      )
    case .pushOn: turns.pushOn(id)
    case .mergeSnapshot(let palette, let snapshot):
      try add(ArrivedSnapshot(palette: palette, connection: id, content: .plain(snapshot)))
    case .mergeStaged(let palette, let staged):
      try add(ArrivedSnapshot(palette: palette, connection: id, content: .staged(staged)))
    case .established(let peer): try establish(peer, id)
    case .stated(let palette, let frontier, let isWhole):
      // Whoever has sent all of a palette says how far it is.
      if isWhole { turns.expect(changesToCome(id), from: id) }
      remember(frontier, palette, isWhole, id)
    case .equal(let differing): try rememberEqual(except: differing, id)
    case .caughtUp:
      describe(id) { $0.isCaughtUp = true }
      if let url = connections[id]?.url { try keep(changesToCome: 0, from: url) }
      emit(.peersChanged)
    case .refusedByPeer(let palette, let dot, let code, let reason):
      try rememberRefusal(dot, in: palette, code, reason, id)
    case .reissue(let palette, let node, let sequence, let link):
      try reissue(palette, node, after: sequence, link: link, id)
    case .withheld(let palette):
      describe(id) { $0.error = "a relay or an owner must connect to send all of \(palette)" }
    case .refusedHere(let palette, let dot, let code): logRefusal(of: dot, palette, code, id)
    case .forked(let palette, let dot):
      describe(id) { $0.error = "this library and the peer disagree about \(dot)" }
      emit(
        .log(
          isProblem: true,
          "the changes of \(dot.node) in \(palette) differ from \(dot) on at \(who(id))"
        )
      )
    case .diverged(let palette):
      let text = "the digests of \(palette) here and at \(who(id)) differ"
      emit(.log(isProblem: true, text))
    case .clock(let theirs, let sent): readClock(theirs, sent, id)
    case .oldHistory(let history): try receive(history, from: id)
    case .presence(let statement):
      if let party = connections[id]?.payer {
        presence.hear(statement, from: id, of: party, at: store.nowMilliseconds)
      }
    case .bindings(let bindings): try receive(bindings, from: id)
    case .givenBack(let palette): try giveBack(palette, id)
    case .overBudget:
      emit(
        .log(
          .refuse,
          isProblem: true,
          "\(who(id)) asks or states too much, and is cut off",
          about: id
        )
      )
    case .retryAfter(let milliseconds):
      if let url = connections[id]?.url { dialing.leaveAlone(url, milliseconds: milliseconds) }
    case .refused(let code, let reason): try refused(code, reason, id)
    case .close(let code, let reason): drop(id, code.rawValue, reason)
    }
  }

  /// Logs what was refused of a peer; the first few, so that nobody fills the log.
  private func logRefusal(of dot: Dot, _ palette: PaletteID, _ code: String, _ id: PeerConnectionID)
  {
    logRefusal("the change \(dot) in \(palette) of \(who(id)) was refused: \(code)", id)
  }

  /// Logs a refusal; the first few of a connection.
  func logRefusal(_ text: String, _ id: PeerConnectionID) {
    guard let line = connections[id]?.logLine(ofRefusal: text) else { return }
    emit(.log(.refuse, isProblem: true, line, about: id))
  }

  /// The payer for a connection's requests; its member is not known before the greeting is over.
  package func payer(of id: PeerConnectionID, from address: String = "") -> Payer {
    connections[id]?.payer ?? .stranger(address)
  }

  /// The name in the log of the peer at the other end.
  func who(_ id: PeerConnectionID) -> String { connections[id]?.title ?? "a peer" }

  private func findSecret(_ bytes: [UInt8], _ id: PeerConnectionID) throws {
    guard let connection = connections[id] else { return }
    guard let hash = try store.members.secretHash(beginning: bytes) else {
      let refusal = LoginRefusal.unknown
      return try pass(
        .rejected(.unauthorized, code: refusal.rawValue, reason: refusal.reason),
        to: id
      )
    }
    try pass(.found(hash, nonce: random.secret(), address: connection.endpoint), to: id)
  }

  private func authenticate(_ hello: Hello, _ id: PeerConnectionID) throws {
    let introduction = Login(
      secret: hello.secret,
      code: hello.code,
      library: hello.library,
      name: hello.name,
      node: hello.node,
      otherNodes: hello.otherNodes
    )
    switch try store.admission.admit(introduction) {
    case .success(let admitted):
      emit(.named(id, admitted.member))
      let isWithinLimit = connections.admit(id, as: admitted.member)
      if admitted.hasRedeemed {
        let text = "\(who(id)) redeemed a join code of \(hello.library)"
        emit(.log(.redeem, isProblem: false, text, about: id))
      }
      guard isWithinLimit else {
        let reason = "more than \(connectionsOfMember) connections of one member"
        return try pass(.rejected(.overBudget, code: "over-budget", reason: reason), to: id)
      }
      let grants = try limited(admitted.grants, of: admitted.member.id)
      let changes = rights.changes(ofMembers: store.members.changeCount)
      connections[id]?.hasRights(afterChanges: changes)
      let admission = GrantedAccess(
        grants: Array(grants.suffix(Welcome.grantLimit)),
        nodes: admitted.nodes,
        hasToWait: grants != admitted.grants
      )
      try pass(.accepted(admission), to: id)
    case .failure(let refusal):
      if let member = try store.members.member(hash: SecretHash(of: hello.secret)) {
        emit(.named(id, member))
      }
      let code: SyncProtocol.CloseCode = refusal == .nodeTaken ? .nodeTaken : .unauthorized
      try pass(.rejected(code, code: refusal.rawValue, reason: refusal.reason), to: id)
    }
  }

  private func establish(_ peer: SyncPeer, _ id: PeerConnectionID) throws {
    let isFirstContact = connections.greetedCount == 0
    clocks.beginContact(isFirst: isFirstContact)
    // Where that failed at the end of the last contact, everything up to now counts as given away.
    if isFirstContact { try endOffering() }
    try store.beginOffering()
    connections.greet(id, by: peer)
    if let connection = connections[id], connection.trust.votesOnClock {
      clocks.add(id, of: peer, isDialed: connection.url != nil)
    }
    if let connection = connections[id], connection.url == nil, let member = connection.member {
      members.greeted(member.id, by: id, connection.trust.scope, at: store.nowMilliseconds)
    }
    rights.add(peer.grants)
    emit(.greeted(id))
    emit(.peersChanged)
    try tellPresence(to: id)
    try tellBindings(to: id)
    guard let connection = connections[id], let url = connection.url,
      let stored = dialing.welcome(peer, at: url, connection.address)
    else { return }
    try store.peers.save(stored)
    try store.peers.forgetRefusals(by: url)
    try pass(.pingDue, to: id)
  }

  private func remember(
    _ frontier: Frontier,
    _ palette: PaletteID,
    _ isWhole: Bool,
    _ id: PeerConnectionID
  ) {
    connections[id]?.keep(frontier, palette, isWhole: isWhole)
    guard let url = connections[id]?.url else {
      guard let member = connections[id]?.member else { return }
      let held = isWhole ? (try? store.frontier(of: palette)) ?? [:] : nil
      return members.stated(member.id, frontier, of: palette, beside: held)
    }
    let own = frontier.filter { store.isOwn($0.key) }
    guard isWhole || !own.isEmpty else { return }
    let now = store.nowMilliseconds
    let statement = HeldReport(url: url, palette: palette, held: own, isWhole: isWhole)
    dialing.acknowledged(url, at: now)
    if isWhole {
      // Of most palettes a peer says what is known, or holds nothing of ours: that is no news.
      if !statements.holds(of: palette, by: url), (try? store.peers.isRecorded(statement)) == true {
        return
      }
    }
    statements.add(statement, at: now)
  }

  /// Remembers that a peer holds all that is held here, but for some palettes.
  ///
  /// Of a large library hardly anything is to be written then: only what is not known yet.
  private func rememberEqual(except differing: Set<PaletteID>, _ id: PeerConnectionID) throws {
    if let connection = connections[id], connection.url == nil, let member = connection.member {
      members.holdsAll(member.id, except: differing)
    }
    guard let connection = connections[id], let url = connection.url else { return }
    let scope = connection.trust.scope
    dialing.acknowledged(url, at: store.nowMilliseconds)
    let digest = try StoreLibrary(store: store).digest(in: scope)
    if differing.isEmpty, statements.knows(url, toHold: digest) { return }
    for palette in try store.peers.palettesStatedOtherwise(by: url)
    where scope.covers(palette) && !differing.contains(palette) {
      remember(try store.frontier(of: palette), palette, true, id)
    }
    if differing.isEmpty { statements.remember(url, holds: digest) }
  }

  /// Keeps how many changes of a joined peer are still to come, for when it is not connected.
  func keep(changesToCome count: Int, from url: String) throws {
    guard let peer = dialing.remember(changesToCome: count, from: url) else { return }
    try store.peers.save(peer)
  }

  /// The number of changes a peer has said to hold that are not held here.
  package func changesToCome(_ id: PeerConnectionID) -> Int {
    connections[id]?.session.changesToCome ?? 0
  }

  /// The changes that members say they hold, that are missing here and that they may not send; most
  /// first.
  package func missingChanges() throws -> [(count: Int, member: String)] {
    var found: [(count: Int, member: String)] = []
    for (_, connection) in connections.all {
      guard let member = connection.member else { continue }
      let count = try connection.session.changesOutOfReach(StoreLibrary(store: store))
      guard count > 0 else { continue }
      let name = member.name.isEmpty ? "member \(member.uid)" : member.name
      found.append((count, name))
    }
    return found.sorted { ($1.count, $0.member) < ($0.count, $1.member) }
  }

  /// Tells a peer of the same people which node ids belong to which library, and a hub which are ours
  /// where the greeting told it of some only.
  private func tellBindings(to id: PeerConnectionID) throws {
    guard let connection = connections[id], let peer = connection.peer else { return }
    let own = store.identities.map { Frame.Binding(node: $0, library: store.library) }
    guard connection.trust.exchangesBindings else {
      if own.count > min(connection.greetedIdentities, Hello.otherNodesLimit) {
        try pass(.bindingsKnown(own), to: id)
      }
      // Nobody else is to claim the hub's id; about others it is not believed.
      if connection.url != nil { _ = try store.bindings.claim([peer.node], for: peer.library) }
      return
    }
    try learn(
      [Frame.Binding(node: peer.node, library: connection.library ?? peer.library)],
      from: id
    )
    let known = try store.bindings.all(used: true).map {
      Frame.Binding(node: $0.node, library: $0.library)
    }
    try pass(.bindingsKnown(own + known), to: id)
  }

  /// Learns the bindings that a peer may tell of.
  private func receive(_ bindings: [Frame.Binding], from id: PeerConnectionID) throws {
    guard let connection = connections[id], let peer = connection.peer,
      let library = connection.library
    else { return }
    if connection.trust.exchangesBindings {
      let known = bindings.map {
        Frame.Binding(node: $0.node, library: $0.library == peer.library ? library : $0.library)
      }
      return try learn(known, from: id)
    }
    let nodes = bindings.filter {
      connection.trust.letsIn(bindingTo: $0.library, from: peer.library)
    }
    .prefix(connection.bindingsLeft).map(\.node)
    let bound = try store.bindings.claim(nodes, for: library)
    connection.bound(bound.count)
    // A copy of the same library may have brought some of them.
    let own = try nodes.filter { try store.bindings.library(of: $0) == library }
    if !own.isEmpty { try pass(.bound(own), to: id) }
  }

  /// Tells peers of the same people whose an id is, before its first change: until then it is a claim.
  func tellFirst(_ nodes: Set<NodeID>, from id: PeerConnectionID) throws {
    var bindings: [Frame.Binding] = []
    for node in nodes.sorted() {
      guard let library = try store.bindings.library(of: node) else { continue }
      bindings.append(Frame.Binding(node: node, library: library))
    }
    try tell(bindings, except: id)
  }

  private func learn(_ bindings: [Frame.Binding], from id: PeerConnectionID) throws {
    let (new, losers) = try store.bindings.learn(bindings.map { ($0.node, $0.library) })
    for (other, connection) in connections.all
    where connection.member?.library.map(losers.contains) == true {
      drop(other, SyncProtocol.CloseCode.goingAway.rawValue, "a node id belongs to somebody else")
    }
    // Whoever is connected already speaks under them from now on.
    for (other, connection) in connections.all where connection.member != nil {
      let own = new.filter { $0.library == connection.library }.map(\.node)
      if !own.isEmpty { try pass(.bound(own), to: other) }
    }
    try tell(new.map { Frame.Binding(node: $0.node, library: $0.library) }, except: id)
  }

  func tell(_ bindings: [Frame.Binding], except source: PeerConnectionID?) throws {
    guard !bindings.isEmpty else { return }
    // Whoever is to know is about the whole library, or is a hub that this library joined.
    for id in Set(connections.ofLibrary + dialing.connections).sorted(by: {
      $0.rawValue < $1.rawValue
    })
    where id != source {
      try pass(.bindingsKnown(bindings), to: id)
    }
  }

  /// Changes what `status` shows of the peer at the other end, where it was dialed.
  func describe(_ id: PeerConnectionID, _ change: (inout PeerDialer) -> Void) {
    if let url = connections[id]?.url { dialing.describe(url, change) }
  }
}

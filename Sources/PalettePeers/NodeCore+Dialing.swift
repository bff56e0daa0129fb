package import PaletteMerge
internal import PaletteModel
internal import PaletteStore
internal import PaletteSync

extension NodeCore {
  /// The time that a peer that answered may take for its welcome.
  private static let welcomeMilliseconds: Int64 = 5_000

  func tick() throws {
    let now = store.nowMilliseconds
    if statements.isDue(at: now) { writeStatements() }
    if rights.isTime(at: now) { try checkRights() }
    saveQuotas()
    checkLookups()
    endMuteConnections(now)
    for url in dialing.urls { dial(url) }
    try tellPresence()
    history.endOverdue(at: now)
    for id in connections.removeDuePings(at: now) { try pass(.pingDue, to: id) }
  }

  private func dial(_ url: String) {
    if mayDial { emit(dialing.dial(url, at: store.nowMilliseconds)) }
  }

  /// Hangs up on peers that answered and then say nothing.
  private func endMuteConnections(_ now: Int64) {
    for url in dialing.urls {
      guard let id = dialers[url]?.connection, let connection = connections[id],
        connection.peer == nil
      else { continue }
      let age = now - connection.openedMilliseconds
      guard age >= Self.welcomeMilliseconds || age < 0 else { continue }
      drop(id, 1008, "no welcome came")
    }
  }

  func opened(_ id: PeerConnectionID, _ url: String, _ address: String, _ endpoint: String) throws {
    guard let peer = peers[url] else { return drop(id, 1000, "the peer was left") }
    // Whoever joins again while an attempt is under way has begun a second one.
    guard dialers[url]?.connection == nil else { return drop(id, 1000, "connected already") }
    // Only the first says hello: a secret is shown once.
    emit(dialing.connect(id, to: url, at: store.nowMilliseconds))
    let credentials = SyncSession.Credentials(
      secret: peer.secret,
      code: peer.code,
      grants: peer.grants,
      givenBack: peer.givenBack,
      // Without TLS nothing else says who listens there.
      doubt: address.hasPrefix("http:")
        ? SyncSession.Doubt(nonce: random.secret(), address: endpoint) : nil
    )
    try open(id, .dialer(credentials), url: url, address: address, endpoint: endpoint)
  }

  func failed(_ url: String, _ address: String, _ error: PeerError) {
    guard dialing.fail(url, address, error, at: store.nowMilliseconds) else { return }
    emit(.peersChanged)
    // The next address need not wait.
    if dialers[url]?.race != nil { dial(url) }
  }

  func changeNetwork() {
    emit(dialing.changeNetwork(at: store.nowMilliseconds))
    for url in dialing.urls where dialers[url]?.state != .refused { dial(url) }
  }

  func closed(_ id: PeerConnectionID, _ code: UInt16, _ reason: String) {
    guard let connection = connections.remove(id) else { return }
    if let member = connection.member {
      members.closed(id, of: member.id, at: store.nowMilliseconds)
    }
    turns.remove(id)
    clocks.remove(id)
    presence.end(id, at: store.nowMilliseconds)
    if connection.peer != nil, connections.greetedCount == 0 {
      do {
        try endOffering()
      } catch {
        // Without that, more counts as given away than was.
        report("the library cannot be written", error)
      }
    }
    history.end(id)
    emit(.peersChanged)
    guard let url = connection.url else { return }
    if connection.peer != nil, dialers[url]?.isCaughtUp == false {
      do {
        try keep(changesToCome: connection.session.changesToCome, from: url)
      } catch {
        report("the library cannot be written", error)
      }
    }
    let isDue = dialing.close(
      id,
      to: url,
      mute: connection.peer == nil ? connection.address : nil,
      reason.isEmpty ? PeerError("closed with \(code)") : PeerError(closing: reason),
      at: store.nowMilliseconds
    )
    if isDue { dial(url) }
  }

  /// Returns whether another code of the same peer is still to be redeemed, whose place this one
  /// would take.
  package func isRedeeming(anotherCodeThan ticket: JoinTicket) -> Bool {
    dialing.isRedeeming(anotherCodeThan: ticket)
  }

  func join(_ ticket: JoinTicket) throws {
    let secret = try store.memberSecret(at: ticket)
    let peer = dialing.peer(joinedBy: ticket, secret: secret)
    // The former membership still counts until the new grant is known to hold.
    if peers[peer.url] == nil { try store.peers.save(peer) }
    let connection = dialers[peer.url]?.connection
    emit(dialing.join(peer))
    if let connection { drop(connection, 1000, "joined anew") }
    try tick()
  }

  /// Gives back what a peer granted for a palette, or all of it.
  func leave(_ url: String, _ palette: PaletteID?) throws {
    let connection = dialers[url]?.connection
    // An attempt to join again is ended as a whole.
    let isMember = !dialing.isJoiningAnew(url)
    if isMember, let palette, let rest = peers[url]?.without(palette) {
      if let connection { try pass(.gaveBack(palette), to: connection) }
      dialing.update(rest)
      try store.peers.save(rest)
      if let connection { drop(connection, 1000, "a palette was left") }
      dialing.hurry(url)
      return emit(.peersChanged)
    }
    if isMember, let connection { try pass(.gaveBack(nil), to: connection) }
    emit(dialing.leave(url))
    statements.remove(url)
    if let connection { drop(connection, 1000, "the peer was left") }
    if isMember {
      try store.peers.forgetRefusals(by: url)
      _ = try store.peers.remove(url)
    }
    emit(.peersChanged)
  }

  /// Ends connections of members that have other rights than when they came.
  ///
  /// Who has any left comes back at once, and is told them.
  func checkRights() throws {
    let now = store.nowMilliseconds
    rights.begin(at: now)
    let memberChanges = store.members.changeCount
    guard rights.isDue(changes: rights.changes(ofMembers: memberChanges), at: now) else { return }
    do {
      try checkRightsOfAll(now)
    } catch {
      // Nobody may stay because a disk failed just then.
      rights.failed()
      throw error
    }
  }

  private func checkRightsOfAll(_ now: Int64) throws {
    for (id, connection) in connections.all {
      guard let member = connection.member, let peer = connection.peer else { continue }
      rights.add(peer.grants)
      let isOver = peer.grants.contains { !$0.isLive(atMilliseconds: now) }
      let changes = rights.changes(ofMembers: store.members.changeCount)
      guard isOver || connection.rightsChanges != changes else { continue }
      let grants = try limited(try store.members.liveGrants(of: member.id), of: member.id)
      connection.hasRights(afterChanges: changes)
      if grants.isEmpty {
        try pass(.revoked(code: isOver ? "expired" : "revoked"), to: id)
      } else if Set(grants) != Set(peer.grants) {
        drop(id, SyncProtocol.CloseCode.goingAway.rawValue, "the grants changed")
      }
    }
  }

  /// Ends the grants that a member gives back.
  func giveBack(_ palette: PaletteID?, _ id: PeerConnectionID) throws {
    guard let member = connections[id]?.member else { return }
    emit(
      .log(
        .leave,
        isProblem: false,
        "\(who(id)) gave back \(palette.map { "\($0)" } ?? "all")",
        about: id
      )
    )
    try store.members.giveBack(palette, by: member.id)
    try checkRights()
  }

  func refused(_ code: String, _ reason: String, _ id: PeerConnectionID) throws {
    guard let url = connections[id]?.url, peers[url] != nil else { return }
    if let peer = dialing.refuse(url, code, reason) { try store.peers.save(peer) }
    emit(.log(.refuse, isProblem: true, "\(url) refuses this library: \(reason)"))
    if code == LoginRefusal.nodeTaken.rawValue { try abandonNodeID(for: url) }
  }
}

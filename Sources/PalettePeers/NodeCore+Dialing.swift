internal import PaletteModel
internal import PaletteStore
internal import PaletteSync

extension NodeCore {
  func tick() throws {
    let now = store.nowMilliseconds
    if statements.isDue(at: now) { writeStatements() }
    if rights.isTime(at: now) { try checkRights() }
    saveQuotas()
    checkLookups()
    endMuteLinks(now)
    for url in dialers.keys.sorted() { dial(url, now) }
    try tellPresence()
    endHistories()
    while let (id, _) = pings.next(at: now) {
      guard links[id]?.session.isEstablished == true else { continue }
      pings.add(id, at: now)
      try pass(.pingDue, to: id)
    }
  }

  private func dial(_ url: String, _ now: Int64) {
    guard !isDraining, !quotas.isFull, var dialer = dialers[url], dialer.link == nil else { return }
    if dialer.race == nil {
      // A clock that went back must not keep a peer waiting.
      guard
        now >= dialer.nextAttemptMilliseconds
          || now < dialer.nextAttemptMilliseconds - Self.longestWaitMilliseconds
      else { return }
      if dialer.state == .refused, let former = formerPeers.removeValue(forKey: url) {
        // Joining anew has failed, and whoever wanted it has seen that: the old membership goes on.
        peers[url] = former
        dialer = PeerDialer()
      }
      guard let peer = peers[url] else { return }
      dialer.race = DialRace(peer.addresses, at: now)
      if dialer.state != .refused { dialer.state = .connecting }
    }
    guard let peer = peers[url] else { return }
    let due = dialer.race?.start(at: now) ?? []
    dialers[url] = dialer
    effects += due.map {
      .dial(url: url, address: $0, pin: peer.pin, timeoutMilliseconds: Self.dialMilliseconds)
    }
  }

  /// Hangs up on peers that answered and then say nothing.
  private func endMuteLinks(_ now: Int64) {
    for url in dialers.keys.sorted() {
      guard let id = dialers[url]?.link, let link = links[id], link.peer == nil else { continue }
      let age = now - link.openedMilliseconds
      guard age >= Self.welcomeMilliseconds || age < 0 else { continue }
      drop(id, 1008, "no welcome came")
    }
  }

  func opened(_ id: LinkID, _ url: String, _ address: String) throws {
    guard let peer = peers[url] else { return drop(id, 1000, "the peer was left") }
    // Whoever joins anew while an attempt is under way has begun a second one.
    guard dialers[url]?.link == nil else { return drop(id, 1000, "connected already") }
    // Only the first says hello: a secret is shown once.
    let begun = dialers[url]?.race?.begunMilliseconds ?? store.nowMilliseconds
    dialers[url]?.begunMilliseconds = begun
    endRace(url)
    dialers[url]?.link = id
    let credentials = SyncSession.Credentials(
      secret: peer.secret,
      code: peer.code,
      grants: peer.grants,
      // Without TLS nothing else says who listens there.
      nonce: address.hasPrefix("http:") ? makeSecret() : nil
    )
    try open(id, .dialer(credentials), url: url, address: address)
  }

  /// Gives up what is under way to reach a peer.
  private func endRace(_ url: String) {
    guard dialers[url]?.race != nil else { return }
    dialers[url]?.race = nil
    effects.append(.cancelDials(url: url))
  }

  func failed(_ url: String, _ address: String, _ reason: String) {
    // Where the peer was joined anew, a later attempt may have come through before.
    guard var dialer = dialers[url], dialer.link == nil, var race = dialer.race,
      race.fail(address)
    else { return }
    dialer.race = race
    dialer.error = reason
    if race.isOver {
      dialer.race = nil
      // Who was kept waiting for an answer need not wait again.
      wait(&dialer, .offline, since: min(race.begunMilliseconds, store.nowMilliseconds))
    }
    dialers[url] = dialer
    effects.append(.peersChanged)
    if !race.isOver { dial(url, store.nowMilliseconds) }
  }

  /// What was lost may be back, and what seems to be there may be lost.
  func changeNetwork() {
    let now = store.nowMilliseconds
    for url in dialers.keys.sorted() {
      guard let dialer = dialers[url] else { continue }
      if let link = dialer.link {
        effects.append(.doubt(link))
      } else if dialer.state != .refused {
        let age = now - (dialer.race?.begunMilliseconds ?? now)
        // Younger ones ask again by themselves soon enough.
        if age >= Self.staleDialMilliseconds || age < 0 { endRace(url) }
        dialers[url]?.nextAttemptMilliseconds = 0
        dialers[url]?.attempts = 0
        dial(url, now)
      }
    }
  }

  func closed(_ id: LinkID, _ code: UInt16, _ reason: String) {
    guard let link = links.removeValue(forKey: id) else { return }
    turns.remove(id)
    clocks.remove(id)
    index.remove(id)
    presence.end(id, at: store.nowMilliseconds)
    if link.peer != nil, index.count == 0 {
      do {
        try endOffering()
      } catch {
        // Without that, more counts as given away than was.
        report("the library cannot be written", error)
      }
    }
    endHistories(of: id)
    effects.append(.peersChanged)
    guard let url = link.url, var dialer = dialers[url], dialer.link == id else { return }
    dialer.link = nil
    dialer.isCaughtUp = false
    if dialer.error == nil { dialer.error = reason.isEmpty ? "closed with \(code)" : reason }
    if dialer.state == .refused {
      wait(&dialer, .refused, since: store.nowMilliseconds)
    } else if link.peer == nil {
      // Who took the call and gave no welcome is asked last the next time.
      if let address = link.address { peers[url]?.avoid(address) }
      wait(&dialer, .offline, since: min(dialer.begunMilliseconds, store.nowMilliseconds))
    } else {
      wait(&dialer, .offline, since: store.nowMilliseconds)
    }
    dialers[url] = dialer
  }

  /// Nobody is connected: what is written from now on has not left.
  func endOffering() throws {
    collect()
    if try store.endOffering(of: offering.palettes) { offering.removeAll() }
  }

  /// Waits a random time, longer on average after every failure (full jitter).
  private func wait(
    _ dialer: inout PeerDialer,
    _ state: PeerDialer.State,
    since start: Int64
  ) {
    let limit = min(
      Self.backoffMilliseconds.upperBound,
      Self.backoffMilliseconds.lowerBound << Int64(min(dialer.attempts, 10))
    )
    dialer.attempts += 1
    dialer.state = state
    let least = max(state == .refused ? Self.refusedMilliseconds : 0, dialer.retryMilliseconds)
    dialer.retryMilliseconds = 0
    dialer.nextAttemptMilliseconds =
      start + least + Int64.random(in: 0...limit, using: &random)
  }

  /// Forgets all backoff, and connects at the next tick.
  func hurry() {
    for url in dialers.keys where dialers[url]?.link == nil {
      dialers[url]?.nextAttemptMilliseconds = 0
      dialers[url]?.attempts = 0
    }
  }

  func join(_ invitation: Invitation) throws {
    let known = peers.values.sorted { $0.url < $1.url }.first(where: invitation.isFrom)
    var peer =
      known ?? StoredPeer(url: invitation.addresses[0], addresses: [], grants: [])
    // Two hubs at one address are one after the other: the later one counts.
    if known == nil, let other = peers[peer.url], other.pin != invitation.pin { peer.secret = [] }
    peer.addresses = invitation.addresses
    peer.pin = invitation.pin
    peer.code = invitation.code
    peer.library = peer.library ?? invitation.library
    peer.refusal = nil
    if !peer.grants.contains(invitation.grant) { peer.grants.append(invitation.grant) }
    // What is there goes on to count until the new grant is known to hold.
    let former = formerPeers[peer.url] ?? peers[peer.url]
    if former == nil { try store.peers.save(peer) }
    formerPeers[peer.url] = former
    peers[peer.url] = peer
    if let link = dialers[peer.url]?.link { drop(link, 1000, "joined anew") }
    endRace(peer.url)
    dialers[peer.url] = PeerDialer()
    try tick()
  }

  /// Gives back what a peer granted for a palette, or all of it.
  func leave(_ url: String, _ palette: PaletteID?) throws {
    let link = dialers[url]?.link
    if let palette, var peer = peers[url], formerPeers[url] == nil {
      peer.grants.removeAll { $0.palette == palette }
      if !peer.grants.isEmpty {
        if let link { try pass(.gaveBack(palette), to: link) }
        peers[url] = peer
        try store.peers.save(peer)
        if let link { drop(link, 1000, "a palette was left") }
        dialers[url]?.nextAttemptMilliseconds = store.nowMilliseconds
        return effects.append(.peersChanged)
      }
    }
    if let link, formerPeers[url] == nil { try pass(.gaveBack(nil), to: link) }
    endRace(url)
    dialers[url] = nil
    peers[url] = nil
    statements.remove(url)
    if let link { drop(link, 1000, "the peer was left") }
    if let former = formerPeers.removeValue(forKey: url) {
      // This ends an attempt to join anew.
      peers[url] = former
      dialers[url] = PeerDialer()
      return effects.append(.peersChanged)
    }
    try store.peers.forgetRefusals(by: url)
    _ = try store.peers.remove(url)
    effects.append(.peersChanged)
  }

  /// Ends connections of members that have other rights than when they came.
  ///
  /// Who has any left comes back at once, and is told them.
  func checkRights() throws {
    let now = store.nowMilliseconds
    rights.begin(at: now)
    let memberChanges = store.members.changeCount
    guard rights.isDue(changes: rights.changes(ofMembers: memberChanges), at: now) else { return }
    for id in links.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
      guard let link = links[id], let member = link.member, let peer = link.peer else { continue }
      rights.add(peer.grants)
      let isOver = peer.grants.contains { !$0.isLive(atMilliseconds: now) }
      let changes = rights.changes(ofMembers: store.members.changeCount)
      guard isOver || link.memberChanges != changes else { continue }
      links[id]?.memberChanges = changes
      let grants = try limited(try store.members.liveGrants(of: member.id), of: member.id)
      if grants.isEmpty {
        try pass(.revoked(code: isOver ? "expired" : "revoked"), to: id)
      } else if Set(grants) != Set(peer.grants) {
        drop(id, SyncProtocol.CloseCode.goingAway.rawValue, "the grants changed")
      }
    }
  }

  /// Ends the grants that a member gives back.
  func giveBack(_ palette: PaletteID?, _ id: LinkID) throws {
    guard let member = links[id]?.member else { return }
    effects.append(
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

  func refused(_ code: String, _ reason: String, _ id: LinkID) throws {
    updateDialer(id) { dialer in
      dialer.state = .refused
      dialer.error = "\(code): \(reason)"
    }
    guard let url = links[id]?.url, var peer = peers[url] else { return }
    peer.refusal = code
    peers[url] = peer
    if formerPeers[url] == nil { try store.peers.save(peer) }
    effects.append(.log(.refuse, isProblem: true, "\(url) refuses this library: \(reason)"))
    if code == AdmissionRefusal.nodeTaken.rawValue { try abandonNodeID(for: url) }
  }
}

extension StoredPeer {
  private mutating func move(_ address: String, toFront: Bool) {
    guard addresses.contains(address) else { return }
    addresses.removeAll { $0 == address }
    addresses.insert(address, at: toFront ? 0 : addresses.count)
  }

  /// Tries an address before the others from now on.
  mutating func prefer(_ address: String) { move(address, toFront: true) }

  /// Tries an address after the others from now on.
  mutating func avoid(_ address: String) { move(address, toFront: false) }
}

import PaletteMerge
import PalettePeers
import PaletteStore
import PaletteSync
import PaletteTestSupport

/// The grants of hubs, and their end.
extension Fleet {
  /// Makes a token and lets the dialer join with it, as soon as both run.
  func share(_ edge: Script.Edge) throws {
    // Who has moved on joins no more.
    guard edges.contains(edge), let hub = exists(edge.hub), let dialer = exists(edge.dialer) else {
      return
    }
    guard hub.isRunning, dialer.isRunning, let store = hub.store else {
      return queue.schedule(.share(edge), at: now + 1_000)
    }
    var random = choice(9, UInt64(edge.hub), UInt64(edge.dialer), UInt64(now))
    let secret = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    let end = isHealing ? nil : edge.lastsMilliseconds.map { store.nowMilliseconds + $0 }
    let grant = Grant(edge.role, on: edge.palette.map(Script.palette), expiresMilliseconds: end)
    let ticket = JoinTicket(
      addresses: [hub.url],
      code: secret,
      grant: grant,
      library: store.library
    )
    // Of several grants one comes after the other.
    if isOneOfSeveral(edge), dialer.core?.isRedeeming(anotherCodeThan: ticket) == true {
      return queue.schedule(.share(edge), at: now + 1_000)
    }
    revocations[edge] = nil
    do {
      try store.members.offer(
        grant,
        code: secret,
        codeExpiresMilliseconds: store.nowMilliseconds + 600_000
      )
    } catch {
      if hub.disk.isDown { try losePower(hub) }
      return queue.schedule(.share(edge), at: now + 1_000)
    }
    if hub.disk.isDown {
      try losePower(hub)
      return queue.schedule(.share(edge), at: now + 1_000)
    }
    let isNew = try !hasJoined(dialer, hub.url)
    try handle(.joined(ticket), at: dialer)
    if isNew, dialer.isRunning { try looking { try checkUnheard(hub.url, by: dialer) } }
    // Of several codes nobody knows which one was redeemed.
    let isFirst = codes[edge] == nil && dialer.core?.peers[hub.url]?.code == secret
    codes[edge] = isFirst ? secret : []
    // A disk that failed has kept nothing of it.
    if try !dialer.isRunning || !hasJoined(dialer, hub.url) {
      queue.schedule(.share(edge), at: now + 1_000)
    }
  }

  /// Returns whether there are other grants of the same hub.
  func isOneOfSeveral(_ edge: Script.Edge) -> Bool {
    edges.contains { $0 != edge && $0.joinsSame(as: edge) }
  }

  /// Returns whether one of several grants is there for good, at both ends.
  func isGranted(_ edge: Script.Edge) throws -> Bool {
    let (hub, dialer) = (machines[edge.hub], machines[edge.dialer])
    guard isOneOfSeveral(edge), let peer = dialer.core?.peers[hub.url] else { return true }
    let wanted = Grant(edge.role, on: edge.palette.map(Script.palette))
    // The library may be another member as well, with a secret that it lost when it was rolled back.
    return try peer.grants.contains { $0.covers(wanted) }
      && looking {
        guard let members = hub.store?.members,
          let member = try members.member(hash: SecretHash(of: peer.secret))
        else { return false }
        return try members.grants(of: member.id).contains { !$0.isRevoked && $0.grant == wanted }
      }
  }

  /// Takes back what a hub granted to a machine.
  func revoke(_ ended: [Script.Edge], _ hub: Int, _ dialer: Int) throws {
    guard let hub = exists(hub), let dialer = exists(dialer), let store = hub.store,
      let library = dialer.store?.library
    else { return }
    func isEnded(_ grant: StoredGrant, _ member: Member?) -> Bool {
      member?.library == library && !grant.isRevoked
        && ended.contains {
          grant.grant.role == $0.role && grant.grant.palette == $0.palette.map(Script.palette)
        }
    }
    for (grant, member) in (try? store.members.grants()) ?? [] where isEnded(grant, member) {
      guard (try? store.members.revokeGrant(grant.uid)) == true, !hub.disk.isDown else { break }
      try handle(.rightsChanged, at: hub)
    }
    if hub.disk.isDown { return try losePower(hub) }
    guard hub.isRunning,
      try !look(at: hub, { try store.members.grants() }).contains(where: isEnded)
    else { return }
    for edge in ended { rememberRevocation(edge) }
  }

  /// Gives back one of several grants; who has no other leaves.
  func giveBack(_ edge: Script.Edge, _ back: Int64) throws {
    guard edges.contains(edge), let machine = exists(edge.dialer), machine.isRunning,
      let palette = edge.palette
    else { return }
    try handle(.left(url: Machine.url(edge.hub), palette: Script.palette(palette)), at: machine)
    queue.schedule(.share(edge), at: now + back)
  }
}

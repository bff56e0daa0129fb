import PaletteMerge
import PaletteModel
import PalettePeers
import PaletteStore
import PaletteSync
import PaletteTestSupport

/// The end of a life, when all is well again: strangers try what they found, and some members are
/// sent away.
extension Fleet {
  func epilogue() throws {
    for edge in edges where mayLeadOn(edge) {
      try checkThief(edge)
    }
    try checkLetters()
    for edge in edges where mayLeadOn(edge) && isOneOfSeveral(edge) {
      let all = edges.filter { $0.joinsSame(as: edge) }
      if all.first == edge { try endOne(of: all) }
    }
    if let edge = edges.first(where: { mayLeadOn($0) && $0.role != .viewer }) { try lend(edge) }
  }

  func mayLeadOn(_ edge: Script.Edge) -> Bool {
    let (hub, dialer) = (machines[edge.hub], machines[edge.dialer])
    return hub.isRunning && dialer.core?.dialers[hub.url]?.state == .live
  }

  /// Nobody else comes in by the code or the secret that somebody came in by.
  private func checkThief(_ edge: Script.Edge) throws {
    let (hub, dialer) = (machines[edge.hub], machines[edge.dialer])
    guard let store = hub.store, let peer = dialer.core?.peers[hub.url], peer.code.isEmpty else {
      return
    }
    var random = choice(13, UInt64(edge.hub), UInt64(edge.dialer))
    func thief() -> Login {
      Login(library: RecordID(using: &random), node: NodeID(using: &random))
    }
    var withSecret = thief()
    withSecret.secret = peer.secret
    try checkNobody(withSecret, store, "the secret of \(dialer.name) at \(hub.name)")
    guard let code = codes[edge], !code.isEmpty else { return }
    var withCode = thief()
    withCode.code = code
    withCode.secret = [UInt8](repeating: 7, count: Login.secretBytes)
    try checkNobody(withCode, store, "the code of \(dialer.name) at \(hub.name)")
    // A library's id proves nothing.
    guard let library = dialer.store?.library else { return }
    withCode.library = library
    try checkNobody(withCode, store, "the code and the library of \(dialer.name) at \(hub.name)")
  }

  private func checkNobody(
    _ introduction: Login,
    _ store: ChangeStore,
    _ what: String
  ) throws {
    guard case .success = try store.admission.admit(introduction)
    else { return }
    throw Violation("stolen", "anybody comes in by \(what)")
  }

  /// Letters with codes that nobody redeems in time, or that are taken back, let nobody in.
  private func checkLetters() throws {
    guard let hub = machines.first(where: \.isRunning), let store = hub.store else { return }
    var random = choice(14, UInt64(hub.index))
    func found() -> Login {
      let code = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      return Login(
        secret: [UInt8](repeating: 8, count: Login.secretBytes),
        code: code,
        library: RecordID(using: &random),
        node: NodeID(using: &random)
      )
    }
    let (late, revoked) = (found(), found())
    let end = store.nowMilliseconds + 1_000
    try store.members.offer(Grant(.relay), code: late.code, codeExpiresMilliseconds: end)
    let uid = try store.members.offer(
      Grant(.relay),
      code: revoked.code,
      codeExpiresMilliseconds: nil
    )
    _ = try store.members.revokeGrant(uid)
    let (orphan, lent) = (found(), found())
    let owners = [Grant(.owner), Grant(.owner, expiresMilliseconds: end)].map { grant in
      (grant, (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }
    for ((grant, secret), letter) in zip(owners, [orphan, lent]) {
      let owner = try store.members.makeMember(.script, secret: secret, grant: grant)
      try store.members.offer(
        Grant(.relay),
        code: letter.code,
        codeExpiresMilliseconds: nil,
        maker: owner.member.id
      )
      if grant.expiresMilliseconds == nil { _ = try store.members.revokeGrant(owner.grant) }
    }
    try handle(.rightsChanged, at: hub)
    try pass(until: now + 2_000 + script.clockMilliseconds)
    try checkNobody(late, store, "a code of \(hub.name) that has ended")
    try checkNobody(revoked, store, "a code of \(hub.name) that was taken back")
    try checkNobody(orphan, store, "a code of an owner whom \(hub.name) sent away")
    try checkNobody(lent, store, "a code of an owner whose time at \(hub.name) is over")
  }

  /// Checks that a library loses what it was given for a time when that time ends.
  private func lend(_ edge: Script.Edge) throws {
    let (hub, dialer) = (machines[edge.hub], machines[edge.dialer])
    guard !dialer.hasCopies, !hub.hasCopies, let store = hub.store,
      let library = dialer.store?.library
    else { return }
    for (grant, member) in try store.members.grants() where member?.library == library {
      _ = try store.members.revokeGrant(grant.uid)
    }
    try handle(.rightsChanged, at: hub)
    try pass(until: now + 1_000)
    try lendOut(edge, by: store)
    try pass(until: now + 6_000 + script.clockMilliseconds)
    // It may have been given more.
    let mayStay = try store.members.grants().contains { grant, member in
      member?.library == library && !grant.isRevoked && grant.grant.expiresMilliseconds == nil
    }
    guard mayStay || dialer.core?.dialers[hub.url]?.state != .live else {
      throw Violation("still-lent", "\(dialer.name) stays at \(hub.name) when its time is over")
    }
  }

  /// Lends a library what it had for eight seconds, of which three are left when this is done.
  private func lendOut(_ edge: Script.Edge, by store: ChangeStore) throws {
    let (hub, dialer) = (machines[edge.hub], machines[edge.dialer])
    let grant = Grant(
      edge.role,
      on: edge.palette.map(Script.palette),
      expiresMilliseconds: store.nowMilliseconds + 8_000
    )
    var random = choice(15, UInt64(edge.hub), UInt64(now))
    let secret = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    try store.members.offer(grant, code: secret, codeExpiresMilliseconds: nil)
    try handle(
      .joined(
        JoinTicket(addresses: [hub.url], code: secret, grant: grant, library: store.library)
      ),
      at: dialer
    )
    try pass(until: now + 5_000)
    guard dialer.core?.dialers[hub.url]?.state == .live else {
      throw Violation("unlent", "\(dialer.name) cannot come in at \(hub.name) for a time")
    }
  }

  /// Of several grants one ends, in one of three ways, and the others stay; then it comes back.
  private func endOne(of grants: [Script.Edge]) throws {
    let (hub, dialer) = (machines[grants[0].hub], machines[grants[0].dialer])
    guard !dialer.hasCopies, !hub.hasCopies, let store = hub.store else { return }
    var random = choice(16, UInt64(hub.index), UInt64(dialer.index))
    let ended = grants.randomElement(using: &random) ?? grants[0]
    switch random.next() % 3 {
    case 0: try revoke([ended], hub.index, dialer.index)
    case 1 where ended.palette != nil:
      // Half of them do that while the hub cannot be reached.
      if random.chance(0.5) {
        for wire in wires(between: hub.index, and: dialer.index) {
          cut(wire, first: 0, laterMilliseconds: 0)
        }
        try pass(until: now)
      }
      try handle(.left(url: hub.url, palette: ended.palette.map(Script.palette)), at: dialer)
    default:
      try revoke([ended], hub.index, dialer.index)
      try pass(until: now + 1_000)
      try lendOut(ended, by: store)
      try pass(until: now + 6_000 + script.clockMilliseconds)
    }
    // Whoever is to come back does so when its clock shows that it may.
    try pass(until: now + 5_000 + 2 * script.clockMilliseconds)
    try checkRest(of: grants, without: ended)
    try share(ended)
    try pass(until: now + 10_000 + 2 * script.clockMilliseconds)
    for edge in grants {
      if let lack = try lack(edge) { throw Violation("not-granted", lack) }
    }
  }

  private func checkRest(of grants: [Script.Edge], without ended: Script.Edge) throws {
    let (hub, dialer) = (machines[ended.hub], machines[ended.dialer])
    let rest = grants.filter { $0 != ended }
    func checkLive() throws {
      guard dialer.core?.dialers[hub.url]?.state == .live else {
        throw Violation("lost-grants", "\(dialer.name) has lost all at \(hub.name) with one grant")
      }
    }
    try checkLive()
    let number = ended.palette ?? script.palettes.first { !rest.map(\.palette).contains($0) } ?? 0
    let before = (try reach(number, hub, at: dialer), try reach(number, dialer, at: hub))
    for other in Set(rest.compactMap(\.palette) + [number]).sorted() {
      for machine in [hub, dialer] { try actAtTheEnd(machine, other) }
    }
    try pass(until: now + 8_000)
    try checkLive()
    for edge in rest {
      if let lack = try lack(edge) { throw Violation("not-equal", lack) }
    }
    // What goes another way is not the hub's to keep back.
    let touching = edges.filter { [$0.dialer, $0.hub].contains(dialer.index) }
    guard touching.allSatisfy({ $0.joinsSame(as: ended) }) else { return }
    let others = rest.filter { $0.covers(number) }
    if others.isEmpty, try reach(number, hub, at: dialer) != before.0 {
      throw Violation("still-granted", "\(dialer.name) still hears of palette#\(number)")
    }
    if !others.contains(where: { $0.role >= .editor }),
      try reach(number, dialer, at: hub) != before.1
    {
      throw Violation("still-granted", "\(hub.name) still takes edits of palette#\(number)")
    }
  }

  /// The point up to which one machine holds another one's own changes of a palette.
  private func reach(_ number: Int, _ author: Machine, at machine: Machine) throws -> [NodeID:
    UInt32]
  {
    try machine.store?.frontier(of: Script.palette(number)).mapValues(\.sequence)
      .filter { author.store?.isOwn($0.key) == true } ?? [:]
  }

  /// Adds a color to a palette, whatever has become of that.
  private func actAtTheEnd(_ machine: Machine, _ number: Int) throws {
    let color = 9_000 + step
    for edit in [UserEdit.new, .restorePalette, .add(first: color, count: 1, at: nil)] {
      step += 1
      try act(machine, number, edit)
    }
  }
}

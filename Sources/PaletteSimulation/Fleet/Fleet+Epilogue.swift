import PaletteModel
import PalettePeers
import PaletteStore
import PaletteSync
import PaletteTestSupport

/// What happens when all is well again: strangers try what they found, and some are sent away.
extension Fleet {
  func epilogue() throws {
    for edge in edges where mayLeadOn(edge) {
      try checkThief(edge)
    }
    try checkLetters()
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
    func thief() -> Introduction {
      Introduction(library: RecordID(using: &random), node: NodeID(using: &random))
    }
    var withSecret = thief()
    withSecret.secret = peer.secret
    try checkNobody(withSecret, store, "the secret of \(dialer.name) at \(hub.name)")
    guard let code = codes[edge], !code.isEmpty else { return }
    var withCode = thief()
    withCode.code = code
    try checkNobody(withCode, store, "the code of \(dialer.name) at \(hub.name)")
  }

  private func checkNobody(
    _ introduction: Introduction,
    _ store: ChangeStore,
    _ what: String
  ) throws {
    guard case .success = try store.admit(introduction, fresh: [UInt8](repeating: 7, count: 32))
    else { return }
    throw Violation("stolen", "anybody comes in by \(what)")
  }

  /// Letters with codes that nobody redeems in time, or that are taken back, let nobody in.
  private func checkLetters() throws {
    guard let hub = machines.first(where: \.isRunning), let store = hub.store else { return }
    var random = choice(14, UInt64(hub.index))
    func found() -> Introduction {
      let code = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      return Introduction(
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
    try handle(.rightsChanged, at: hub)
    try pass(until: now + 2_000 + script.clockMilliseconds)
    try checkNobody(late, store, "a code of \(hub.name) that has ended")
    try checkNobody(revoked, store, "a code of \(hub.name) that was taken back")
  }

  /// What a library was given for a time ends with that time.
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
    let grant = Grant(
      edge.role,
      on: edge.palette.map(Script.palette),
      expiresMilliseconds: store.nowMilliseconds + 8_000
    )
    var random = choice(15, UInt64(edge.hub))
    let secret = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    try store.members.offer(grant, code: secret, codeExpiresMilliseconds: nil)
    try handle(
      .joined(
        Invitation(addresses: [hub.url], code: secret, grant: grant, library: store.library)
      ),
      at: dialer
    )
    try pass(until: now + 5_000)
    guard dialer.core?.dialers[hub.url]?.state == .live else {
      throw Violation("unlent", "\(dialer.name) cannot come in at \(hub.name) for a time")
    }
    try pass(until: now + 6_000 + script.clockMilliseconds)
    // It may have been given more.
    let mayStay = try store.members.grants().contains { grant, member in
      member?.library == library && !grant.isRevoked && grant.grant.expiresMilliseconds == nil
    }
    guard mayStay || dialer.core?.dialers[hub.url]?.state != .live else {
      throw Violation("still-lent", "\(dialer.name) stays at \(hub.name) when its time is over")
    }
  }
}

import PaletteMerge
import PaletteModel
import PalettePeers
import PaletteStore
import PaletteSync

/// Checks of secrecy: no machine hears of what was not shared with it.
extension Fleet {
  /// Checks a frame that a hub sends to a machine that joined it.
  func checkScope(_ frame: [UInt8], on wire: Wire) throws {
    let grants = edges.filter { $0.dialer == wire.machines[0] && $0.hub == wire.machines[1] }
    let (dialer, hub) = (machines[wire.machines[0]], machines[wire.machines[1]])
    let liar = liar(wire.machines[0])
    // Who left meanwhile was told what the grant let through.
    guard liar != nil || !grants.isEmpty,
      let known = try liar.map(\.scope) ?? readable(by: dialer, at: hub, grants),
      let frame = try? Frame(decoding: frame)
    else { return }
    // What a liar named itself is no news to it.
    switch frame {
    case .nack where liar != nil: return
    case .links(_, _, let found) where liar != nil && found.isEmpty: return
    default: break
    }
    let told = Self.palettes(in: frame)
    if let palette = told.first(where: { !known.contains($0) }) {
      throw Violation(
        "leaked",
        "\(Script.name(wire.machines[1])) tells \(Script.name(wire.machines[0])) of \(palette)"
      )
    }
    if case .bindings(let bindings) = frame, !bindings.isEmpty {
      throw Violation(
        "leaked",
        "\(Script.name(wire.machines[1])) tells \(Script.name(wire.machines[0])) who writes there"
      )
    }
  }

  /// The palettes that a machine may read at a hub; nil for all.
  ///
  /// Where it has several grants these come and go, and who has one no more hears nothing of it within
  /// two seconds.
  func readable(
    by dialer: Machine,
    at hub: Machine,
    _ grants: [Script.Edge]
  ) throws -> Set<PaletteID>? {
    guard grants.count > 1 else {
      return grants.contains { $0.palette == nil }
        ? nil : Set(grants.compactMap { $0.palette.map(Script.palette) })
    }
    guard let library = dialer.store?.library, let store = hub.store else { return nil }
    let pair = dialer.index * 64 + hub.index
    let own = try looking { try store.members.grants().filter { $0.member?.library == library } }
    let live = own.map(\.grant).filter { $0.counts(atMilliseconds: store.nowMilliseconds) }
    // Whom the machine sent away of which this is a copy comes to it as another library.
    if hub.hasCopies, live.isEmpty, !own.isEmpty { return nil }
    for grant in live { rightsSeen[pair, default: [:]][grant.grant.palette] = now }
    let recent = (rightsSeen[pair] ?? [:]).filter { $0.value >= now - 3_000 }
    return recent.keys.contains(nil) ? nil : Set(recent.keys.compactMap(\.self))
  }

  /// Notes who may read what at a hub where somebody has several grants.
  func noteRights(at hub: Machine) throws {
    for edge in edges where edge.hub == hub.index && isOneOfSeveral(edge) {
      _ = try readable(
        by: machines[edge.dialer],
        at: hub,
        edges.filter { $0.joinsSame(as: edge) }
      )
    }
  }

  /// Checks a frame that a machine sends to a hub that it joined: nothing is pushed of what it may only
  /// read.
  func checkPush(_ frame: [UInt8], on wire: Wire) throws {
    let grants = edges.filter { $0.dialer == wire.machines[0] && $0.hub == wire.machines[1] }
    guard grants.contains(where: { $0.role == .viewer || $0.palette != nil }),
      let frame = try? Frame(decoding: frame)
    else { return }
    switch frame {
    case .changes, .packedChanges, .snapshot, .packed, .whole: break
    default: return
    }
    for palette in Self.palettes(in: frame)
    where !grants.contains(where: {
      $0.role >= .editor && $0.palette.map { Script.palette($0) == palette } ?? true
    }) {
      throw Violation(
        "overstepped",
        "\(Script.name(wire.machines[0])) pushes changes of \(palette), which it may only read"
      )
    }
  }

  /// The palettes that a frame speaks of.
  private static func palettes(in frame: Frame) -> [PaletteID] {
    switch frame {
    case .palettes(_, let entries, _): entries.map(\.palette)
    case .frontier(let palette, _, _, _, _), .changes(let palette, _, _, _),
      .snapshot(let palette, _, _, _), .ack(let palette, _), .nack(let palette, _, _, _),
      .packed(let palette, _), .packedChanges(let palette, _), .linksOf(let palette, _, _),
      .links(let palette, _, _), .historyOf(let palette, _, _, _):
      [palette]
    case .lacking(let palettes): palettes
    case .whole(let whole): whole.entries.map(\.palette)
    case .acks(let acks): acks.map(\.palette)
    case .history(let history): [history.palette]
    case .presence(let presence): [presence.palette].compactMap(\.self)
    case .giveBack(let palette): [palette].compactMap(\.self)
    case .hello, .welcome, .refuse, .summary, .buckets, .credit, .ping, .pong, .goaway, .bye,
      .challenge, .proof, .bindings:
      []
    }
  }

  /// Checks that a machine of other people hears of nobody under an id that it could claim.
  func checkClaimable(_ frame: [UInt8], on wire: Wire) throws {
    guard frame.count > 1, frame[1] == 12,
      case .presence(let presence)? = try? Frame(decoding: frame),
      presence.palette != nil
    else { return }
    let (dialer, hub) = (wire.machines[0], machines[wire.machines[1]])
    let own = edges.filter { $0.dialer == dialer && $0.hub == hub.index }
    // Who left meanwhile was told what the grant let through.
    guard liar(dialer) != nil || !own.isEmpty,
      !own.contains(where: { $0.palette == nil && $0.role >= .relay }), let store = hub.store
    else { return }
    let node = presence.who.node
    guard try store.bindings.claim([node], for: RecordID(high: 0xBAD, low: 0)) == [node] else {
      return
    }
    throw Violation("leaked", "\(hub.name) tells a member of \(node), which anybody could claim")
  }

  /// A hub that knows a node id for a machine's takes what the machine writes under it.
  func checkRefusal(_ frame: [UInt8], on wire: Wire) throws {
    guard frame.count > 1, frame[1] == 10, liar(wire.machines[0]) == nil,
      case .nack(_, let dot, let code, _)? = try? Frame(decoding: frame), code == "not-allowed"
    else { return }
    let (dialer, hub) = (machines[wire.machines[0]], machines[wire.machines[1]])
    guard let store = dialer.store, store.isPresent(dot.node),
      try hub.store?.bindings.library(of: dot.node) == store.library
    else { return }
    throw Violation("refused-own", "\(hub.name) refuses \(dot) of \(dialer.name)")
  }

  /// Whoever was sent away writes nothing more.
  func checkRevoked(_ dot: Dot, _ palette: PaletteID, at hub: Machine) throws {
    func covers(_ edge: Script.Edge) -> Bool {
      edge.palette.map { Script.palette($0) == palette } ?? true
    }
    func mayStay(_ edge: Script.Edge) -> Bool {
      edge.role >= .editor && covers(edge) && revocations[edge] == nil
    }
    for (edge, nodes) in revocations
    where edge.hub == hub.index && nodes.contains(dot.node) && covers(edge)
      && !edges.contains(where: { $0.joinsSame(as: edge) && mayStay($0) })
    {
      throw Violation(
        "revoked-write",
        "\(hub.name) takes \(dot) of \(Script.name(edge.dialer)), which it had revoked"
      )
    }
  }

  /// Notes that a hub has sent a machine away, where it has no other way to the hub.
  func rememberRevocation(_ edge: Script.Edge) {
    let dialer = machines[edge.dialer]
    let ways = edges.count {
      ($0.dialer == edge.dialer || $0.hub == edge.dialer) && !$0.joinsSame(as: edge)
    }
    // A code that waits to be redeemed is an invitation that still holds.
    let code = dialer.core?.peers[machines[edge.hub].url]?.code
    // A hub that went back may get again from others what it had taken before.
    guard ways == 0, !dialer.hasCopies, !machines[edge.hub].hasRecovered, code == [],
      let store = dialer.store
    else { return }
    revocations[edge] = Set(store.identities)
  }
}

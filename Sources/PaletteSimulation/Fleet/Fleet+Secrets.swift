import PaletteModel
import PalettePeers
import PaletteStore
import PaletteSync

/// What may be told to whom: nobody hears of what was not shared with them.
extension Fleet {
  /// Checks a frame that a hub sends to a machine that joined it.
  func checkScope(_ frame: [UInt8], on wire: Wire) throws {
    let grants = edges.filter { $0.dialer == wire.machines[0] && $0.hub == wire.machines[1] }
    // Who left meanwhile was told what the grant let through.
    guard !grants.isEmpty, !grants.contains(where: { $0.palette == nil }),
      liar(wire.machines[0]) == nil, let frame = try? Frame(decoding: frame)
    else { return }
    let known = Set(grants.compactMap { $0.palette.map(Script.palette) })
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

  /// Who is no machine of the same people hears of nobody under an id that he could claim.
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
  func checkRevoked(_ dot: Dot, at hub: Machine) throws {
    for (edge, nodes) in revocations where edge.hub == hub.index && nodes.contains(dot.node) {
      throw Violation(
        "revoked-write",
        "\(hub.name) takes \(dot) of \(Script.name(edge.dialer)), which it had revoked"
      )
    }
  }

  /// Notes that a hub has sent a machine away, where it has no other way to the hub.
  func rememberRevocation(_ edge: Script.Edge) {
    let dialer = machines[edge.dialer]
    let ways = edges.count { $0.dialer == edge.dialer || $0.hub == edge.dialer }
    // A code that waits to be redeemed is an invitation that still holds.
    let code = dialer.core?.peers[machines[edge.hub].url]?.code
    // A hub that went back may get again from others what it had taken before.
    guard ways == 1, !dialer.hasCopies, !machines[edge.hub].hasRecovered, code == [],
      let store = dialer.store
    else { return }
    revocations[edge] = Set(store.identities)
  }
}

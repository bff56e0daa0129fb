import PaletteMerge
import PaletteModel
import PalettePeers
import PaletteStore
import PaletteSync

/// Liars among honest machines: they connect, lie, and are gone when the fleet heals.
extension Fleet {
  func inviteLiars() {
    for (offset, part) in script.liars.prefix(Self.liarLimit).enumerated() {
      var random = choice(11, UInt64(offset))
      let victim = Int(random.next() % UInt64(script.machines))
      liars.append(Liar(part, Script.machineLimit + offset, victim: victim, random: random))
      queue.schedule(.lie(offset), at: 2_000)
      planSendingAway(offset)
    }
  }

  /// The liar for whom a machine stands.
  func liar(_ machine: Int) -> Liar? {
    liars.first { $0.index == machine }
  }

  /// Returns whether somebody answers at a machine.
  func isUp(_ machine: Int) -> Bool {
    if let liar = liar(machine) { return !isHealing && !liar.dials }
    return machine < machines.count && machines[machine].isRunning
  }

  /// A liar says something, and will again.
  func lie(_ number: Int) throws {
    guard !isHealing else { return }
    let liar = liars[number]
    queue.schedule(.lie(number), at: now + liar.number(50...2_500))
    let victim = machines[liar.victim]
    guard victim.isRunning, !victim.disk.isDown else { return }
    if !liar.isInvited { return try invite(liar, victim) }
    guard let wire = liar.wire.flatMap({ wires[$0] }), !wire.isBroken else {
      liar.wire = nil
      if liar.dials { try connect(liar, to: victim) }
      return
    }
    guard liar.isGreeted else { return }
    var held: [PaletteID: Frontier] = [:]
    for palette in witness.facts.keys {
      held[palette] = witness.frontier(of: palette).filter { liar.knows($0.key) }
    }
    if liar.part == .editor, liar.chance(0.3) { try foresee(held, liar, victim, on: wire) }
    for frame in liar.lies(about: held) { say(frame, as: liar, on: wire) }
  }

  /// An editor writes where it may, and says to have seen what others have not made yet: of that, nothing
  /// must come.
  private func foresee(
    _ held: [PaletteID: Frontier],
    _ liar: Liar,
    _ victim: Machine,
    on wire: Wire
  ) throws {
    let palettes = held.keys.sorted().filter { $0 != Liar.palette && held[$0]?.isEmpty == false }
    guard let store = victim.store, !palettes.isEmpty else { return }
    let palette = palettes[Int(liar.number(0...Int64(palettes.count - 1)))]
    guard !witness.isRewritten(palette) else { return }
    let own = try looking { try store.frontier(of: palette)[liar.node] }
    let records = Set((witness.facts[palette] ?? [:]).values.map(\.change.record)).sorted()
    let bytes = liar.foresee(palette, records, held[palette] ?? [:], own: own, Self.start + now)
    let dot = try witness.foresaw(bytes, in: palette, by: liar.index)
    say(.changes(palette, liar.node, first: dot.sequence, [bytes]), as: liar, on: wire)
  }

  private func invite(_ liar: Liar, _ victim: Machine) throws {
    guard liar.dials else {
      let ticket = JoinTicket(
        addresses: [liar.url],
        code: liar.code,
        grant: liar.grant,
        library: liar.library
      )
      liar.isInvited = true
      return try handle(.joined(ticket), at: victim)
    }
    do {
      try victim.store?.members.offer(liar.grant, code: liar.code, codeExpiresMilliseconds: nil)
      if let grant = liar.further {
        let code = liar.furtherCode
        try victim.store?.members.offer(grant, code: code, codeExpiresMilliseconds: nil)
      }
      liar.isInvited = true
    } catch {
      if victim.disk.isDown { try losePower(victim) }
    }
  }

  private func connect(_ liar: Liar, to victim: Machine) throws {
    lastWire += 1
    let wire = Wire(
      lastWire,
      [liar.index, victim.index],
      key: UInt64(liar.number(0...Int64.max))
    )
    wires[wire.number] = wire
    liar.wire = wire.number
    liar.isGreeted = false
    try handle(.accepted(PeerConnectionID(rawValue: wire.number)), at: victim)
    let hello = liar.hello(
      liar.heard.sorted(),
      letters(to: victim),
      milliseconds: UInt64(Self.start + now)
    )
    say(hello, as: liar, on: wire)
  }

  /// The join codes of a hub that others have redeemed.
  private func letters(to hub: Machine) -> [FoundLetter] {
    edges.compactMap { edge in
      guard edge.hub == hub.index, let code = codes[edge], !code.isEmpty,
        let dialer = machines[edge.dialer].core, dialer.peers[hub.url]?.code == [],
        let store = machines[edge.dialer].store
      else { return nil }
      return FoundLetter(library: store.library, nodes: Set(store.identities), code: code)
    }
  }

  func say(_ frame: Frame, as liar: Liar, on wire: Wire) {
    let end = wire.machines[0] == liar.index ? 0 : 1
    guard wire.isOpen[end], !wire.isBroken else { return }
    counts.lies += 1
    trace?("  \(moment) \(machines[liar.index].name) lies: \("\(frame)".prefix(200))")
    wire.frameCounts[1 - end] += 1
    post(frame.encoded, on: wire, to: 1 - end)
  }

  /// A liar reads what came, and answers in its way.
  func listen(_ wire: Wire, _ end: Int) throws {
    guard let liar = liar(wire.machines[end]) else { return }
    let item = wire.inboxes[end].removeFirst()
    guard let bytes = item.frame else {
      wire.isOpen[end] = false
      return liar.lost(wire.number)
    }
    wire.queuedBytes[end] = max(0, wire.queuedBytes[end] - bytes.count)
    guard let frame = try? Frame(decoding: bytes) else { return }
    liar.hear(frame)
    let held = { [witness] palette in
      witness.frontier(of: palette).filter { liar.knows($0.key) }
    }
    switch frame {
    case .challenge(let challenge):
      let nonce = [UInt8](repeating: 1, count: 32)
      let known = SecretHash(of: liar.isMember ? liar.secret : liar.code)
      say(.proof(Proof(of: known, to: challenge, nonce: nonce, at: "")), as: liar, on: wire)
    case .hello:
      liar.wire = wire.number
      liar.isGreeted = true
      say(liar.welcome(milliseconds: UInt64(Self.start + now)), as: liar, on: wire)
      say(.credit(1 << 40), as: liar, on: wire)
    case .welcome:
      liar.isMember = true
      liar.isGreeted = true
      say(.credit(1 << 40), as: liar, on: wire)
    case .summary: say(.summary(Digest(Liar.palette, .zero)), as: liar, on: wire)
    case .buckets(let digests):
      let entries = (Array(witness.facts.keys) + [Liar.palette]).sorted().map {
        Frame.Entry(palette: $0, digest: digests[0])
      }
      let all = (0...255).map { UInt8($0) }
      say(.palettes(buckets: all, entries: entries, isLast: true), as: liar, on: wire)
    case .palettes(_, let entries, _):
      for entry in entries {
        say(liar.claim(entry.palette, held(entry.palette)), as: liar, on: wire)
      }
    case .frontier(let palette, _, _, let asks, _):
      if asks { say(liar.claim(palette, held(palette)), as: liar, on: wire) }
    case .lacking(let palettes):
      for palette in palettes { say(liar.claim(palette, held(palette)), as: liar, on: wire) }
    case .linksOf(let palette, let node, let numbers):
      say(liar.links(palette, node, numbers), as: liar, on: wire)
    case .historyOf(let palette, let node, let first, let last):
      say(liar.answer(palette, node, first...max(first, last)), as: liar, on: wire)
    case .ping(let time): say(.pong(time, time), as: liar, on: wire)
    default: break
    }
  }

  /// No honest connection ends because of what somebody else said.
  func checkEnd(_ code: UInt16, _ reason: String, of wire: Wire, by machine: Machine) {
    guard [1002, 1008, 1009].contains(code), !wire.isHarmed, reason != "no welcome came",
      !wire.machines.contains(where: { liar($0) != nil })
    else { return }
    machine.violation = Violation("cut-off", "\(machine.name) ends a connection: \(code) \(reason)")
  }

  /// Liars are gone, and whoever joined one leaves it.
  func endLying() throws {
    try leaveLiars()
    for wire in wires.values.sorted(by: { $0.number < $1.number }) {
      guard let end = (0..<2).first(where: { liar(wire.machines[$0]) != nil }) else { continue }
      cut(wire, first: 1 - end, laterMilliseconds: 1)
    }
  }

  func leaveLiars() throws {
    for liar in liars {
      for machine in machines where machine.core?.dialers[liar.url] != nil {
        try handle(.left(url: liar.url, palette: nil), at: machine)
      }
    }
  }

  /// Nothing of a lie is left but in the liars' own palette.
  func checkLies() throws {
    guard !liars.isEmpty else { return }
    try checkSentAway()
    let known = Set(script.palettes.map(Script.palette) + [Liar.palette])
    let year: Int64 = 365 * 86_400_000
    for machine in machines where machine.isPresent {
      guard let store = machine.store else { continue }
      for palette in try store.palettes() where !known.contains(palette.id) {
        throw Violation("stray", "\(machine.name) has the palette \(palette.id), which nobody made")
      }
      // Honest clocks jump by years, but the fleet agrees on what most show.
      if machines.allSatisfy({ $0.skewMilliseconds == 0 }), !liesAboutTimeWereHeardAlone,
        !liesAboutTimeGoAround, !isTimeLiedAbout,
        abs(store.clockOffsetMilliseconds) > year
      {
        throw Violation(
          "moved-clock",
          "\(machine.name) stamps \(store.clockOffsetMilliseconds) ms off"
        )
      }
      let bound = try store.bindings.all().count
      guard bound < 600 else {
        throw Violation("growing", "\(machine.name) keeps \(bound) bindings")
      }
    }
  }

  /// True if a machine joined a liar and no other hub: then the liar's clock is the only one it
  /// knows.
  private var liesAboutTimeWereHeardAlone: Bool {
    liars.contains { !$0.dials && machines[$0.victim].core?.dialers.isEmpty != false }
  }

  /// True if a machine joined a liar, and each machine believes one other: what one took from a
  /// liar while its hub was away is what the next one takes from it.
  private var liesAboutTimeGoAround: Bool {
    liars.contains { !$0.dials }
      && machines.indices.allSatisfy { index in
        edges.count { $0.dialer == index || ($0.hub == index && $0.role >= .relay) } <= 1
      }
  }
}

/// A join code that an honest machine has redeemed, and the library of that machine: no secrets any more.
struct FoundLetter {
  let library: RecordID
  /// The ids under which the library writes.
  let nodes: Set<NodeID>
  let code: [UInt8]
}

import PaletteMerge
import PaletteModel
import PalettePeers
import PaletteStore
import PaletteSync
import PaletteTestSupport

/// Liars that are sent away in the middle of long work: nothing of it may be taken after that, by nobody.
extension Fleet {
  /// The changes that a liar sends before it is sent away, and those of one frame: too many to be merged at
  /// once.
  private static let work = (frames: 12, changesPerFrame: 5)

  /// Decides when a liar is sent away, if it is; that has numbers of its own, so that other lives are the
  /// same without it.
  func planSendingAway(_ number: Int) {
    var random = choice(17, UInt64(number))
    guard liars[number].dials, random.chance(0.4) else { return }
    queue.schedule(
      .sendAway(number, isBegun: false),
      at: Int64.random(in: 5_000...45_000, using: &random)
    )
  }

  /// A liar begins long work where it may write, and is sent away before that has arrived.
  func sendAway(_ number: Int, isBegun: Bool) throws {
    guard !isHealing else { return }
    let (liar, victim) = (liars[number], machines[liars[number].victim])
    var random = choice(18, UInt64(number), UInt64(now))
    guard !isBegun else {
      try revoke(liar, at: victim, number)
      if liar.sentAway != nil, liar.isInBackup { try recover(victim.index) }
      return
    }
    guard victim.isRunning, !victim.disk.isDown, liar.isGreeted,
      let wire = liar.wire.flatMap({ wires[$0] }), !wire.isBroken
    else { return queue.schedule(.sendAway(number, isBegun: false), at: now + 1_500) }
    let held = try looking { try victim.store?.frontier(of: Liar.palette)[liar.node] }
    // Who is let in by a backup stays outside when that is recovered.
    if random.chance(0.3) {
      try backUp(victim.index)
      liar.isInBackup = victim.isRunning
    }
    for frame in liar.work(after: held, frames: Self.work.frames, of: Self.work.changesPerFrame) {
      say(frame, as: liar, on: wire)
    }
    queue.schedule(
      .sendAway(number, isBegun: true),
      at: now + Int64.random(in: 0...120, using: &random)
    )
  }

  private func revoke(_ liar: Liar, at victim: Machine, _ number: Int) throws {
    // It says to be whom it likes, and is who has its secret.
    let hash = SecretHash(of: liar.secret)
    let isItsOwn = { (grant: StoredGrant, member: Member?, own: Member?) in
      member != nil && member?.id == own?.id && !grant.isRevoked
    }
    let again = { [self] in
      queue.schedule(.sendAway(number, isBegun: true), at: now + 500)
    }
    guard victim.isRunning, !victim.disk.isDown, let store = victim.store else { return again() }
    guard let own = try? store.members.member(hash: hash) else { return again() }
    for (grant, member) in (try? store.members.grants()) ?? [] where isItsOwn(grant, member, own) {
      guard (try? store.members.revokeGrant(grant.uid)) == true, !victim.disk.isDown else { break }
    }
    if !victim.disk.isDown { try handle(.rightsChanged, at: victim) }
    if victim.disk.isDown {
      try losePower(victim)
      return again()
    }
    guard victim.isRunning, !victim.disk.isDown,
      try !look(at: victim, { try store.members.grants() })
        .contains(where: { isItsOwn($0.grant, $0.member, own) })
    else { return again() }
    // Others may have more of it than its victim, whose disk is as it was before.
    let held = try looking { try store.frontier(of: Liar.palette).mapValues(\.sequence) }
    liar.sentAway = machines.reduce(into: held) { end, machine in
      end.merge(machine.held[Liar.palette] ?? [:]) { max($0, $1) }
    }
    trace?("  \(moment) \(victim.name) sends \(machines[liar.index].name) away")
  }

  /// Whose disk is as it was before may have somebody in again who was sent away.
  func forgetSendingAway(by index: Int) {
    for liar in liars where liar.victim == index { liar.sentAway = nil }
  }

  /// Checks that nobody holds more of a liar than was held when it was sent away.
  func checkSentAway() throws {
    for liar in liars {
      guard let end = liar.sentAway else { continue }
      for machine in machines where machine.isPresent {
        guard let frontier = try machine.store?.frontier(of: Liar.palette) else { continue }
        for (node, head) in frontier where liar.wrote(node) {
          guard head.sequence > end[node] ?? 0 else { continue }
          throw Violation(
            "revoked-work",
            "\(machine.name) took \(Dot(node, head.sequence)) of a member that was sent away at "
              + "\(end[node] ?? 0)"
          )
        }
      }
    }
  }
}

extension Liar {
  /// Changes of its own in its palette, in frames of several.
  func work(after held: StreamHead?, frames: Int, of count: Int) -> [Frame] {
    var (sequence, previous) = (held?.sequence ?? 0, held?.link ?? 0)
    return (0..<frames).map { number in
      let first = sequence + 1
      let changes = (0..<count).map { index in
        sequence += 1
        let name = RegisterValue(text: "\(Self.name) \(number) \(index)")
        let bytes = Edit.add(RecordID(high: node.rawValue, low: UInt64(sequence)), [.name: name])
          .change(
            dot: Dot(node, sequence),
            stamp: Stamp(milliseconds: 1, counter: 0),
            previous: previous,
            frontier: [:],
            state: RecordState(),
            proof: { _ in 0 }
          ).encoded
        previous = ChangeHash(of: bytes, in: Self.palette).link
        return bytes
      }
      return .changes(Self.palette, node, first: first, changes)
    }
  }
}

import PaletteModel
import PalettePeers
import PaletteStore
import PaletteSync

/// Faults end, and everything is to come together without a new edit.
extension Fleet {
  /// The most rounds of half a minute that this may take.
  private static let rounds = 12

  func heal() throws {
    isHealing = true
    try endLying()
    partitions = []
    distortions = []
    for machine in machines where machine.isPresent {
      machine.disk.crash = nil
      machine.disk.failure = nil
      machine.versions = [1]
      queue.schedule(.start(machine.index), at: now)
    }
    for wire in wires.values.sorted(by: { $0.number < $1.number }) {
      wire.stalledUntil = 0
      for end in 0..<2 {
        for _ in wire.inboxes[end] {
          queue.schedule(.look(wire: wire.number, end: end), at: now + 1)
        }
      }
      // Whoever tampers with a connection has to end it; what was not tampered with goes on.
      if wire.isHarmed { cut(wire, first: 0, laterMilliseconds: 5) }
    }
    try pass(until: now + 5_000)
    for round in 0..<Self.rounds {
      try leaveLiars()
      try shareAgain()
      try pass(until: now + 35_000)
      if round > 0, try isSettled() { return }
    }
    try explainUnsettled()
  }

  /// A hub gives new codes to whoever it refuses: to those that it forgot when it was restored, and
  /// to those whose token was revoked.
  private func shareAgain() throws {
    for edge in edges {
      let dialer = machines[edge.dialer]
      let url = Machine.url(edge.hub)
      let state = dialer.core?.dialers[url]
      guard dialer.isRunning, state == nil || state?.state == .refused else { continue }
      try share(edge)
    }
  }

  private func isSettled() throws -> Bool {
    for machine in machines where machine.isPresent {
      guard let core = machine.core else { return false }
      for (url, dialer) in core.dialers {
        guard dialer.state == .live, dialer.isCaughtUp else { return false }
        if try pending(machine, at: url) > 0 { return false }
      }
    }
    for edge in edges { if try lack(edge) != nil { return false } }
    return true
  }

  private func pending(_ machine: Machine, at url: String) throws -> Int {
    guard let store = machine.store, let peer = machine.core?.peers[url] else { return 0 }
    let trust = Trust.hub(peer.grants)
    var pending = 0
    for palette in witness.facts.keys where trust.letsOutChanges(of: palette) {
      pending += try store.pending(of: palette, at: [url])
    }
    return pending
  }

  /// What one of two machines that are joined lacks of what the other has to give it; nil for nothing.
  private func lack(_ edge: Script.Edge) throws -> String? {
    let (dialer, hub) = (machines[edge.dialer], machines[edge.hub])
    guard dialer.isPresent, hub.isPresent else { return nil }
    guard let below = dialer.store, let above = hub.store else { return "one of two does not run" }
    for number in script.palettes where edge.palette ?? number == number {
      let palette = Script.palette(number)
      let (own, theirs) = (try below.frontier(of: palette), try above.frontier(of: palette))
      for (node, tip) in theirs where own[node]?.sequence ?? 0 < tip.sequence {
        return "\(dialer.name) holds \(own[node]?.sequence ?? 0) changes of \(node) in "
          + "palette#\(number), \(hub.name) \(tip.sequence)"
      }
      for (node, tip) in own
      where edge.role >= .relay || edge.role == .editor && below.isOwn(node) {
        if theirs[node]?.sequence ?? 0 < tip.sequence {
          return "\(hub.name) holds \(theirs[node]?.sequence ?? 0) changes of \(node) in "
            + "palette#\(number), \(dialer.name) \(tip.sequence)"
        }
      }
      if own == theirs, try below.digest(of: palette) != above.digest(of: palette) {
        return "\(dialer.name) and \(hub.name) hold the same of palette#\(number) and differ"
      }
    }
    return nil
  }

  private func explainUnsettled() throws {
    for machine in machines where machine.isPresent {
      guard let core = machine.core else {
        throw Violation("not-settled", "\(machine.name) does not run")
      }
      for (url, dialer) in core.dialers.sorted(by: { $0.key < $1.key }) {
        let peer = Machine.index(ofURL: url).map(Script.name) ?? url
        guard dialer.state == .live, dialer.isCaughtUp else {
          let why = dialer.error ?? "no reason"
          throw Violation(
            "not-settled",
            "\(machine.name) is \(dialer.state.rawValue) with \(peer), caught up: "
              + "\(dialer.isCaughtUp), \(why)"
          )
        }
        let pending = try pending(machine, at: url)
        if pending > 0 {
          throw Violation("pending", "\(machine.name) waits for \(peer) to hold \(pending) changes")
        }
      }
    }
    for edge in edges {
      if let lack = try lack(edge) { throw Violation("not-equal", lack) }
    }
    throw Violation("not-settled", "it came together too late")
  }
}

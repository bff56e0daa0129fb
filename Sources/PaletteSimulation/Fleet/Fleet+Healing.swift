import PaletteModel
import PaletteNode
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
    for (palette, members) in try groups() {
      let digests = try Set(members.map { try $0.store?.digest(of: palette) })
      if digests.count > 1 { return false }
    }
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

  /// For each palette, those who share it, in groups.
  func groups() throws -> [(PaletteID, [Machine])] {
    var groups: [(PaletteID, [Machine])] = []
    for number in 0..<4 {
      var remaining = Set(machines.indices.filter { machines[$0].isPresent })
      while let first = remaining.min() {
        var group: Set<Int> = [first]
        var isGrowing = true
        while isGrowing {
          isGrowing = false
          for edge in edges where edge.palette == nil || edge.palette == number {
            let count = group.count
            if group.contains(edge.dialer) { group.insert(edge.hub) }
            if group.contains(edge.hub) { group.insert(edge.dialer) }
            isGrowing = isGrowing || group.count > count
          }
        }
        remaining.subtract(group)
        groups.append((Script.palette(number), group.sorted().map { machines[$0] }))
      }
    }
    return groups
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
    throw Violation("not-equal", try explainDifference())
  }

  private func explainDifference() throws -> String {
    for (palette, members) in try groups() {
      guard let first = members.first, let store = first.store else { continue }
      let frontier = try store.frontier(of: palette)
      for other in members.dropFirst() {
        guard let otherStore = other.store,
          try otherStore.digest(of: palette) != store.digest(of: palette)
        else { continue }
        let otherFrontier = try otherStore.frontier(of: palette)
        for node in Set(frontier.keys).union(otherFrontier.keys).sorted()
        where frontier[node]?.sequence != otherFrontier[node]?.sequence {
          let (one, two) = (frontier[node]?.sequence ?? 0, otherFrontier[node]?.sequence ?? 0)
          return "\(first.name) holds \(one) changes of \(node), \(other.name) \(two)"
        }
        return "\(first.name) and \(other.name) hold the same changes and have other digests"
      }
    }
    return "all digests are equal now"
  }
}

import PaletteMerge
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
    try repairFiles()
    try pass(until: now + 5_000)
    for round in 0..<Self.rounds {
      try leaveLiars()
      try leaveAgain()
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
      guard dialer.isRunning,
        try state == nil || state?.state == .refused || !isGranted(edge)
      else { continue }
      try share(edge)
    }
  }

  /// Whoever is refused by a hub that it had left before it went back to a backup leaves once more.
  private func leaveAgain() throws {
    for machine in machines where machine.isRunning {
      for (url, dialer) in (machine.core?.dialers ?? [:]).sorted(by: { $0.key < $1.key })
      where dialer.state == .refused {
        guard let hub = Machine.index(ofURL: url),
          !edges.contains(where: { $0.dialer == machine.index && $0.hub == hub })
        else { continue }
        try handle(.left(url: url, palette: nil), at: machine)
      }
    }
  }

  private func isSettled() throws -> Bool {
    for machine in machines where machine.isPresent {
      guard let core = machine.core else { return false }
      for (url, dialer) in core.dialers {
        guard dialer.state == .live, try dialer.isCaughtUp || isSplit(machine, url) else {
          return false
        }
        if try pending(machine, at: url) > 0 { return false }
      }
    }
    for edge in edges { if try !isGranted(edge) || lack(edge) != nil { return false } }
    return unsettledLink() == nil
  }

  private func pending(_ machine: Machine, at url: String) throws -> Int {
    guard let store = machine.store, let peer = machine.core?.peers[url] else { return 0 }
    let trust = Trust.hub(peer.grants)
    var pending = 0
    for palette in witness.facts.keys where trust.letsOutChanges(of: palette) {
      if let hub = hub(at: url), try isSplit(palette, machine, hub) { continue }
      // What a copy of this library wrote is here without the log, and who wrote it tells it.
      if machine.hasCopies, try store.changes(of: palette) == nil { continue }
      pending += try store.pending(of: palette, at: [url])
    }
    return pending
  }

  /// Describes a change that one of two joined machines could give the other and that is missing
  /// there; nil for none.
  func lack(_ edge: Script.Edge) throws -> String? {
    let (dialer, hub) = (machines[edge.dialer], machines[edge.hub])
    guard dialer.isPresent, hub.isPresent else { return nil }
    guard let below = dialer.store, let above = hub.store else { return "one of two does not run" }
    for number in script.palettes where edge.covers(number) {
      let palette = Script.palette(number)
      if try isSplit(palette, dialer, hub) {
        if let author = try unhealed(edge, palette) {
          return "\(author.name) was rolled back and has not issued anew what it wrote since"
        }
        continue
      }
      let (own, theirs) = (try below.frontier(of: palette), try above.frontier(of: palette))
      for (node, head) in theirs where own[node]?.sequence ?? 0 < head.sequence {
        return "\(dialer.name) holds \(own[node]?.sequence ?? 0) changes of \(node) in "
          + "palette#\(number), \(hub.name) \(head.sequence)"
      }
      var restated: Set<NodeID> = []
      for (node, head) in own
      where edge.role >= .relay || edge.role == .editor && below.isOwn(node) {
        if theirs[node]?.sequence ?? 0 < head.sequence {
          // What was written under an id that the hub takes from others alone comes under another id.
          if edge.role == .editor, !below.isPresent(node),
            try above.bindings.library(of: node) != below.library
          {
            restated.insert(node)
            continue
          }
          return "\(hub.name) holds \(theirs[node]?.sequence ?? 0) changes of \(node) in "
            + "palette#\(number), \(dialer.name) \(head.sequence)"
        }
      }
      if !restated.isEmpty,
        own.allSatisfy({
          restated.contains($0.key) || theirs[$0.key]?.sequence ?? 0 >= $0.value.sequence
        }), try shown(palette, dialer) != shown(palette, hub)
      {
        return "\(hub.name) does not show what \(dialer.name) wrote under a former id in "
          + "palette#\(number)"
      }
      if own == theirs, !witness.isRewritten(palette) || !compacts,
        try below.digest(of: palette) != above.digest(of: palette)
      {
        return "\(dialer.name) and \(hub.name) hold the same of palette#\(number) and differ"
      }
    }
    return nil
  }

  /// The palette as a machine shows it.
  private func shown(_ palette: PaletteID, _ machine: Machine) throws -> [String] {
    guard let store = machine.store else { return [] }
    let colors = try store.colors(of: palette).map { "\($0.color) \($0.place) \($0.conflicts)" }
    return colors + ["\(try store.summary(of: palette)?.isDropped ?? true)"]
  }

  private func hub(at url: String) -> Machine? { Machine.index(ofURL: url).map { machines[$0] } }

  /// Returns whether a machine and a hub cannot be caught up with each other in some palette.
  private func isSplit(_ machine: Machine, _ url: String) throws -> Bool {
    guard let hub = hub(at: url) else { return false }
    return try witness.rewrittenPalettes.contains { try isSplit($0, machine, hub) }
      || isLiedApart(machine, hub)
  }

  /// Returns whether two machines hold different changes of one liar, who told each another thing
  /// in its palette.
  private func isLiedApart(_ one: Machine, _ other: Machine) throws -> Bool {
    guard !liars.isEmpty else { return false }
    return try differing(Liar.palette, one, other, orUnknown: false).contains { node in
      !machines.contains { $0.store?.isOwn(node) == true }
    }
  }

  /// Returns whether two machines hold different changes under one number, which was used again.
  private func isSplit(_ palette: PaletteID, _ one: Machine, _ other: Machine) throws -> Bool {
    try !contested(palette, one, other, orUnknown: true).isEmpty
  }

  /// The authors of whom two machines hold different changes, or cannot know whether they do because
  /// they were compacted away.
  private func contested(
    _ palette: PaletteID,
    _ one: Machine,
    _ other: Machine,
    orUnknown: Bool
  ) throws -> [NodeID] {
    guard witness.isRewritten(palette) else { return [] }
    return try differing(palette, one, other, orUnknown: orUnknown)
  }

  private func differing(
    _ palette: PaletteID,
    _ one: Machine,
    _ other: Machine,
    orUnknown: Bool
  ) throws -> [NodeID] {
    guard let first = one.store, let second = other.store else { return [] }
    let theirs = try second.frontier(of: palette)
    return try first.frontier(of: palette).compactMap { node, head in
      guard let their = theirs[node] else { return nil }
      let dot = Dot(node, min(head.sequence, their.sequence))
      let links = (try first.link(of: dot, in: palette), try second.link(of: dot, in: palette))
      guard let link = links.0, let other = links.1 else { return orUnknown ? node : nil }
      return link != other ? node : nil
    }
  }

  /// The author of contested changes that still goes on under the same id, though one that it
  /// believes holds others than it does; nil when there is none.
  private func unhealed(_ edge: Script.Edge, _ palette: PaletteID) throws -> Machine? {
    let (dialer, hub) = (machines[edge.dialer], machines[edge.hub])
    guard !compacts else { return nil }
    let contested = try contested(palette, dialer, hub, orUnknown: false)
    if let store = dialer.store, contested.contains(store.node) { return dialer }
    if edge.role >= .relay, let store = hub.store, contested.contains(store.node) { return hub }
    return nil
  }

  private func explainUnsettled() throws {
    for machine in machines where machine.isPresent {
      guard let core = machine.core else {
        throw Violation("not-settled", "\(machine.name) does not run")
      }
      for (url, dialer) in core.dialers.sorted(by: { $0.key < $1.key }) {
        let peer = Machine.index(ofURL: url).map(Script.name) ?? url
        guard dialer.state == .live, try dialer.isCaughtUp || isSplit(machine, url) else {
          let why = dialer.error?.text ?? "no reason"
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
    if let reason = unsettledLink() { throw Violation("link-unsettled", reason) }
    throw Violation("not-settled", "it came together too late")
  }
}

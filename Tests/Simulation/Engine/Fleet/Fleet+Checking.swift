import PaletteMerge
import PaletteModel
import PalettePeers
import PaletteStore
import PaletteSync

/// Checks at the end: all replicas show the same, and it is what the edits amount to.
extension Fleet {
  func check() throws {
    let present = machines.filter(\.isPresent)
    for number in script.palettes {
      let palette = Script.palette(number)
      if witness.isRewritten(palette) {
        try checkRewritten(palette)
        for machine in present { try checkStore(machine, palette) }
        continue
      }
      try witness.checkKept(palette, by: present)
      for machine in present {
        try check(machine, palette)
        try checkStore(machine, palette)
        try checkHistory(palette, machine)
        try checkPast(palette, machine)
      }
    }
    for machine in present {
      try checkSums(machine)
      try checkLists(machine)
    }
    try checkLies()
    // What is shown must also be what the disk has.
    for machine in machines.filter(\.isPresent).prefix(1) {
      let before = try machine.store?.digest()
      try stop(machine)
      try start(machine)
      guard try machine.store?.digest() == before else {
        throw Violation("forgotten", "\(machine.name) has another digest after a restart")
      }
    }
  }

  /// True if anybody compacts.
  ///
  /// Images of disks then are older than the horizon, which in life is a
  /// month: where the changes that differ are gone on one side, nobody can tell that they did.
  var compacts: Bool {
    script.steps.contains { step in
      if case .edit(_, _, .compact) = step.event { true } else { false }
    }
  }

  /// Checks that changes under numbers that were used again are in a history that is not compacted.
  private func checkRewritten(_ palette: PaletteID) throws {
    guard !compacts else { return }
    var histories: [[Change]] = []
    for machine in machines where machine.isPresent {
      var history: [Change] = []
      try machine.store?.forEachChange(of: palette) { _, bytes in
        if let change = try? Change(decoding: bytes, in: palette) { history.append(change) }
      }
      histories.append(history)
    }
    try witness.checkValuesKept(palette, in: histories)
  }

  /// Looks at machines without using up what is to fail at their disks.
  func looking<Result>(_ body: () throws -> Result) rethrows -> Result {
    let before = machines.map(\.disk.isLookedAt)
    for machine in machines { machine.disk.isLookedAt = true }
    defer {
      for (machine, wasLookedAt) in zip(machines, before) { machine.disk.isLookedAt = wasLookedAt }
    }
    return try body()
  }

  /// Nothing counts as held by a peer that it does not hold: not now, and not when it comes back.
  ///
  /// A peer that was rolled back may hold less than it has said, until it has said so.
  func checkStatements(_ machine: Machine) throws {
    guard let store = machine.store, let core = machine.core else { return }
    for (url, peer) in core.peers {
      guard let index = Machine.index(ofURL: url), index < machines.count, liar(index) == nil,
        !machines[index].hasRecovered, !machine.hasRecovered, let hub = machines[index].store
      else { continue }
      let trust = Trust.hub(peer.grants)
      for palette in machine.held.keys where trust.letsOutChanges(of: palette) {
        let theirs = try hub.frontier(of: palette)
        let lacking = try store.frontier(of: palette).filter { node, head in
          store.isOwn(node)
            && edits(of: node, in: palette, after: theirs[node]?.sequence ?? 0, head.sequence) > 0
        }
        guard !lacking.isEmpty, try store.peers.refusedCount(by: url) == 0,
          try store.pending(of: palette, at: [url]) == 0
        else { continue }
        throw Violation(
          "false-pending",
          "\(machine.name) tells nothing pending, and \(Script.name(index)) lacks "
            + lacking.map { "\(Dot($0, $1.sequence))" }.sorted().joined(separator: ", ")
        )
      }
    }
  }

  /// An editor can send all that is its own, whatever it and its hub lack of others' changes.
  func checkWithheld(_ machine: Machine) throws {
    // What a copy of its library made, or it made itself and lost, may have come back without the log.
    guard !machine.hasCopies, !machine.hasRecovered else { return }
    for (url, dialer) in machine.core?.dialers ?? [:]
    where dialer.error?.reason.contains("must connect to send all") == true {
      guard Machine.index(ofURL: url).flatMap(liar) == nil else { continue }
      throw Violation("withheld", "\(machine.name) at \(url): \(dialer.error?.text ?? "")")
    }
  }

  /// A hub that was just joined has not said yet what it holds, so everything is pending there.
  func checkUnheard(_ url: String, by machine: Machine) throws {
    guard let store = machine.store, let peer = machine.core?.peers[url] else { return }
    let trust = Trust.hub(peer.grants)
    for palette in machine.held.keys where trust.letsOutChanges(of: palette) {
      let hasEdited = try store.frontier(of: palette).contains { node, head in
        store.isOwn(node) && edits(of: node, in: palette, after: 0, head.sequence) > 0
      }
      guard hasEdited, try store.pending(of: palette, at: [url]) == 0 else { continue }
      throw Violation(
        "false-pending",
        "\(machine.name) tells nothing pending at \(url), which has said nothing yet"
      )
    }
  }

  /// The number of edits that are among an author's changes behind one that is held: by what the
  /// author says to be called, nobody has edited anything.
  private func edits(
    of node: NodeID,
    in palette: PaletteID,
    after held: UInt32,
    _ last: UInt32
  ) -> Int {
    guard last > held else { return 0 }
    return (held + 1...last).count { sequence in
      witness.facts[palette]?[Dot(node, sequence)]?.change.namesAuthor != true
    }
  }

  /// Checks that changes are pending which a connected peer does not hold, even if it once did.
  func checkPending(_ machine: Machine, _ wire: Wire) throws {
    let hub = machines[wire.machines[1]]
    guard wire.isOpen == [true, true], !wire.isBroken, let store = machine.store, hub.isRunning,
      let dialer = machine.core?.dialers[hub.url], dialer.isCaughtUp, dialer.state == .live
    else { return }
    // A hub may let a connection do less than was agreed; what may not leave is not pending.
    for palette in machine.held.keys
    where machine.core?.letsOutOwn(palette, to: hub.url) == true && !witness.isRewritten(palette) {
      // Not what was committed once: changes that were issued again are held under their new dots.
      let held = try store.frontier(of: palette).mapValues(\.sequence)
      let lacking = held.reduce(0) { sum, entry in
        guard store.isOwn(entry.key) else { return sum }
        let theirs = hub.held[palette]?[entry.key] ?? 0
        return sum + edits(of: entry.key, in: palette, after: theirs, entry.value)
      }
      // What was refused is told as that.
      guard lacking > 0, try store.peers.refusedCount(by: hub.url) == 0,
        try hub.store?.frontier(of: palette).mapValues(\.sequence)
          == hub.held[palette], try store.pending(of: palette, at: [hub.url]) == 0
      else { continue }
      throw Violation(
        "false-pending",
        "\(machine.name) tells nothing pending, and \(hub.name) lacks \(lacking) of its changes"
      )
    }
  }

  /// A machine shows what follows from the changes that it holds.
  ///
  /// What is removed, or hidden, is looked at too where `recordsToo` says so. What must be shown is
  /// handed back.
  @discardableResult
  func check(
    _ machine: Machine,
    _ palette: PaletteID,
    recordsToo: Bool = true
  ) throws -> Expectation? {
    guard let store = machine.store else { return nil }
    let held = try store.frontier(of: palette).mapValues(\.sequence)
    let expected = witness.expectation(of: palette, holding: held)
    let colors = try store.colors(of: palette)
    let ids = colors.map(\.color.id)
    let names =
      recordsToo ? try store.names(of: palette) + store.names(of: palette, removed: true) : []
    let records = Set(expected.live.keys).union(names.map(\.id))
    for record in records.sorted() where recordsToo {
      let live = try store.liveValues(of: record, in: palette).map { entry in
        Expectation.Value(
          register: entry.value.register,
          dot: entry.value.dot,
          bytes: entry.value.value.encoded,
          isCovered: entry.value.isCovered
        )
      }
      let wanted = expected.live[record] ?? []
      if Set(live) == wanted, live.count == wanted.count { continue }
      throw explain(machine, live, wanted, expected)
    }
    guard ids == expected.list.map(\.id) else {
      throw Violation("wrong-list", "\(machine.name) lists other colors, or in another order")
    }
    for (color, wanted) in zip(colors, expected.list) { try check(color, wanted, machine) }
    let isDropped = try store.summary(of: palette)?.isDropped ?? !expected.isVisible
    guard isDropped == !expected.isVisible else {
      throw Violation(
        "wrong-drop",
        "at \(machine.name) the palette is \(isDropped ? "" : "not ")dropped"
      )
    }
    return expected
  }

  private func check(_ color: ListedColor, _ wanted: Expectation.Listed, _ machine: Machine) throws
  {
    let shown: [Register: [UInt8]] = [
      .name: RegisterValue(text: color.color.name).encoded,
      .color: RegisterValue(color: color.color.color).encoded,
      .place: RegisterValue(placeBytes: color.place.bytes).encoded,
      .note: RegisterValue(text: color.color.note).encoded,
    ]
    for (register, value) in shown
    where value != wanted.shown[register] ?? RegisterValue(text: "").encoded {
      throw Violation(
        "wrong-value",
        "\(machine.name) shows another \(register) of '\(color.color.name)' than the latest"
      )
    }
    guard color.conflicts == wanted.conflicts else {
      throw Violation(
        "wrong-conflicts",
        "\(machine.name) shows conflicts of '\(color.color.name)' in \(color.conflicts), "
          + "not \(wanted.conflicts)"
      )
    }
  }

  private func explain(
    _ machine: Machine,
    _ live: [Expectation.Value],
    _ wanted: Set<Expectation.Value>,
    _ expected: Expectation
  ) -> Violation {
    func step(_ value: Expectation.Value) -> String {
      "\(value.dot) of step #\(expected.steps[value.dot] ?? -1)"
    }
    if let missing = wanted.subtracting(live).sorted(by: { $0.dot < $1.dot }).first {
      if live.contains(where: { $0.dot == missing.dot && $0.register == missing.register }) {
        let how = missing.isCovered ? "not covered by a delete that saw it" : "hidden unseen"
        return Violation(
          "wrong-cover",
          "at \(machine.name) \(missing.register) by \(step(missing)) is \(how)"
        )
      }
      return Violation(
        "vanished",
        "at \(machine.name) \(missing.register) by \(step(missing)) is not live, "
          + "and nobody who replaced it had seen it"
      )
    }
    let extra = Set(live).subtracting(wanted).min { $0.dot < $1.dot }
    return Violation(
      "came-back",
      "at \(machine.name) \(extra.map { "\($0.register) by \(step($0))" } ?? "something") is live, "
        + "and was replaced by someone who saw it"
    )
  }

  private func checkSums(_ machine: Machine) throws {
    if let problem = try machine.store?.verifySums().first {
      throw Violation("unsound", "\(machine.name)'s library: \(problem)")
    }
  }

  private func checkStore(_ machine: Machine, _ palette: PaletteID) throws {
    guard let store = machine.store else { return }
    if let problem = try store.verify(palette).first {
      throw Violation("unsound", "\(machine.name)'s library: \(problem)")
    }
    for bytes in try store.changes(of: palette) ?? [] {
      guard let change = try? Change(decoding: bytes, in: palette) else {
        throw Violation("unreadable", "\(machine.name) stores a change that it cannot read")
      }
      try witness.check(bytes, change.dot, palette, at: machine.name)
    }
  }
}

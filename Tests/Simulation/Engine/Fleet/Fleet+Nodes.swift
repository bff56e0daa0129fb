import PaletteMerge
import PaletteModel
import PalettePeers
import PaletteStore
import PaletteSync
import PaletteTestSupport

/// Nodes that start, run, lose power and end.
extension Fleet {
  func start(_ machine: Machine) throws {
    guard !machine.isRunning else { return }
    machine.isIdle = false
    machine.starts += 1
    let seed = choice(1, UInt64(machine.index), UInt64(machine.starts))
    do {
      let store = try open(machine, seed)
      store.keepState()
      machine.store = store
      machine.core = try NodeCore(store, random: seed, limits: script.limits)
    } catch {
      machine.store = nil
      machine.core = nil
      guard machine.disk.isDown || machine.disk.failureCount > 0 else {
        throw Violation("unopened", "\(machine.name) cannot open its library: \(error)")
      }
      if machine.disk.isDown { powerOn(machine) }
      return queue.schedule(.start(machine.index), at: now + 1_000)
    }
    // What a node writes when it begins may be the last that it does.
    if machine.disk.isDown { return try losePower(machine) }
    try looking { try found(machine) }
    queue.schedule(.tick(machine.index, start: machine.starts), at: now)
    try takeUpLinks(of: machine)
  }

  private func open(_ machine: Machine, _ seed: SeededRandom) throws -> ChangeStore {
    let store = try ChangeStore(
      writing: machine.folder,
      lockTimeoutMilliseconds: 0,
      random: seed,
      milliseconds: { [unowned self, unowned machine] in
        clock(of: machine)
      }
    )
    let name = "\(machine.name) \(machine.starts / 3)"
    store.nameOfOwner = { name }
    // Its last sync may have been that after which the power goes.
    guard !machine.disk.isDown else { throw Violation("unopened", "the power went off") }
    return store
  }

  /// Opens the library for one command, while no node runs.
  func command(at machine: Machine, _ body: (ChangeStore) throws -> Void) throws {
    guard machine.isIdle, !machine.isRunning, machine.isPresent else { return }
    let failures = machine.disk.failureCount
    do {
      machine.store = try open(machine, choice(12, UInt64(machine.index), UInt64(step)))
    } catch {
      guard machine.disk.isDown || machine.disk.failureCount > failures else {
        throw Violation("unopened", "\(machine.name) cannot open its library: \(error)")
      }
      if machine.disk.isDown { try losePower(machine) }
      return
    }
    try looking { try found(machine) }
    machine.store?.followsCommits = true
    if let store = machine.store { try body(store) }
    recordCommits(at: machine)
    machine.store = nil
    machine.isFlushScheduled = false
    if machine.disk.isDown { try losePower(machine) }
  }

  /// The time on a machine's clock.
  private func clock(of machine: Machine) -> Int64 {
    let time = Fleet.start + now + machine.skewMilliseconds
    return time - time % script.clockMilliseconds
  }

  /// Compares what a node finds on its disk with what was durable.
  private func found(_ machine: Machine) throws {
    guard let store = machine.store else { return }
    for (palette, held) in machine.held where !witness.isRewritten(palette) {
      let frontier = try store.frontier(of: palette).mapValues(\.sequence)
      for (node, sequence) in held where frontier[node] ?? 0 < sequence {
        // What was issued again under another id has been taken back.
        let gone = (frontier[node] ?? 0) + 1...sequence
        if gone.allSatisfy({ witness.facts[palette]?[Dot(node, $0)]?.isLoose == true }) { continue }
        throw Violation(
          "forgotten",
          "\(machine.name) had committed \(Dot(node, sequence)) and does not hold it any more"
        )
      }
    }
    for (palette, attempt) in machine.attempts {
      try adopt(attempt, palette, machine, store)
    }
    machine.attempts = [:]
    for number in script.palettes {
      let palette = Script.palette(number)
      let frontier = try store.frontier(of: palette).mapValues(\.sequence)
      if !frontier.isEmpty { machine.held[palette] = frontier }
    }
  }

  /// Records changes that reached the disk, though nobody was told that they did.
  private func adopt(
    _ attempt: Observation,
    _ palette: PaletteID,
    _ machine: Machine,
    _ store: ChangeStore
  ) throws {
    guard !machine.wasRolledBack else { return try adoptAny(attempt, palette, machine, store) }
    let known = witness.highest(in: palette)
    var reached: Frontier = [:]
    for (node, sequence) in known { reached[node] = StreamHead(sequence: sequence, link: 0) }
    let own = try store.frontier(of: palette).filter { entry in
      store.isOwn(entry.key) && entry.value.sequence > known[entry.key] ?? 0
    }
    guard !own.isEmpty, let found = try store.changes(of: palette, after: reached) else {
      return
    }
    let made = found.compactMap { bytes -> (bytes: [UInt8], dot: Dot)? in
      guard let dot = try? Change(decoding: bytes, in: palette).dot, own[dot.node] != nil else {
        return nil
      }
      return (bytes, dot)
    }
    try witness.record(made, attempt, by: machine)
  }

  /// The same after a rollback, where numbers that others know may have been used again.
  private func adoptAny(
    _ attempt: Observation,
    _ palette: PaletteID,
    _ machine: Machine,
    _ store: ChangeStore
  ) throws {
    var made: [(bytes: [UInt8], dot: Dot)] = []
    try store.forEachChange(of: palette) { _, bytes in
      guard let dot = try? Change(decoding: bytes, in: palette).dot, store.isOwn(dot.node),
        !witness.knows(bytes, dot, palette)
      else { return }
      made.append((bytes, dot))
    }
    try witness.record(made, attempt, by: machine)
  }

  /// Records what a machine's store made durable.
  func recordCommits(at machine: Machine) {
    let committed = machine.core?.removeCommitted() ?? machine.store?.removeCommitted() ?? []
    for changes in committed { record(changes, at: machine) }
  }

  private func change(
    of entry: CommittedChanges.Entry,
    in palette: PaletteID
  ) throws -> Change {
    try Change(decoding: entry.bytes.array, in: palette)
  }

  private func record(_ changes: CommittedChanges, at machine: Machine) {
    scheduleFlush(machine)
    tellLinks(of: changes.palette, at: machine)
    counts.changes += changes.changes.count
    machine.attempts = [:]
    do {
      if changes.changes.isEmpty {
        counts.snapshots += 1
        // Without power nothing can be read, and what was known to be held still is.
        if !machine.disk.isDown {
          let frontier = try looking { try machine.store?.frontier(of: changes.palette) } ?? [:]
          machine.held[changes.palette] = frontier.mapValues(\.sequence)
        }
      }
      for entry in changes.changes {
        let dot = entry.dot
        machine.commitMilliseconds[changes.palette, default: [:]][dot] =
          machine.store?.nowMilliseconds
        try checkRevoked(dot, changes.palette, at: machine)
        machine.held[changes.palette, default: [:]][dot.node] = dot.sequence
        // What is in the palette that liars are let into was made by them.
        if changes.palette == Liar.palette { continue }
        let acting = machine.actingNode ?? machine.store?.presentNode(of: machine.actingAuthor)
        let isActing = dot.node == acting || machine.isBecoming(dot.node)
        // What it made before a rollback may come back in the same commit.
        let isBack = machine.wasRolledBack && witness.knows(entry.bytes.array, dot, changes.palette)
        if machine.isActing, isActing, !isBack {
          machine.made.append((entry.bytes.array, try change(of: entry, in: changes.palette)))
          continue
        }
        let isKnown =
          witness.isRewritten(changes.palette) || machine.wasRolledBack
          ? witness.knows(entry.bytes.array, dot, changes.palette)
          : witness.facts[changes.palette]?[dot] != nil
        if machine.store?.isPresent(dot.node) == true, !isKnown {
          try witness.adopt(
            entry.bytes.array,
            try change(of: entry, in: changes.palette),
            changes.palette,
            by: machine
          )
          continue
        }
        try witness.check(entry.bytes.array, dot, changes.palette, at: machine.name)
      }
    } catch {
      machine.violation = error as? Violation ?? Violation("unreadable", "\(error)")
    }
  }

  func scheduleFlush(_ machine: Machine, after milliseconds: Int64 = 0) {
    guard !machine.isFlushScheduled else { return }
    machine.isFlushScheduled = true
    var random = choice(2, UInt64(machine.index), UInt64(now))
    let isSlow = machine.slowDiskUntil > now && !isHealing
    let delay = milliseconds + Int64(random.next() % (isSlow ? 3_000 : 4))
    queue.schedule(.flush(machine.index, start: machine.starts), at: now + delay)
  }

  func handle(_ event: NodeEvent, at machine: Machine) throws {
    tell(event, machine)
    try drive(machine) { try $0.handle(event) }
    if case .received = event, machine.isRunning { scheduleFlush(machine) }
  }

  /// Lets a node's core do something and carries out what it wants, unless its machine loses power
  /// over it: then all of that is lost with it.
  func drive(_ machine: Machine, _ body: (NodeCore) throws -> [NodeEffect]) throws {
    guard let core = machine.core else { return }
    do {
      let failures = machine.disk.failureCount
      do {
        defer { recordCommits(at: machine) }
        let effects = try body(core)
        recordCommits(at: machine)
        if !machine.disk.isDown { try carryOut(effects, of: machine) }
      } catch let error as StoreError {
        guard machine.disk.isDown || machine.disk.failureCount > failures else {
          throw Violation("failed", "\(machine.name)'s library failed for no reason: \(error)")
        }
      }
    }
    if machine.disk.isDown { try losePower(machine) }
  }

  /// Ends a machine's node without a word; what its disk had not synced is lost.
  func losePower(_ machine: Machine) throws {
    guard machine.isRunning || machine.disk.isDown else { return }
    machine.isIdle = false
    machine.disk.powerOff()
    counts.crashes += 1
    try stop(machine)
    powerOn(machine)
    queue.schedule(.start(machine.index), at: now + machine.backAfterMilliseconds)
  }

  private func powerOn(_ machine: Machine) {
    var random = choice(3, UInt64(machine.index), UInt64(machine.starts))
    machine.disk.powerOn { random.chance(0.5) }
  }

  /// Lets go of a machine's node; its peers notice sooner or later.
  func stop(_ machine: Machine) throws {
    machine.core = nil
    machine.store = nil
    machine.links = [:]
    machine.looksAt = nil
    machine.isFlushScheduled = false
    for wire in wires.values.sorted(by: { $0.number < $1.number }) {
      for end in 0..<2 where wire.machines[end] == machine.index && wire.isOpen[end] {
        wire.isOpen[end] = false
        wire.inboxes[end] = []
        wire.isBroken = true
        var random = choice(4, wire.key, wire.frameCounts[end])
        let notice = isHealing ? 10 : Int64(random.next() % 3) * 4_000 + 5
        queue.schedule(.lost(wire: wire.number, end: 1 - end), at: now + notice)
      }
    }
  }
}

import PaletteMerge
import PaletteModel
import PalettePeers
import PaletteStore

/// Old history is forgotten: at once, or by a node in steps between which anything may happen.
extension Fleet {
  /// A compaction in steps.
  struct SteppedCompaction {
    let machine: Int
    let start: Int
    let palette: Int
    let horizon: Int64
    let isTold: Bool
    var plan: CompactionPlan
  }

  private static let stepMilliseconds: Int64 = 40

  func compact(
    _ number: Int,
    _ age: Int64,
    _ machine: Machine,
    _ store: ChangeStore
  ) throws {
    guard try looking({ try !compactsTooEarly(machine, number, store) }) else { return }
    let palette = Script.palette(number)
    let horizon = store.nowMilliseconds - age
    // The last two seconds count as now; and by a clock that jumped nobody can tell.
    let isTold = age > 2_000 && machine.skewMilliseconds == 0
    var begun: SteppedCompaction?
    try observe(palette, horizon, isTold, machine, store) {
      guard machine.isRunning, step % 2 == 0 else {
        _ = try store.compact(palette, beforeMilliseconds: horizon)
        return
      }
      let orders = try store.beginCompactions(of: [palette], beforeMilliseconds: horizon)
      for order in orders {
        begun = SteppedCompaction(
          machine: machine.index,
          start: machine.starts,
          palette: number,
          horizon: horizon,
          isTold: isTold,
          plan: try store.planCompaction(order)
        )
      }
    }
    if let begun { queue.schedule(.compaction(begun), at: now + Self.stepMilliseconds) }
  }

  /// Takes the next step of a compaction, unless the node ended meanwhile.
  func goOn(_ compaction: SteppedCompaction) throws {
    guard let machine = running(compaction.machine, compaction.start), let store = machine.store,
      try looking({ try !compactsTooEarly(machine, compaction.palette, store) })
    else { return }
    var next = compaction
    var isTaken = false
    let isTold = compaction.isTold && machine.skewMilliseconds == 0
    let limit = CompactionLimit(rows: 1 + Int(now % 7))
    try observe(
      Script.palette(compaction.palette),
      compaction.horizon,
      isTold,
      machine,
      store
    ) { isTaken = try store.compact(&next.plan, atMost: limit) }
    guard isTaken, !next.plan.isDone else { return }
    queue.schedule(.compaction(next), at: now + Self.stepMilliseconds)
  }

  /// Carries out a part of a compaction, and looks what it forgot.
  private func observe(
    _ palette: PaletteID,
    _ horizon: Int64,
    _ isTold: Bool,
    _ machine: Machine,
    _ store: ChangeStore,
    _ body: () throws -> Void
  ) throws {
    let failures = machine.disk.failureCount
    let before = try looking { try dots(of: palette, in: store) }
    let past = try looking { try wasVisible(palette, atMilliseconds: horizon, in: store) }
    do {
      try body()
      if isTold, machines.allSatisfy({ $0.skewMilliseconds == 0 }), let past,
        try looking({ try wasVisible(palette, atMilliseconds: horizon, in: store) }) != past
      {
        throw Violation(
          "forgotten-history",
          "\(machine.name) forgot whether the palette was dropped at the horizon"
        )
      }
      let times = machine.commitMilliseconds[palette] ?? [:]
      let gone = try looking { try before.subtracting(dots(of: palette, in: store)) }
      // What others made may have been replaced when it came, and never have been shown.
      func isKept(_ dot: Dot) -> Bool {
        guard let time = times[dot], time <= store.nowMilliseconds else { return false }
        return witness.facts[palette]?[dot]?.machine == machine.index && time > horizon
      }
      // When a change came that is asked for again later, nobody knows any more.
      for dot in gone { machine.commitMilliseconds[palette]?[dot] = nil }
      if isTold, let dot = gone.sorted().first(where: isKept) {
        throw Violation(
          "forgotten-history",
          "\(machine.name) compacted \(dot) away, which came within the horizon"
        )
      }
    } catch let violation as Violation {
      throw violation
    } catch {
      guard machine.disk.isDown || machine.disk.failureCount > failures else {
        throw Violation("failed", "\(machine.name) cannot compact: \(error)")
      }
    }
    if machine.disk.isDown { try losePower(machine) }
  }

  /// Returns whether a palette was not dropped at a time; nil where that is not known.
  private func wasVisible(
    _ palette: PaletteID,
    atMilliseconds time: Int64,
    in store: ChangeStore
  ) throws -> Bool? {
    guard case .known(let state) = try store.state(of: palette, atMilliseconds: time) else {
      return nil
    }
    return state.isVisible
  }

  private func dots(of palette: PaletteID, in store: ChangeStore) throws -> Set<Dot> {
    var dots: Set<Dot> = []
    try store.forEachChange(of: palette) { _, bytes in
      if let dot = try? Change(decoding: bytes, in: palette).dot { dots.insert(dot) }
    }
    return dots
  }
}

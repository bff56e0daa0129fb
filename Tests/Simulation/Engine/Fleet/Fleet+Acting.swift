import PaletteMerge
import PaletteModel
import PalettePeers
import PaletteStore
import PaletteSync

/// Users who act, and look at once whether what they did is there.
extension Fleet {
  /// Beyond so many changes nobody works out before each action what must be shown.
  static let viewLimit = 500

  func act(_ machine: Machine, _ number: Int, _ edit: UserEdit) throws {
    guard mayEdit(machine, number) else { return }
    if let store = machine.store { return try act(machine, store, number, edit) }
    try command(at: machine) { try act(machine, $0, number, edit) }
  }

  private func act(
    _ machine: Machine,
    _ store: ChangeStore,
    _ number: Int,
    _ edit: UserEdit
  ) throws {
    let palette = Script.palette(number)
    if case .compact(let age) = edit {
      return try compact(number, age, machine, store)
    }
    let observation = Observation(palette, step: step)
    let action = UserAction(edit, in: palette, store, observation, choice(10, UInt64(step)))
    action.lookFirst = { [unowned self] in
      // What the library shows is worked out anew, and is what the user goes by.
      guard witness.facts[palette]?.count ?? 0 <= Self.viewLimit, !witness.isRewritten(palette)
      else { return }
      try looking {
        observation.view = try check(machine, palette, recordsToo: false)
        observation.start = try store.frontier(of: palette)
      }
    }
    machine.made = []
    machine.isActing = true
    // One in four is somebody else who edits through this library.
    var random = choice(11, script.isTold(step) ? 0 : UInt64(step))
    let author = AuthorID(max(0, Int64.random(in: -8..<4, using: &random)))
    machine.actingAuthor = author
    machine.actingNode = store.presentNode(of: author)
    let failures = machine.disk.failureCount
    var failure: StoreError?
    let write = {
      do throws(StoreError) {
        try store.write(as: author) { transaction throws(StoreError) in
          try action.perform(in: transaction)
        }
      } catch {
        failure = error
      }
    }
    var effects: [NodeEffect] = []
    if step % 2 == 0 || machine.core == nil {
      write()
    } else if let core = machine.core {
      // As a running node takes the edits of its clients: with whatever else there is to commit.
      let outcome = core.flush(with: write)
      effects = outcome.effects
      failure = failure ?? outcome.failure
    }
    recordCommits(at: machine)
    machine.isActing = false
    if let violation = action.violation { throw violation }
    // The node's client is told first, then its peers.
    defer { machine.made = [] }
    try looking { try took(action, failure, failures, machine, store) }
    try drive(machine) { _ in effects }
  }

  private func took(
    _ action: UserAction,
    _ failure: StoreError?,
    _ failures: Int,
    _ machine: Machine,
    _ store: ChangeStore
  ) throws {
    let (palette, observation) = (action.palette, action.observation)
    if machine.disk.isDown || failure != nil {
      guard machine.disk.isDown || machine.disk.failureCount > failures else {
        throw Violation("failed", "\(machine.name) cannot act: \(failure.map { "\($0)" } ?? "")")
      }
      // Nobody knows whether it counts.
      machine.ways[Machine.WayKey(palette: palette, author: machine.actingAuthor)] = nil
      return machine.attempt(observation)
    }
    // Also when nothing had to be changed for it.
    try action.checkWish(machine.name)
    let made = machine.made
    guard !made.isEmpty else {
      // Where everything is skipped, an undo takes its turn all the same.
      if action.edit == .undo || action.edit == .redo { try checkWayBack(action, machine, store) }
      return
    }
    counts.edits += 1
    try witness.record(
      made.map { ($0.bytes, $0.change.dot) },
      observation,
      by: machine
    )
    try checkUndo(action, made.map(\.change), machine)
    try checkWayBack(action, machine, store)
    // Who was rolled back may issue former changes again in the same step.
    if !machine.wasRolledBack { try checkEffect(made.map(\.change), palette, machine, store) }
  }

  /// Returns whether a machine may edit a palette: not where it is a viewer alone.
  func mayEdit(_ machine: Machine, _ palette: Int) -> Bool {
    let joined = edges.filter {
      $0.dialer == machine.index && $0.covers(palette)
    }
    return joined.isEmpty || joined.contains { $0.role != .viewer }
  }

  /// Returns whether a machine is to join a hub as an editor, or to join it again, or one that it
  /// has joined goes back to what it was: the hub never gets what led to what the machine shows
  /// when that was compacted before, as the README says.
  func compactsTooEarly(
    _ machine: Machine,
    _ palette: Int,
    _ store: ChangeStore
  ) throws -> Bool {
    let hubs = edges.filter {
      $0.dialer == machine.index && $0.role == .editor && $0.covers(palette)
    }.map(\.hub)
    let isAuthor = try store.frontier(of: Script.palette(palette)).contains { store.isOwn($0.key) }
    guard !hubs.isEmpty, isAuthor else { return false }
    let others = script.steps.compactMap { step -> Int? in
      guard case .fault(.move(machine.index, from: _, to: let hub)) = step.event else { return nil }
      return hub
    }
    let goesBack = script.steps.contains { step in
      switch step.event {
      case .fault(.recover(let hub)), .fault(.rollBack(let hub, _)): (hubs + others).contains(hub)
      default: false
      }
    }
    if goesBack { return true }
    let joined = Set(
      try store.peers.all().filter {
        Trust.hub($0.grants).letsOutChanges(of: Script.palette(palette))
      }.map(\.url)
    )
    return (hubs + others).contains { !joined.contains(Machine.url($0)) }
  }

  /// Checks that an author's value is there alone, and that a deleted color is hidden.
  private func checkEffect(
    _ changes: [Change],
    _ palette: PaletteID,
    _ machine: Machine,
    _ store: ChangeStore
  ) throws {
    var last: [RecordID: [Register: Dot]] = [:]
    var hidden: [RecordID: Bool] = [:]
    for change in changes {
      for write in change.writes { last[change.record, default: [:]][write.register] = change.dot }
      hidden[change.record] = !change.kind.writesRegisters
    }
    for (record, isHidden) in hidden.prefix(4) {
      let live = try store.liveValues(of: record, in: palette).map(\.value)
      guard live.contains(where: { !$0.isCovered }) != isHidden else {
        let what = isHidden ? "deleted a record that still shows" : "wrote a record that is hidden"
        throw Violation("unseen-edit", "\(machine.name) \(what), in step #\(step)")
      }
      for (register, dot) in last[record] ?? [:] {
        let dots = live.filter { $0.register == register }.map(\.dot)
        guard dots == [dot] else {
          throw Violation(
            "unseen-edit",
            "\(machine.name) wrote \(register) in step #\(step), and live there is \(dots)"
          )
        }
      }
    }
  }
}

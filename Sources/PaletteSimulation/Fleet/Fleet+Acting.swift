import PaletteModel
import PaletteNode
import PaletteStore
import PaletteSync

/// Users who act, and look at once whether what they did is there.
extension Fleet {
  func act(_ machine: Machine, _ number: Int, _ edit: UserEdit) throws {
    guard let store = machine.store, mayEdit(machine, number) else { return }
    let palette = Script.palette(number)
    if case .compact(let age) = edit { return try compact(palette, age, machine, store) }
    let observation = Observation(palette, step: step)
    let action = UserAction(edit, in: palette, store, observation, choice(10, UInt64(step)))
    machine.made = []
    machine.isActing = true
    // One in four is somebody else who edits through this library.
    var random = choice(11, UInt64(step))
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
    if step % 2 == 0 {
      write()
    } else if let core = machine.core {
      // As a running node takes the edits of its clients: with whatever else there is to commit.
      do {
        let outcome = try core.flush(with: write)
        effects = outcome.effects
        failure = failure ?? outcome.failure
      } catch let error as StoreError {
        failure = failure ?? error
      }
    }
    machine.isActing = false
    // The node's client is told first, then its peers.
    defer { machine.made = [] }
    try took(action, failure, failures, machine, store)
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
      machine.attempts[palette]?.join(observation)
      if machine.attempts[palette] == nil { machine.attempts[palette] = observation }
      return
    }
    // Also when nothing had to be changed for it.
    try action.checkWish(machine.name)
    let made = machine.made
    guard !made.isEmpty else { return }
    counts.edits += 1
    try witness.record(
      made.map { ($0.bytes, $0.change.dot) },
      observation,
      by: machine
    )
    try checkUndo(action, made.map(\.change), machine)
    try checkEffect(made.map(\.change), palette, machine, store)
  }

  /// Whether a machine may edit a palette: not where it is a viewer alone.
  private func mayEdit(_ machine: Machine, _ palette: Int) -> Bool {
    let joined = edges.filter {
      $0.dialer == machine.index && ($0.palette == nil || $0.palette == palette)
    }
    return joined.isEmpty || joined.contains { $0.role != .viewer }
  }

  private func compact(
    _ palette: PaletteID,
    _ age: Int64,
    _ machine: Machine,
    _ store: ChangeStore
  ) throws {
    let failures = machine.disk.failureCount
    do {
      _ = try store.compact(palette, beforeMilliseconds: store.nowMilliseconds - age)
    } catch {
      guard machine.disk.isDown || machine.disk.failureCount > failures else {
        throw Violation("failed", "\(machine.name) cannot compact: \(error)")
      }
    }
    if machine.disk.isDown { try losePower(machine) }
  }

  /// What an author wrote is what is there, alone; what it deleted is hidden.
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

  /// Undo and redo touch nothing that another library, or another author of this one, wrote.
  private func checkUndo(_ action: UserAction, _ changes: [Change], _ machine: Machine) throws {
    guard action.edit == .undo || action.edit == .redo, let store = machine.store else { return }
    for change in changes {
      let fact = witness.facts[action.palette]?[change.dot]
      if action.edit == .undo, change.kind == .delete, let fact,
        !fact.covered.allSatisfy({ store.isOwn($0.node, by: machine.actingAuthor) }),
        !witness.isRestored(change.record, in: action.palette)
      {
        throw Violation(
          "undid-others",
          "\(machine.name) removed what someone else had edited, by undo in step #\(step)"
        )
      }
      for (register, seen) in fact?.seen ?? [:] where register != .place {
        guard seen.allSatisfy({ store.isOwn($0.node, by: machine.actingAuthor) }) else {
          throw Violation(
            "undid-others",
            "\(machine.name) replaced someone else's \(register) by \(action.edit), step #\(step)"
          )
        }
      }
    }
  }
}

import PaletteCommands
import PaletteFileLinks
import PaletteFormats
import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport

/// Nodes that follow linked files: a thread that takes its time, news of the file, and kills in between.
extension Fleet {
  /// The number of edits of files there may be beyond one for each step.
  private static let needlessEdits = 50

  /// Takes up the links of a library, as a node that starts does.
  func takeUpLinks(of machine: Machine) throws {
    machine.links = [:]
    for stored in try looking({ try machine.store?.links.all(withBases: true) }) ?? [] {
      guard let file = PaletteFile(path: stored.file) else { continue }
      try begin(stored, file, at: machine)
    }
  }

  private func begin(_ stored: StoredLink, _ file: PaletteFile, at machine: Machine) throws {
    guard let session = LinkSession(stored) else {
      throw Violation("link-failed", "\(machine.name) cannot follow \(file)")
    }
    let there = try simulatedFile(file, at: machine)
    counts.links += 1
    machine.links[file] = SimulatedLink(session, there, number: counts.links, at: now)
    try handle(.paletteChanged, file, at: machine)
  }

  /// A file of a machine, there or not.
  func simulatedFile(_ file: PaletteFile, at machine: Machine) throws -> SimulatedFile {
    if let known = machine.files[file] { return known }
    let format = try FormatRegistry.standard.format(named: file.format.rawValue)
    let new = SimulatedFile(file, format) { [unowned self] in now }
    machine.files[file] = new
    return new
  }

  /// Links a file, or ends that.
  func link(_ file: PaletteFile, _ isLinked: Bool, at machine: Machine) throws {
    guard let store = machine.store, machine.isRunning else { return }
    let failures = machine.disk.failureCount
    do {
      if isLinked {
        guard machine.links[file] == nil,
          let palette = try store.summary(of: Script.palette(file.palette)), !palette.isDropped
        else { return }
        let stored = StoredLink(file: file.path, palette: palette.id, format: file.format.rawValue)
        try store.links.save(stored)
        machine.files[file]?.forget()
        if !machine.disk.isDown { try begin(stored, file, at: machine) }
      } else if try store.links.remove(file.path) {
        machine.links[file] = nil
        machine.files[file]?.forget()
      }
    } catch let error as StoreError {
      guard machine.disk.isDown || machine.disk.failureCount > failures else {
        throw Violation("failed", "\(machine.name) cannot link \(file): \(error)")
      }
    }
    if machine.disk.isDown { try losePower(machine) }
  }

  /// Tells the links of a palette that something of it is durable.
  func tellLinks(of palette: PaletteID, at machine: Machine) {
    for file in machine.links.keys.sorted(by: { $0.path < $1.path })
    where Script.palette(file.palette) == palette {
      tell(.paletteChanged, file, at: machine)
    }
  }

  /// Lets a node look for what nobody tells it.
  func pollLinks(of machine: Machine) {
    for file in machine.links.keys.sorted(by: { $0.path < $1.path }) {
      tell(.polled, file, at: machine)
    }
  }

  /// Tells a node of its file, a little later.
  func tell(_ event: LinkSession.Event, _ file: PaletteFile, at machine: Machine) {
    if case .fileChanged = event, let trace {
      let text = machine.files[file]?.bytes.map { String(decoding: $0, as: UTF8.self) }
      trace("  \(moment) \(machine.name)'s \(file): \(text ?? "gone")")
    }
    schedule(.tell(event), file, at: machine, after: 1)
  }

  private func schedule(
    _ kind: FileEvent.Kind,
    _ file: PaletteFile,
    at machine: Machine,
    after milliseconds: Int64
  ) {
    guard let link = machine.links[file] else { return }
    let event = FileEvent(machine: machine.index, file: file, link: link.number, kind: kind)
    queue.schedule(.file(event), at: now + milliseconds)
  }

  /// Something happens to a file.
  func handle(_ event: FileEvent) throws {
    let machine = machines[event.machine]
    if case .piece(let bytes, let number, let style) = event.kind {
      return try save(bytes, number, style, event.file, at: machine)
    }
    guard let link = machine.links[event.file], link.number == event.link else { return }
    switch event.kind {
    case .due(let number):
      guard number == link.wake else { return }
      link.isWaiting = false
      try look(link, event.file, at: machine)
    case .work(let action): try work(action, link, event.file, at: machine)
    case .tell(let told):
      switch told {
      case .looked, .replaced, .replacedByOthers: link.jobs -= 1
      default: break
      }
      try handle(told, event.file, at: machine)
    case .piece: break
    }
  }

  private func look(_ link: SimulatedLink, _ file: PaletteFile, at machine: Machine) throws {
    guard let store = machine.store else { return }
    let failures = machine.disk.failureCount
    do {
      let palette = try store.linkedPalette(link.session.palette)
      link.shown = palette?.colors.map(\.color.id) ?? []
      try handle(.due(palette), file, at: machine)
    } catch let error as StoreError {
      try expectFailure(error, since: failures, file, at: machine)
    }
  }

  private func expectFailure(
    _ error: any Error,
    since failures: Int,
    _ file: PaletteFile,
    at machine: Machine
  ) throws {
    if machine.disk.isDown { return try losePower(machine) }
    guard machine.disk.failureCount > failures || error is APIError else {
      throw Violation("link-failed", "\(machine.name) cannot follow \(file): \(error)")
    }
    let reason = (error as? APIError)?.message ?? "\(error)"
    try handle(.failed(reason), file, at: machine)
  }

  private func handle(
    _ event: LinkSession.Event,
    _ file: PaletteFile,
    at machine: Machine
  ) throws {
    guard let link = machine.links[file] else { return }
    let actions = link.session.handle(event, at: now)
    trace?("  \(moment) \(machine.name), \(file): \(event.word) -> \(actions.map(\.word))")
    for action in actions {
      let failures = machine.disk.failureCount
      do {
        try carryOut(action, link, file, at: machine)
      } catch let violation as Violation {
        throw violation
      } catch {
        return try expectFailure(error, since: failures, file, at: machine)
      }
      if machine.disk.isDown { return try losePower(machine) }
      // An edit may have found out that the library was rolled back, and anything may have come of it.
      guard machine.links[file] === link else { return }
    }
    if case .looked = event, let sight = link.seen, let shown = link.shown,
      link.session.isAtRest, link.session.state == .live, actions.areOfRest
    {
      link.file.says(sight.version, shown)
    }
  }

  private func carryOut(
    _ action: LinkSession.Action,
    _ link: SimulatedLink,
    _ file: PaletteFile,
    at machine: Machine
  ) throws {
    guard let store = machine.store else { return }
    switch action {
    case .wake(let milliseconds):
      link.wake += 1
      link.isWaiting = true
      schedule(.due(link.wake), file, at: machine, after: milliseconds)
    case .look, .peek, .replace:
      // Polls go on for ever: they are no unrest until one finds something.
      if case .peek = action {} else { link.jobs += 1 }
      var random = choice(13, UInt64(machine.index), UInt64(now))
      let delay = random.milliseconds(below: 12)
      schedule(.work(action), file, at: machine, after: delay)
    case .edit(let edit, let keeping):
      let done = try carryOut(edit, keeping, link, at: machine)
      if let done, !machine.disk.isDown { try handle(.edited(done), file, at: machine) }
    case .save(let stored): try store.links.save(stored)
    case .paused(let state, let reason):
      try? store.links.record(state, reason, ofLinked: file.path)
    case .watch, .resumed: break
    }
  }

  /// The work of a node's thread.
  private func work(
    _ action: LinkSession.Action,
    _ link: SimulatedLink,
    _ file: PaletteFile,
    at machine: Machine
  ) throws {
    let there = link.file
    var random = choice(14, UInt64(machine.index), UInt64(now))
    let delay = random.milliseconds(below: 12)
    switch action {
    case .look(let look):
      let found: LinkLook.Found
      link.seen = SimulatedLink.Sight(there)
      there.look()
      if let bytes = there.bytes, let stamp = there.stamp {
        if look.knownStamp == stamp {
          found = .same
        } else {
          found =
            there.condition == .partial && random.chance(0.2)
            ? .changing
            : .file(bytes, stamp, quietMilliseconds: now - there.lastWritten)
        }
      } else {
        found = .missing
      }
      schedule(.tell(.looked(look.outcome(finding: found))), file, at: machine, after: delay)
    case .peek(let stamp):
      schedule(.tell(.peeked(isSame: stamp == there.stamp)), file, at: machine, after: delay)
    case .replace(let bytes, let stamp):
      guard stamp == there.stamp, let shown = link.shown else {
        return schedule(.tell(.replacedByOthers), file, at: machine, after: delay)
      }
      guard there.condition != .partial else {
        throw Violation("replaced-open", "\(machine.name) replaces \(file) while it is saved")
      }
      there.replace(bytes, shown)
      counts.fileWrites += 1
      tell(.fileChanged, file, at: machine)
      guard let stamp = there.stamp else { return }
      schedule(.tell(.replaced(stamp)), file, at: machine, after: delay)
    default: break
    }
  }

  /// Makes an edit of a file a part of the palette, as the shell of a node does.
  private func carryOut(
    _ edit: LinkEdit,
    _ keeping: @escaping (LinkEdit) -> StoredLink,
    _ link: SimulatedLink,
    at machine: Machine
  ) throws -> LinkEdit? {
    guard let store = machine.store, let sight = link.seen else { return nil }
    try checkSight(sight, link, machine)
    guard let palette = try store.linkedPalette(link.session.palette) else {
      throw APIError(code: "not-found", message: "the palette was dropped")
    }
    if let refusal = try store.refusal(ofEditing: palette.id, named: palette.name) { throw refusal }
    let isFree = try edit.newTitle.map { try store.isFree($0, except: palette.id) } ?? false
    let observation = Observation(palette.id, step: step)
    observation.isOfFile = true
    machine.made = []
    machine.isActing = true
    machine.actingAuthor = .library
    machine.actingNode = store.presentNode(of: .library)
    machine.ways[Machine.WayKey(palette: palette.id, author: .library)] = nil
    defer {
      machine.isActing = false
      machine.made = []
    }
    let done: LinkEdit
    do {
      done = try store.carryOut(edit, in: palette, takesTitle: isFree, saving: keeping)
      recordCommits(at: machine)
    } catch {
      recordCommits(at: machine)
      machine.attempt(observation)
      link.file.mayHaveCarriedOut()
      throw error
    }
    guard !machine.disk.isDown else {
      machine.attempt(observation)
      link.file.mayHaveCarriedOut()
      return nil
    }
    if !machine.made.isEmpty { counts.fileEdits += 1 }
    guard counts.fileEdits <= script.steps.count + Self.needlessEdits else {
      throw Violation("chased", "files are taken for edits more often than anybody saved one")
    }
    let made = machine.made.map { ($0.bytes, $0.change.dot) }
    try witness.record(made, observation, by: machine)
    try checkRemovals(machine.made.map(\.change), done, link, machine)
    link.file.carriedOut(done)
    return done
  }
}

extension SeededRandom {
  fileprivate mutating func milliseconds(below limit: UInt64) -> Int64 {
    Int64(next() % limit)
  }
}

extension LinkSession.Action {
  fileprivate var word: String {
    switch self {
    case .wake(let milliseconds): "wake \(milliseconds)"
    case .look: "look"
    case .peek: "peek"
    case .edit: "edit"
    case .save: "save"
    case .replace: "replace"
    case .watch: "watch"
    case .resumed: "resumed"
    case .paused(_, let reason): "paused: \(reason)"
    }
  }
}

extension LinkSession.Event {
  fileprivate var word: Substring { "\(self)".prefix { $0 != "(" } }
}

extension [LinkSession.Action] {
  /// True if file and palette say the same, be there news already or not.
  fileprivate var areOfRest: Bool {
    var isSaved = false
    for action in self {
      switch action {
      case .save: isSaved = true
      case .watch, .resumed, .wake: break
      case .look, .peek, .edit, .replace, .paused: return false
      }
    }
    return isSaved || !contains { if case .wake = $0 { true } else { false } }
  }
}

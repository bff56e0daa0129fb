internal import PaletteMerge
internal import PaletteModel
internal import Synchronization

/// Writes what is edited in a palette to a log, in order, and brings back what others wrote.
final class PaletteRecorder: PaletteBacking {
  /// Something that was done to the palette.
  enum Entry: Sendable {
    case colors(PaletteDiff)
    case name(String)
  }

  /// A palette as the log has it.
  struct Kept: Sendable {
    var name: String
    var colors: [NamedColor]
    /// The values that were there, of each color and of the palette's own record.
    var seen: [RecordID: SeenValues]
  }

  private struct State {
    /// The entries that are not written yet, the oldest first.
    var entries: [Entry] = []
    /// The palette as its editor has seen it, without the entries.
    var known: Kept?
    var isWriting = false
    var waiting: [CheckedContinuation<Void, any Error>] = []

    /// Returns whether a task has to be made that writes.
    mutating func begin() -> Bool {
      guard !isWriting, !entries.isEmpty else { return false }
      isWriting = true
      return true
    }
  }

  private let id: PaletteID
  private let log: ChangeLog
  private let state = Mutex(State())

  init(of id: PaletteID, in log: ChangeLog) {
    self.id = id
    self.log = log
  }

  /// Reads the palette, which is known from now on.
  func load() async throws -> Kept {
    let kept = try await read()
    state.withLock { $0.known = kept }
    return kept
  }

  /// Takes over what was done, and begins to write it.
  func record(_ entry: Entry) {
    let begins = state.withLock { state in
      state.entries.append(entry)
      return state.begin()
    }
    if begins { write() }
  }

  nonisolated(nonsending) func flush() async throws {
    try await withCheckedThrowingContinuation { (waiting: CheckedContinuation<Void, any Error>) in
      let (isDone, begins) = state.withLock { state in
        if state.entries.isEmpty, !state.isWriting { return (true, false) }
        state.waiting.append(waiting)
        return (false, state.begin())
      }
      if isDone { waiting.resume() }
      if begins { write() }
    }
  }

  /// Writes what waits, and reads or writes the log with `body`; the palette shows what came of it after the
  /// next `refresh`.
  nonisolated(nonsending) func perform<Result: Sendable>(
    _ body: @escaping @Sendable (ChangeStore, PaletteID) throws -> Result
  ) async throws -> Result {
    try await flush()
    let id = id
    return try await log.run { store in try body(store, id) }
  }

  nonisolated(nonsending) func refresh(_ palette: Palette) async throws {
    while true {
      try await flush()
      let kept = try await read()
      // Whoever edited while the log was read is written first, and the log read again. From here on
      // nobody else has a turn: the palette belongs to this isolation.
      let isStill = state.withLock { state in
        guard state.entries.isEmpty, !state.isWriting else { return false }
        state.known = kept
        return true
      }
      guard isStill else { continue }
      palette.apply(name: kept.name)
      try palette.apply(PaletteDiff(from: palette.colors, to: kept.colors))
      return
    }
  }

  nonisolated(nonsending) func follow(_ palette: Palette) async throws {
    let commits = await log.commits()
    try await refresh(palette)
    for await id in commits where id == self.id { try await refresh(palette) }
  }

  /// Writes one entry after the other, in a task that outlives the palette.
  private func write() {
    Task {
      while let entry = state.withLock({ $0.entries.first }) {
        do {
          let known = state.withLock { $0.known }
          guard let known else { return }
          let next = try await write(entry, known)
          state.withLock { state in
            state.known = next
            state.entries.removeFirst()
          }
        } catch {
          return stop(error)
        }
        if stopIfDone() { return }
      }
    }
  }

  /// Ends the task when there is nothing left to write.
  private func stopIfDone() -> Bool {
    let waiting = state.withLock { state -> [CheckedContinuation<Void, any Error>]? in
      guard state.entries.isEmpty else { return nil }
      state.isWriting = false
      defer { state.waiting = [] }
      return state.waiting
    }
    guard let waiting else { return false }
    for waiting in waiting { waiting.resume() }
    return true
  }

  private func stop(_ error: any Error) {
    let waiting = state.withLock { state in
      state.isWriting = false
      defer { state.waiting = [] }
      return state.waiting
    }
    for waiting in waiting { waiting.resume(throwing: error) }
  }

  private func read() async throws -> Kept {
    let id = id
    return try await log.run { try $0.kept(id) }
  }

  /// Writes an entry of somebody who knew the palette as `known`.
  ///
  /// - Returns: What is known afterwards: nothing of what others wrote meanwhile.
  private func write(_ entry: Entry, _ known: Kept) async throws -> Kept {
    let id = id
    switch entry {
    case .name(let name):
      return try await log.run { store in
        let before = try store.kept(id)
        let edit = Edit.set(id.record, [.name: RegisterValue(text: name)])
        try store.write { transaction throws(StoreError) in
          _ = try transaction.palette(id)?.author(edit.seeing(known.seen[id.record]))
        }
        var next = known
        next.name = name
        next.addOwn(of: id.record, from: try store.kept(id), before)
        return next
      }
    case .colors(let diff):
      return try await log.run { try $0.write(diff, by: known, to: id) }
    }
  }
}

extension PaletteRecorder.Kept {
  /// Adds what a write made of a record: its dots are those that were not there before.
  fileprivate mutating func addOwn(of record: RecordID, from after: Self, _ before: Self) {
    let fresh = (after.seen[record]?.dots ?? []).filter {
      before.seen[record]?.contains($0) != true
    }
    seen[record] = SeenValues((seen[record]?.dots ?? []) + fresh)
  }
}

extension ChangeStore {
  fileprivate func kept(_ id: PaletteID) throws -> PaletteRecorder.Kept {
    try read {
      guard let summary = try summary(of: id) else {
        throw StoreError(code: .failed, message: "there is no palette \(id)")
      }
      let list = try colors(of: id, withSeen: true)
      var seen: [RecordID: SeenValues] = [:]
      for listed in list { seen[listed.color.id] = listed.seen }
      seen[id.record] = SeenValues(try liveValues(of: id.record, in: id).map(\.value.dot))
      return PaletteRecorder.Kept(name: summary.name, colors: list.map(\.color), seen: seen)
    }
  }

  /// Writes a diff of somebody who knew the list as `known`.
  fileprivate func write(
    _ diff: PaletteDiff,
    by known: PaletteRecorder.Kept,
    to id: PaletteID
  ) throws -> PaletteRecorder.Kept {
    let wanted = try diff.applying(to: known.colors)
    let before = try kept(id)
    let target = diff.applied(to: before.colors, wanting: wanted)
    let change = try PaletteDiff(from: before.colors, to: target)
    try write { transaction throws(StoreError) in
      guard let writer = try transaction.palette(id) else { return }
      let edits = try writer.applying(change, to: try colors(of: id))
      _ = try writer.act(edits.map { $0.seeing(known.seen[$0.record]) })
    }
    let after = try kept(id)
    var next = known
    next.colors = wanted
    let touched = diff.insertions.map(\.color.id) + diff.moves.map(\.id)
    for record in touched + diff.updates.map(\.color.id) {
      next.addOwn(of: record, from: after, before)
    }
    for deletion in diff.deletions { next.seen[deletion.id] = nil }
    return next
  }
}

extension PaletteDiff {
  /// Applies a diff to a list that may have changed since the one that the diff is about, and of
  /// which the diff makes `wanted`.
  fileprivate func applied(to list: [NamedColor], wanting wanted: [NamedColor]) -> [NamedColor] {
    let arriving = Set(insertions.map(\.color.id) + moves.map(\.id))
    let leaving = Set(deletions.map(\.id))
    var content = Dictionary(list.map { ($0.id, $0) }) { first, _ in first }
    for update in updates {
      content[update.color.id]?.update(to: update.color, from: update.was)
    }
    for insertion in insertions { content[insertion.color.id] = insertion.color }
    var target = list.map(\.id).filter { !leaving.contains($0) && !arriving.contains($0) }
    for (index, color) in wanted.enumerated() where arriving.contains(color.id) {
      // A color that somebody else removed meanwhile does not come back by being moved.
      guard content[color.id] != nil else { continue }
      let before = wanted[..<index].reversed().lazy.compactMap { target.firstIndex(of: $0.id) }
        .first
      target.insert(color.id, at: before.map { $0 + 1 } ?? 0)
    }
    return target.compactMap { content[$0] }
  }
}

extension NamedColor {
  /// Changes what an update changed, and nothing else.
  fileprivate mutating func update(to new: NamedColor, from old: NamedColor) {
    if !new.name.utf8.elementsEqual(old.name.utf8) { name = new.name }
    if new.color != old.color { color = new.color }
    for register in Register.optional {
      let text = new[text: register]
      if !text.hasSameBytes(as: old[text: register]) { self[text: register] = text }
    }
  }
}

public import PaletteMerge
public import PaletteModel

/// The part of a log that a palette reaches which the log keeps.
///
/// What was edited here is written first, so that each of these acts on what the palette shows. A palette that no
/// log keeps has nothing to undo, no history and no conflicts.
extension Palette {
  /// Takes back the newest action of this library in the palette, where nobody else has written since.
  ///
  /// - Returns: What was changed and what was left alone; nil when there is nothing to undo.
  /// - Throws: `StoreError`, as ``PaletteModel/Palette/flush()`` and ``PaletteModel/Palette/refresh()`` do.
  @discardableResult
  nonisolated(nonsending) public func undo() async throws -> UndoOutcome? {
    try await change { store, id in
      try store.write { transaction throws(StoreError) in try transaction.undo(in: id) }
    } ?? nil
  }

  /// Makes the action again that was undone last.
  ///
  /// - Returns: What was changed and what was left alone; nil when there is nothing to make again.
  /// - Throws: `StoreError`.
  @discardableResult
  nonisolated(nonsending) public func redo() async throws -> UndoOutcome? {
    try await change { store, id in
      try store.write { transaction throws(StoreError) in try transaction.redo(in: id) }
    } ?? nil
  }

  /// The actions in the palette, whoever made them, newest first.
  ///
  /// - Parameters:
  ///   - limit: The most actions; nil for all.
  ///   - action: The action before which they were made; nil for the newest.
  /// - Returns: The actions.
  /// - Throws: `StoreError`.
  nonisolated(nonsending) public func history(
    limit: Int? = nil,
    before action: ActionID? = nil
  ) async throws -> [ActionTally] {
    try await recorder?.perform { store, id in
      try store.actions(of: id, limit: limit, before: action)
    } ?? []
  }

  /// The conflicts in the palette: those of its own name first, then those of its colors in order.
  nonisolated(nonsending) public func conflicts() async throws -> [Conflict] {
    try await recorder?.perform { store, id in
      try store.listedConflicts(of: id).map(\.conflict)
    } ?? []
  }

  /// Settles a conflict with one of its values.
  ///
  /// A value that somebody wrote after the conflict was read stays beside it, as a conflict of its own.
  ///
  /// - Parameters:
  ///   - conflict: The conflict.
  ///   - choice: The value that stays.
  /// - Throws: `StoreError`.
  nonisolated(nonsending) public func resolve(
    _ conflict: Conflict,
    with choice: Conflict.Choice
  ) async throws {
    let edit = conflict.settling(with: choice.value)
    _ = try await change { store, id in try store.settle(edit, in: id) }
  }

  /// Makes the list what it was right after an action, as one action that can be undone.
  ///
  /// Colors that were removed since come back, and later ones are removed, whoever did that.
  ///
  /// - Parameter action: The action.
  /// - Returns: What was changed.
  /// - Throws: `StoreError`, also where history does not reach back that far.
  @discardableResult
  nonisolated(nonsending) public func revert(to action: ActionID) async throws -> UndoOutcome {
    try await change { store, id in
      let claim = ActionClaim.revertToAction(action.stamp, action.node)
      return try store.revert(id, to: try store.state(of: id, after: action), as: claim)
    } ?? UndoOutcome()
  }

  /// Makes the list what it was at a time, as one action that can be undone.
  ///
  /// - Parameter time: The time, in milliseconds since 1970.
  /// - Returns: What was changed.
  /// - Throws: `StoreError`, also where history does not reach back that far.
  @discardableResult
  nonisolated(nonsending) public func revert(
    toMilliseconds time: Int64
  ) async throws -> UndoOutcome {
    try await change { store, id in
      let past = try store.state(of: id, atMilliseconds: time)
      return try store.revert(id, to: past, as: .revertToTime(time))
    } ?? UndoOutcome()
  }

  /// The log that keeps the palette; nil for none.
  private var recorder: PaletteRecorder? { backing as? PaletteRecorder }

  /// Changes the log, and takes in what came of it; nil where no log keeps the palette.
  nonisolated(nonsending) private func change<Result: Sendable>(
    _ body: @escaping @Sendable (ChangeStore, PaletteID) throws -> Result
  ) async throws -> Result? {
    guard let recorder else { return nil }
    let result = try await recorder.perform(body)
    try await recorder.refresh(self)
    return result
  }
}

extension ChangeStore {
  /// Makes the list of a palette what a past state has.
  fileprivate func revert(
    _ id: PaletteID,
    to past: PastState,
    as claim: ActionClaim
  ) throws -> UndoOutcome {
    guard case .known(let state) = past else {
      throw StoreError(code: .failed, message: "history does not reach back that far")
    }
    guard state.name != nil, state.isVisible else {
      throw StoreError(code: .failed, message: "the palette was not there then")
    }
    guard var action = try reverting(id, to: state.namedColors, as: claim) else {
      return UndoOutcome()
    }
    try write { transaction throws(StoreError) in
      guard let writer = try transaction.palette(id) else { return }
      try action.write(in: writer, atMost: nil)
    }
    return action.outcome
  }
}

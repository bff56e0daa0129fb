package import PaletteModel

/// The choice that an author has in a palette: something to undo, something to redo.
package struct Undoable: Hashable, Sendable {
  /// True if there is an action that `undo` takes back.
  package let canUndo: Bool
  /// True if there is an action that `redo` makes again.
  package let canRedo: Bool

  /// The choice in a palette without actions.
  package static let nothing = Undoable(canUndo: false, canRedo: false)
}

extension ChangeStore {
  /// The choice that an author has in a palette.
  package func undoable(
    in palette: PaletteID,
    by author: AuthorID
  ) throws(StoreError) -> Undoable {
    guard let stack = try undoStack(of: author, in: palette) else { return .nothing }
    return Undoable(
      canUndo: try stack.hasAction(undone: false, in: database),
      canRedo: try stack.hasAction(undone: true, in: database)
    )
  }

  /// The action that `undo` would take back, or `redo` make again, as work in parts.
  ///
  /// - Parameters:
  ///   - palette: The palette.
  ///   - author: Whose action it is.
  ///   - isRedo: Whether it is made again.
  /// - Returns: The work; nil when there is no such action.
  /// - Throws: `StoreError` when the library cannot be read.
  package func undoing(
    in palette: PaletteID,
    by author: AuthorID,
    isRedo: Bool
  ) throws(StoreError) -> LongAction? {
    let stack = try undoStack(of: author, in: palette)
    return try stack?.action(undone: isRedo, in: database).map {
      LongAction(undoing: $0, isRedo: isRedo)
    }
  }

  /// The bytes of the action that `undo` would take back, or `redo` make again: they tell how long that takes.
  package func undoableBytes(
    in palette: PaletteID,
    by author: AuthorID,
    isRedo: Bool
  ) throws(StoreError) -> Int {
    let stack = try undoStack(of: author, in: palette)
    return try stack?.bytesOfAction(undone: isRedo, in: database) ?? 0
  }

  /// An author's stack; nil where it has none.
  private func undoStack(
    of author: AuthorID,
    in palette: PaletteID
  ) throws(StoreError) -> ActionStack? {
    guard let row = try paletteRow(palette) else { return nil }
    return try UndoStack.stack(of: author, in: row, database)
  }

  /// Takes back all long actions that an earlier process left behind.
  func revertLongActions() throws(StoreError) {
    guard try database.meta(.longActions) != nil else { return }
    for part in try ActionTable.parts(in: database) {
      try write(as: part.author) { transaction throws(StoreError) in
        guard let writer = try transaction.palette(part.palette) else { return }
        try LongAction.revertPart(part.row, in: writer)
      }
    }
    try write { _ throws(StoreError) in
      try database.removeMeta(.longActions)
    }
  }
}

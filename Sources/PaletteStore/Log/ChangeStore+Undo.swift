public import PaletteModel

/// Whether an author has something to undo in a palette, and something to redo.
public struct Undoable: Hashable, Sendable {
  /// Whether there is an action that `undo` takes back.
  public let canUndo: Bool
  /// Whether there is an action that `redo` makes again.
  public let canRedo: Bool

  /// What there is in a palette without actions.
  public static let nothing = Undoable(canUndo: false, canRedo: false)
}

extension ChangeStore {
  /// What an author can undo and redo in a palette.
  public func undoable(
    in palette: PaletteID,
    by author: AuthorID
  ) throws(StoreError) -> Undoable {
    guard let row = try paletteRow(palette), let stack = try actionStack(of: row, by: author) else {
      return .nothing
    }
    return Undoable(
      canUndo: try hasAction(.newestAction, in: stack),
      canRedo: try hasAction(.oldestUndone, in: stack)
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
  public func undoing(
    in palette: PaletteID,
    by author: AuthorID,
    isRedo: Bool
  ) throws(StoreError) -> LongAction? {
    guard let row = try paletteRow(palette), let stack = try actionStack(of: row, by: author) else {
      return nil
    }
    let select = try box(isRedo ? .oldestUndone : .newestAction)
    try select.statement.bind(stack.ids)
    return try select.statement.row { row throws(StoreError) in
      LongAction(undoing: try StoredAction(row), isRedo: isRedo)
    }
  }

  /// The bytes of the action that `undo` would take back, or `redo` make again: they tell how long that takes.
  public func undoableBytes(
    in palette: PaletteID,
    by author: AuthorID,
    isRedo: Bool
  ) throws(StoreError) -> Int {
    guard let row = try paletteRow(palette), let stack = try actionStack(of: row, by: author) else {
      return 0
    }
    let select = try database.prepare(
      """
      SELECT length(steps) FROM action WHERE id BETWEEN ?1 AND ?2 AND undone = \(isRedo ? 1 : 0)
      ORDER BY id \(isRedo ? "" : "DESC") LIMIT 1
      """
    )
    try select.bind(stack.ids)
    return try select.row { Int($0.int64(0)) } ?? 0
  }

  private func hasAction(_ query: Query, in stack: ActionStack) throws(StoreError) -> Bool {
    let select = try box(query)
    try select.statement.bind(stack.ids)
    return try select.statement.row { _ in true } ?? false
  }

  /// An author's stack, not looked at yet; nil where a member has none.
  private func actionStack(
    of palette: PaletteRow,
    by author: AuthorID
  ) throws(StoreError) -> ActionStack? {
    if author == .library { return ActionStack(of: palette) }
    let select = try database.prepare(
      "SELECT id FROM memberStack WHERE palette = ?1 AND author = ?2"
    )
    try select.bind(palette.number, at: 1)
    try select.bind(author.rawValue, at: 2)
    return try select.row { ActionStack(memberStack: $0.int64(0)) }
  }
}

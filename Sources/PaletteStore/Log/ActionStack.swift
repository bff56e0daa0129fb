import PaletteModel

/// The undo stack of one author in one palette, as far as a new action has to know it.
///
/// Those of the library itself are numbered as the palettes are. A member's has a number of its own,
/// and lies below zero.
/// Actions that were undone lie above all others, and a new one takes their place. Parts of a long action,
/// which have 2 where others have 0 or 1, are passed over: see LongAction.
struct ActionStack {
  /// The most actions that can be undone, more or less: nobody undoes that far, and stacks must end.
  static let limit: Int64 = 1_000
  /// How many actions go by before old ones are looked for.
  private static let trimInterval: Int64 = 64

  /// The id that an action with the number 0 would have.
  private let base: Int64
  /// The number of the newest action there was; 0 for none.
  private(set) var newest: Int64 = 0
  /// Whether there may be actions that were undone.
  var mayHaveUndone = false

  /// The stack of the library itself.
  init(of palette: PaletteRow) {
    base = palette.number << 32
  }

  /// The stack of a member.
  init(memberStack number: Int64) {
    base = .min | number << 32
  }

  /// Sets what the uppermost row says.
  mutating func update(top: Int64, isUndone: Bool) {
    newest = top - base
    mayHaveUndone = isUndone
  }

  /// What the rows of the palette have for ids.
  var ids: ClosedRange<Int64> { base...base + Int64(UInt32.max) }

  /// The id of the next action.
  mutating func next() -> Int64 {
    newest += 1
    return base + newest
  }

  /// The actions that are too old after the newest one; nil while it is not worth looking.
  var outdated: ClosedRange<Int64>? {
    guard newest.isMultiple(of: Self.trimInterval), newest > Self.limit else { return nil }
    return base...base + newest - Self.limit
  }
}

/// The undo stack of a transaction's author in one palette, and its rows.
///
/// It is looked at when the first action is pushed, undone or redone.
final class UndoStack {
  /// The stack as the transaction leaves it; nil where it was not needed.
  private(set) var known: ActionStack?

  /// Puts an action on the stack, and gives its row.
  func push(_ steps: [UndoStep], in palette: PaletteWriter) throws(StoreError) -> Int64 {
    var stack = try actionStack(in: palette)
    if stack.mayHaveUndone {
      let clear = try palette.store.box(.clearUndone)
      try clear.statement.bind(stack.ids)
      try clear.statement.run()
      stack.mayHaveUndone = false
    }
    let insert = try palette.store.box(.insertAction)
    let number = stack.next()
    try insert.statement.bind(number, at: 1)
    try insert.statement.bind(steps.encoded, at: 2)
    try insert.statement.run()
    if let outdated = stack.outdated {
      let trim = try palette.store.box(.trimActions)
      try trim.statement.bind(outdated)
      try trim.statement.run()
    }
    known = stack
    return number
  }

  /// The newest action that is not undone, or the oldest that is; nil when there is none.
  func action(
    undone: Bool,
    in palette: PaletteWriter
  ) throws(StoreError) -> (number: Int64, steps: [UndoStep])? {
    guard let stack = try emptyStack(in: palette) else { return nil }
    let select = try palette.store.box(undone ? .oldestUndone : .newestAction)
    try select.statement.bind(stack.ids)
    return try select.statement.row { row throws(StoreError) in
      (row.int64(0), try [UndoStep](decoding: row.bytes(1)))
    }
  }

  /// Records that an action was undone or redone.
  func mark(_ action: Int64, undone: Bool, in palette: PaletteWriter) throws(StoreError) {
    var stack = try actionStack(in: palette)
    let update = try palette.store.box(.markAction)
    try update.statement.bind(action, at: 1)
    try update.statement.bind(undone ? 1 : Int64(0), at: 2)
    try update.statement.run()
    if undone { stack.mayHaveUndone = true }
    known = stack
  }

  private func actionStack(in palette: PaletteWriter) throws(StoreError) -> ActionStack {
    if let known { return known }
    if palette.authorID == .library,
      let kept = palette.store.cache.palettes?.actions(of: palette.id)
    {
      return kept
    }
    guard var stack = try emptyStack(in: palette) else { return try makeMemberStack(in: palette) }
    let select = try palette.store.box(.topAction)
    try select.statement.bind(stack.ids)
    try select.statement.rows { stack.update(top: $0.int64(0), isUndone: $0.int64(1) != 0) }
    return stack
  }

  /// The author's stack, not looked at yet; nil where a member has none.
  private func emptyStack(in palette: PaletteWriter) throws(StoreError) -> ActionStack? {
    if palette.authorID == .library { return ActionStack(of: palette.row) }
    let select = try palette.store.database.prepare(
      "SELECT id FROM memberStack WHERE palette = ?1 AND author = ?2"
    )
    try select.bind(palette.row.number, at: 1)
    try select.bind(palette.authorID.rawValue, at: 2)
    return try select.row { ActionStack(memberStack: $0.int64(0)) }
  }

  private func makeMemberStack(in palette: PaletteWriter) throws(StoreError) -> ActionStack {
    let insert = try palette.store.database.prepare(
      "INSERT INTO memberStack(palette, author) VALUES(?1, ?2) RETURNING id"
    )
    try insert.bind(palette.row.number, at: 1)
    try insert.bind(palette.authorID.rawValue, at: 2)
    guard let stack = try insert.row({ ActionStack(memberStack: $0.int64(0)) }) else {
      throw StoreError(code: .failed, message: "the undo stack was not stored")
    }
    return stack
  }

  /// The stacks of all authors in the palette.
  static func all(in palette: PaletteWriter) throws(StoreError) -> [ActionStack] {
    var stacks = [ActionStack(of: palette.row)]
    let select = try palette.store.database.prepare(
      "SELECT id FROM memberStack WHERE palette = ?1"
    )
    try select.bind(palette.row.number, at: 1)
    try select.rows { stacks.append(ActionStack(memberStack: $0.int64(0))) }
    return stacks
  }
}

extension Statement {
  /// Binds the ends of a range to the first two parameters.
  func bind(_ ids: ClosedRange<Int64>) throws(StoreError) {
    try bind(ids.lowerBound, at: 1)
    try bind(ids.upperBound, at: 2)
  }
}

import PaletteMerge
import PaletteModel

/// The undo stack of one author in one palette, as far as a new action has to know it.
///
/// Those of the library itself are numbered as the palettes are. A member's has a number of its own,
/// and lies below zero.
/// Actions that were undone lie above all others. A new one is put above them, and then they are undone for
/// good: they have 3 where others have 0 or 1, and only the history asks for them. Parts of a long action,
/// which have 2, are passed over: see LongAction.
struct ActionStack {
  /// The most actions that can be undone, more or less: nobody undoes that far, and stacks must end.
  static let limit: Int64 = 1_000
  /// The number of actions that go by before old ones are looked for.
  private static let trimInterval: Int64 = 64

  /// The id that an action with the number 0 would have.
  private let base: Int64
  /// The number of the newest action there was; 0 for none.
  private(set) var newest: Int64 = 0
  /// True if there may be actions that were undone.
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

  /// The range of the ids of the palette's rows.
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
  private let author: AuthorID
  private let database: StoreDatabase
  /// The stack as it was before the transaction, where that is known.
  private let kept: ActionStack?
  /// The stack as the transaction leaves it; nil where it was not needed.
  private(set) var known: ActionStack?

  init(of author: AuthorID, in database: StoreDatabase, kept: ActionStack?) {
    self.author = author
    self.database = database
    self.kept = kept
  }

  /// Puts an action on the stack, and gives its row.
  ///
  /// - Parameters:
  ///   - steps: What undoes it.
  ///   - action: Its name.
  ///   - palette: The palette.
  ///   - isNew: Whether it is something new, after which nothing can be redone.
  /// - Returns: The row.
  /// - Throws: `StoreError` when the store failed.
  func push(
    _ steps: [UndoStep],
    of action: ActionID?,
    in palette: PaletteRow,
    isNew: Bool = true
  ) throws(StoreError) -> Int64 {
    var stack = try actionStack(in: palette)
    if stack.mayHaveUndone, isNew {
      let clear = try database.box(.clearUndone)
      try clear.statement.bind(stack.ids)
      try clear.statement.run()
      stack.mayHaveUndone = false
    }
    let insert = try database.box(.insertAction)
    let number = stack.next()
    try insert.statement.bind(number, at: 1)
    try insert.statement.bind(steps.encoded, at: 2)
    try insert.statement.bind(action, at: 3)
    try insert.statement.run()
    if let outdated = stack.outdated {
      let trim = try database.box(.trimActions)
      try trim.statement.bind(outdated)
      try trim.statement.run()
    }
    known = stack
    return number
  }

  /// The newest action that is not undone, or the oldest that is; nil when there is none.
  func action(undone: Bool, in palette: PaletteRow) throws(StoreError) -> StoredAction? {
    guard let stack = try Self.stack(of: author, in: palette, database) else { return nil }
    return try stack.action(undone: undone, in: database)
  }

  /// Records that an action was undone or redone.
  func mark(_ action: Int64, undone: Bool, in palette: PaletteRow) throws(StoreError) {
    var stack = try actionStack(in: palette)
    let update = try database.box(.markAction)
    try update.statement.bind(action, at: 1)
    try update.statement.bind(undone ? 1 : Int64(0), at: 2)
    try update.statement.run()
    if undone { stack.mayHaveUndone = true }
    known = stack
  }

  /// Records that an action was undone for good where others were put above it meanwhile: nothing that was
  /// undone may lie below.
  func settle(_ action: Int64, in palette: PaletteRow) throws(StoreError) {
    let update = try database.prepare(
      """
      UPDATE action SET undone = 3, steps = x'80' WHERE id = ?1 AND undone = 1
        AND EXISTS (SELECT 1 FROM action WHERE id BETWEEN ?1 + 1 AND ?2 AND undone = 0)
      """
    )
    try update.bind(action, at: 1)
    try update.bind(try actionStack(in: palette).ids.upperBound, at: 2)
    try update.run()
  }

  private func actionStack(in palette: PaletteRow) throws(StoreError) -> ActionStack {
    if let known = known ?? kept { return known }
    guard var stack = try Self.stack(of: author, in: palette, database) else {
      return try makeMemberStack(in: palette)
    }
    let select = try database.box(.topAction)
    try select.statement.bind(stack.ids)
    try select.statement.rows { stack.update(top: $0.int64(0), isUndone: $0.int64(1) != 0) }
    return stack
  }

  /// An author's stack, not looked at yet; nil where a member has none.
  static func stack(
    of author: AuthorID,
    in palette: PaletteRow,
    _ database: StoreDatabase
  ) throws(StoreError) -> ActionStack? {
    if author == .library { return ActionStack(of: palette) }
    let select = try database.box(.memberStack)
    try select.statement.bind(palette.number, at: 1)
    try select.statement.bind(author.rawValue, at: 2)
    return try select.statement.row { ActionStack(memberStack: $0.int64(0)) }
  }

  private func makeMemberStack(in palette: PaletteRow) throws(StoreError) -> ActionStack {
    let insert = try database.prepare(
      "INSERT INTO memberStack(palette, author) VALUES(?1, ?2) RETURNING id"
    )
    try insert.bind(palette.number, at: 1)
    try insert.bind(author.rawValue, at: 2)
    guard let stack = try insert.row({ ActionStack(memberStack: $0.int64(0)) }) else {
      throw StoreError(code: .failed, message: "the undo stack was not stored")
    }
    return stack
  }
}

extension ActionStack {
  /// The newest action that is not undone, or the oldest that is; nil when there is none.
  func action(undone: Bool, in database: StoreDatabase) throws(StoreError) -> StoredAction? {
    let select = try database.box(undone ? .oldestUndone : .newestAction)
    try select.statement.bind(ids)
    return try select.statement.row { row throws(StoreError) in try StoredAction(row) }
  }

  /// Returns whether there is an action that is not undone, or one that is.
  func hasAction(undone: Bool, in database: StoreDatabase) throws(StoreError) -> Bool {
    let select = try database.box(undone ? .oldestUndone : .newestAction)
    try select.statement.bind(ids)
    return try select.statement.row { _ in true } ?? false
  }

  /// The bytes of the steps of the action that `action(undone:in:)` gives.
  func bytesOfAction(undone: Bool, in database: StoreDatabase) throws(StoreError) -> Int {
    let select = try database.prepare(
      """
      SELECT length(steps) FROM action WHERE id BETWEEN ?1 AND ?2 AND undone = \(undone ? 1 : 0)
      ORDER BY id \(undone ? "" : "DESC") LIMIT 1
      """
    )
    try select.bind(ids)
    return try select.row { Int($0.int64(0)) } ?? 0
  }
}

/// The rows of actions, whoever their authors are.
enum ActionTable {
  /// The stacks of all authors in a palette.
  private static func stacks(
    of palette: PaletteRow,
    in database: StoreDatabase
  ) throws(StoreError) -> [ActionStack] {
    var stacks = [ActionStack(of: palette)]
    let select = try database.prepare("SELECT id FROM memberStack WHERE palette = ?1")
    try select.bind(palette.number, at: 1)
    try select.rows { stacks.append(ActionStack(memberStack: $0.int64(0))) }
    return stacks
  }

  /// What is on the stacks of all authors in a palette.
  static func actions(
    of palette: PaletteRow,
    in database: StoreDatabase
  ) throws(StoreError) -> [StoredAction] {
    var actions: [StoredAction] = []
    let select = try database.prepare(
      "SELECT id, steps, node, stamp FROM action WHERE id BETWEEN ?1 AND ?2"
    )
    for stack in try stacks(of: palette, in: database) {
      try select.bind(stack.ids)
      try select.rows { row throws(StoreError) in actions.append(try StoredAction(row)) }
    }
    return actions
  }

  /// The actions of this library's authors in a palette that are undone, as far back as undoing goes.
  static func undone(
    in palette: PaletteRow,
    _ database: StoreDatabase
  ) throws(StoreError) -> Set<ActionID> {
    var actions: Set<ActionID> = []
    let select = try database.prepare(
      """
      SELECT node, stamp FROM action
      WHERE id BETWEEN ?1 AND ?2 AND undone IN (1, 3) AND stamp NOT NULL
      """
    )
    for stack in try stacks(of: palette, in: database) {
      try select.bind(stack.ids)
      try select.rows { if let action = $0.actionID(0) { actions.insert(action) } }
    }
    return actions
  }

  /// The oldest actions, of each stack, that take more room than the palette, if some were made before a time.
  static func overlong(
    in palette: PaletteRow,
    beforeMilliseconds horizon: Int64,
    _ database: StoreDatabase
  ) throws(StoreError) -> [ClosedRange<Int64>] {
    let select = try database.prepare(
      """
      SELECT max(id) FROM (
        SELECT id, stamp, sum(length(steps)) OVER (ORDER BY id DESC) AS size
        FROM action WHERE id BETWEEN ?1 AND ?2 AND undone <> 2
      ) WHERE size > ?3 AND (stamp IS NULL OR stamp < ?4)
      """
    )
    var found: [ClosedRange<Int64>] = []
    for stack in try stacks(of: palette, in: database) {
      try select.bind(stack.ids)
      try select.bind(Int64(leastKeptBytes + keptBytesOfColor * palette.colors), at: 3)
      try select.bind(bound(ofMilliseconds: horizon), at: 4)
      let last = try select.row { $0.isNull(0) ? nil : $0.int64(0) } ?? nil
      if let last { found.append(stack.ids.lowerBound...last) }
    }
    return found
  }

  /// Forgets the oldest of some actions that were made before a time.
  ///
  /// - Returns: The number of them; if it is not the limit, none is left.
  static func forget(
    _ ids: ClosedRange<Int64>,
    beforeMilliseconds horizon: Int64,
    atMost limit: Int,
    in database: StoreDatabase
  ) throws(StoreError) -> Int {
    let delete = try database.prepare(
      """
      DELETE FROM action WHERE id IN (
        SELECT id FROM action WHERE id BETWEEN ?1 AND ?2 AND undone <> 2
        AND (stamp IS NULL OR stamp < ?3) ORDER BY id LIMIT ?4)
      """
    )
    try delete.bind(ids)
    try delete.bind(bound(ofMilliseconds: horizon), at: 3)
    try delete.bind(Int64(limit), at: 4)
    try delete.run()
    return database.connection.changes
  }

  /// The column that a stamp of a time has, which is a signed number.
  private static func bound(ofMilliseconds milliseconds: Int64) -> Int64 {
    Int64(bitPattern: Stamp(milliseconds: min(milliseconds, (1 << 47) - 1)).rawValue)
  }

  /// The bytes of actions that stay whatever a palette's size, and about as many more as a color has.
  private static let (leastKeptBytes, keptBytesOfColor) = (16_384, 128)

  /// Writes an action back that is called otherwise now.
  static func replace(_ action: StoredAction, in database: StoreDatabase) throws(StoreError) {
    let update = try database.prepare(
      "UPDATE action SET steps = ?2, node = ?3, stamp = ?4 WHERE id = ?1"
    )
    try update.bind(action.number, at: 1)
    try update.bind(action.steps.encoded, at: 2)
    try update.bind(action.id, at: 3)
    try update.run()
  }

  // MARK: Parts of long actions

  /// Takes an action from the stack and makes it a part of a long one, which undoing passes over.
  static func setAside(_ row: Int64, in database: StoreDatabase) throws(StoreError) {
    let update = try database.prepare("UPDATE action SET undone = 2 WHERE id = ?1")
    try update.bind(row, at: 1)
    try update.run()
  }

  /// Returns whether an action or a part is there.
  static func holds(_ row: Int64, in database: StoreDatabase) throws(StoreError) -> Bool {
    let select = try database.prepare("SELECT 1 FROM action WHERE id = ?1")
    try select.bind(row, at: 1)
    return try select.row { _ in true } ?? false
  }

  /// Removes a part.
  ///
  /// - Returns: Its steps.
  @discardableResult
  static func remove(_ row: Int64, in database: StoreDatabase) throws(StoreError) -> [UndoStep] {
    let delete = try database.prepare("DELETE FROM action WHERE id = ?1 RETURNING steps")
    try delete.bind(row, at: 1)
    return try delete.row { row throws(StoreError) in try [UndoStep](decoding: row.bytes(0)) } ?? []
  }

  /// A part with the palette and the author of its action.
  typealias Part = (row: Int64, palette: PaletteID, author: AuthorID)

  /// All parts, the newest first.
  static func parts(in database: StoreDatabase) throws(StoreError) -> [Part] {
    var parts: [Part] = []
    let select = try database.prepare(
      """
      SELECT action.id, palette.uuid, coalesce(memberStack.author, \(AuthorID.library.rawValue))
      FROM action LEFT JOIN memberStack ON action.id < 0
        AND memberStack.id = (action.id & 9223372036854775807) >> 32
      JOIN palette ON palette.id = coalesce(memberStack.palette, action.id >> 32)
      WHERE action.undone = 2 ORDER BY action.id DESC
      """
    )
    try select.rows { row throws(StoreError) in
      parts.append((row.int64(0), PaletteID(try row.recordID(1)), AuthorID(row.int64(2))))
    }
    return parts
  }
}

extension Query {
  fileprivate static let insertAction = Query(
    "INSERT INTO action(id, steps, node, stamp) VALUES(?1, ?2, ?3, ?4)"
  )
  fileprivate static let memberStack = Query(
    "SELECT id FROM memberStack WHERE palette = ?1 AND author = ?2"
  )
  fileprivate static let topAction = Query(
    "SELECT id, undone FROM action WHERE id BETWEEN ?1 AND ?2 ORDER BY id DESC LIMIT 1"
  )
  fileprivate static let clearUndone = Query(
    "UPDATE action SET undone = 3, steps = x'80' WHERE id BETWEEN ?1 AND ?2 AND undone = 1"
  )
  fileprivate static let trimActions = Query(
    "DELETE FROM action WHERE id BETWEEN ?1 AND ?2 AND undone <> 2"
  )
  fileprivate static let newestAction = Query(
    """
    SELECT id, steps, node, stamp FROM action WHERE id BETWEEN ?1 AND ?2 AND undone = 0
    ORDER BY id DESC LIMIT 1
    """
  )
  fileprivate static let oldestUndone = Query(
    """
    SELECT id, steps, node, stamp FROM action WHERE id BETWEEN ?1 AND ?2 AND undone = 1
    ORDER BY id LIMIT 1
    """
  )
  fileprivate static let markAction = Query("UPDATE action SET undone = ?2 WHERE id = ?1")
}

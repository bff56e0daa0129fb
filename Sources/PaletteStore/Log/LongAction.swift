public import PaletteMerge
public import PaletteModel

/// An action of which each transaction writes a part, so that others have their turn between them.
///
/// Undoing knows it only when it is whole. Until then its parts stand on the undo stack unseen, and what
/// was written is taken back where it ends early: at once if somebody says so, else when the library is
/// next opened for writing.
public struct LongAction: Sendable {
  /// True if the palette begins with the action.
  private let makesPalette: Bool
  private var edits: DiffEdits
  /// What others are told that it was.
  private let claim: ActionClaim?
  /// The rows of what was written.
  private var rows: [Int64] = []
  /// The stamp of all its parts; nil while none is written.
  private var stamp: Stamp?
  /// The stamp of what takes parts back; nil while none is.
  private var revertingStamp: Stamp?
  /// True if no part was written.
  public private(set) var isNew = true

  /// Begins an action that turns a list into the one that a diff gives.
  ///
  /// It needs no library, and for a long list some time.
  ///
  /// - Parameters:
  ///   - diff: What changes.
  ///   - list: The list as it is.
  ///   - makesPalette: Whether the palette begins with the action, in the transaction of its first part.
  ///   - claim: What others are told that it was.
  public init(
    _ diff: PaletteDiff,
    on list: [ListedColor],
    makesPalette: Bool,
    as claim: ActionClaim? = nil
  ) {
    self.claim = claim
    edits = DiffEdits(diff, on: list)
    self.makesPalette = makesPalette
  }

  /// The number of edits there are; what makes room for colors comes on top.
  public var count: Int { edits.count }

  /// The number of them that are not carried out.
  public var left: Int { edits.count - edits.given }

  /// Writes a part of what is left, or all of it.
  ///
  /// Only when its transaction is durable the action is what this made of it.
  ///
  /// - Parameters:
  ///   - writer: The palette.
  ///   - limit: How many edits the part has; nil for all that is left, which ends the action.
  /// - Throws: `StoreError` with code `failed` when an earlier part is not there, or why the store failed.
  public mutating func write(in writer: PaletteWriter, atMost limit: Int?) throws(StoreError) {
    if let last = rows.last, try !writer.hasPart(last) {
      throw StoreError(code: .failed, message: "an earlier part of this was not written")
    }
    var steps: [UndoStep] = isNew && makesPalette ? [.began] : []
    isNew = false
    writer.actionStamp.resume(stamp)
    try writer.carryOut(&edits, &steps, atMost: limit ?? .max)
    stamp = writer.actionStamp.known
    guard limit == nil else {
      if !steps.isEmpty { rows.append(try writer.pushPart(steps)) }
      return
    }
    var whole: [UndoStep] = []
    for row in rows { for step in try writer.removePart(row) { whole.record(step) } }
    for step in steps { whole.record(step) }
    whole.removeAll { $0 == .began }
    _ = try writer.push(whole: whole, as: claim)
  }

  /// Takes back the newest part.
  ///
  /// - Returns: Whether there are others.
  /// - Throws: Why the store failed; the part is taken back when the library is next opened.
  public mutating func revertPart(in writer: PaletteWriter) throws(StoreError) -> Bool {
    guard let row = rows.popLast() else { return false }
    writer.actionStamp.resume(revertingStamp)
    try writer.revert(writer.removePart(row))
    revertingStamp = writer.actionStamp.known
    return !rows.isEmpty
  }
}

extension PaletteWriter {
  /// Puts a part of a long action beside the undo stack.
  fileprivate func pushPart(_ steps: [UndoStep]) throws(StoreError) -> Int64 {
    try store.database.setMeta(.longActions, [1])
    let row = try undoStack.push(steps, in: self)
    let update = try store.database.prepare("UPDATE action SET undone = 2 WHERE id = ?1")
    try update.bind(row, at: 1)
    try update.run()
    return row
  }

  fileprivate func hasPart(_ row: Int64) throws(StoreError) -> Bool {
    let select = try store.database.prepare("SELECT 1 FROM action WHERE id = ?1")
    try select.bind(row, at: 1)
    return try select.row { _ in true } ?? false
  }

  /// The steps of a part, which is taken from beside the stack.
  fileprivate func removePart(_ row: Int64) throws(StoreError) -> [UndoStep] {
    let delete = try store.database.prepare("DELETE FROM action WHERE id = ?1 RETURNING steps")
    try delete.bind(row, at: 1)
    return try delete.row { row throws(StoreError) in try [UndoStep](decoding: row.bytes(0)) } ?? []
  }

  /// Takes back what a part did, as far as nobody else wrote there.
  fileprivate func revert(_ steps: [UndoStep]) throws(StoreError) {
    var outcome = UndoOutcome()
    try undo(steps, &outcome)
    // A palette that began with the action goes with it.
    if steps.contains(.began) { try author(.drop(id)) }
  }
}

extension ChangeStore {
  /// Takes back all long actions that an earlier process left behind.
  func revertLongActions() throws(StoreError) {
    guard try database.meta(.longActions) != nil else { return }
    var parts: [(row: Int64, palette: PaletteID, author: AuthorID)] = []
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
    for part in parts {
      try write(as: part.author) { transaction throws(StoreError) in
        guard let writer = try transaction.palette(part.palette) else { return }
        try writer.revert(writer.removePart(part.row))
      }
    }
    try write { _ throws(StoreError) in
      try database.removeMeta(.longActions)
    }
  }
}

extension MetaKey {
  /// True if there may be parts of long actions.
  fileprivate static let longActions = MetaKey("action.long")
}

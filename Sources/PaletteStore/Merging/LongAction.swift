public import PaletteMerge
public import PaletteModel

/// An action of which each transaction writes a part, so that others have their turn between them.
///
/// Undoing knows it only when it is whole. Until then its parts stand on the undo stack unseen, and what
/// was written is taken back where it ends early: at once if somebody says so, else when the library is
/// next opened for writing.
public struct LongAction: Sendable {
  /// The work of an action.
  private enum Work: Sendable {
    /// Edits; colors that are only hidden may be brought back.
    case edits(ActionEdits, bringsBack: Bool)
    /// An action that is undone or made again.
    case steps(ActionSteps)
  }

  /// True if the palette begins with the action.
  private let makesPalette: Bool
  private var work: Work
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
  /// The changes so far, where it undoes or reverts.
  public private(set) var outcome = UndoOutcome()

  /// Begins an action that turns a list into the one that a diff gives.
  ///
  /// It needs no library, and for a long list some time.
  ///
  /// - Parameters:
  ///   - diff: What changes.
  ///   - list: The list as it is.
  ///   - makesPalette: Whether the palette begins with the action, in the transaction of its first part.
  ///   - bringsBack: Whether a color that it inserts may be one that is only hidden.
  ///   - seen: The live values of colors that whoever edits them has seen; of all others, all.
  ///   - claim: What others are told that it was.
  public init(
    _ diff: PaletteDiff,
    on list: [ListedColor],
    makesPalette: Bool = false,
    bringsBack: Bool = false,
    seeing seen: [RecordID: SeenValues] = [:],
    as claim: ActionClaim? = nil
  ) {
    self.claim = claim
    work = .edits(.diff(DiffEdits(diff, on: list), seen: seen), bringsBack: bringsBack)
    self.makesPalette = makesPalette
  }

  /// Begins an action that makes edits, which need no list.
  public init(_ edits: [Edit]) { self.init(.known(edits, given: 0)) }

  /// Begins an action that adds colors, in their order, at the end of the palette.
  public init(appending colors: [NamedColor]) { self.init(.appended(colors)) }

  /// Begins an action that moves a color of a list so that it ends at an index.
  public init(
    movingFrom start: Int,
    to end: Int,
    in list: [ListedColor],
    seeing seen: SeenValues? = nil
  ) {
    self.init(.moved(from: start, to: end, list: list, seen: seen))
  }

  private init(_ edits: ActionEdits) {
    claim = nil
    makesPalette = false
    work = .edits(edits, bringsBack: false)
  }

  /// Begins to undo an action, or to make it again.
  init(undoing action: StoredAction, isRedo: Bool) {
    claim = nil
    makesPalette = false
    work = .steps(ActionSteps(action, isRedo: isRedo))
    outcome.isRecorded = true
  }

  /// The number of edits there are; what makes room for colors comes on top.
  public var count: Int {
    switch work {
    case .edits(let edits, _): edits.count
    case .steps(let steps): steps.count
    }
  }

  /// The number of them that are not carried out.
  public var left: Int {
    switch work {
    case .edits(let edits, _): edits.count - edits.given
    case .steps(let steps): steps.count - steps.given
    }
  }

  /// Returns whether it still undoes the newest action, or redoes the oldest that was undone.
  public func isNext(in writer: PaletteWriter) throws(StoreError) -> Bool {
    guard case .steps(let steps) = work else { return true }
    return try writer.undoStack.action(undone: steps.isRedo, in: writer.row)?.number == steps.number
  }

  /// Writes a part of what is left, or all of it.
  ///
  /// Only when its transaction is durable the action is what this made of it.
  ///
  /// - Parameters:
  ///   - writer: The palette.
  ///   - limit: How many edits the part has; nil for all that is left, which ends the action.
  /// - Throws: `StoreError` with code `failed` when an earlier part is not there, or why the store failed.
  public mutating func write(in writer: PaletteWriter, atMost limit: Int?) throws(StoreError) {
    if let last = rows.last, try !ActionTable.holds(last, in: writer.database) {
      throw StoreError(code: .failed, message: "an earlier part of this was not written")
    }
    var steps: [UndoStep] = isNew && makesPalette ? [.began] : []
    isNew = false
    writer.actionStamp.resume(stamp)
    try carryOut(in: writer, &steps, atMost: limit ?? .max)
    stamp = writer.actionStamp.known
    if limit != nil {
      guard !steps.isEmpty else { return }
      // What is undone in parts can still be redone where it ends early.
      let isNew = if case .edits = work { true } else { false }
      return rows.append(try writer.pushPart(steps, isNew: isNew))
    }
    switch work {
    case .edits: try finish(in: writer, steps)
    case .steps(let work):
      for row in rows { try ActionTable.remove(row, in: writer.database) }
      try work.finish(in: writer, &outcome)
    }
  }

  private mutating func carryOut(
    in writer: PaletteWriter,
    _ steps: inout [UndoStep],
    atMost limit: Int
  ) throws(StoreError) {
    switch work {
    case .edits(var edits, let bringsBack):
      try writer.carryOut(&edits, &steps, &outcome, atMost: limit, bringsBack: bringsBack)
      work = .edits(edits, bringsBack: bringsBack)
    case .steps(var action):
      try action.carryOut(in: writer, &outcome, atMost: limit)
      work = .steps(action)
      steps += outcome.steps
      outcome.steps = []
    }
  }

  /// Makes one action of all parts.
  private func finish(in writer: PaletteWriter, _ last: [UndoStep]) throws(StoreError) {
    var whole: [UndoStep] = []
    for row in rows {
      for step in try ActionTable.remove(row, in: writer.database) { whole.record(step) }
    }
    for step in last { whole.record(step) }
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
    try Self.revertPart(row, in: writer)
    revertingStamp = writer.actionStamp.known
    return !rows.isEmpty
  }
}

extension LongAction {
  /// Takes back a part, as far as nobody else wrote there.
  static func revertPart(_ row: Int64, in writer: PaletteWriter) throws(StoreError) {
    try writer.revert(ActionTable.remove(row, in: writer.database))
  }
}

extension PaletteWriter {
  /// Puts a part of a long action beside the undo stack.
  fileprivate func pushPart(_ steps: [UndoStep], isNew: Bool) throws(StoreError) -> Int64 {
    try database.setMeta(.longActions, [1])
    let row = try undoStack.push(steps, of: currentAction(), in: row, isNew: isNew)
    try ActionTable.setAside(row, in: database)
    return row
  }

  /// Carries out a part of an action's edits, between others' edits.
  fileprivate func carryOut(
    _ edits: inout ActionEdits,
    _ steps: inout [UndoStep],
    _ outcome: inout UndoOutcome,
    atMost limit: Int,
    bringsBack: Bool
  ) throws(StoreError) {
    var count = 0
    try gatheringRows { () throws(StoreError) in
      while count < limit, let edit = try edits.next(in: self) {
        count += 1
        // A color that somebody removed meanwhile stays removed.
        if edit.kind == .set, try !state(of: edit.record).isVisible { continue }
        for edit in bringsBack ? try bringingBack(edit) : [edit] {
          try act(edit, &steps)
          if bringsBack { outcome.change(edit.record) }
        }
      }
    }
  }

  /// Takes back what a part did, as far as nobody else wrote there.
  fileprivate func revert(_ steps: [UndoStep]) throws(StoreError) {
    var outcome = UndoOutcome()
    try ActionUndo(in: self).undo(steps, &outcome)
    // A palette that began with the action goes with it.
    if steps.contains(.began) { try author(.drop(id)) }
  }

  /// An addition of a color that is only hidden, as what brings it back and gives it the values it had.
  fileprivate func bringingBack(_ edit: Edit) throws(StoreError) -> [Edit] {
    guard edit.kind == .add, try !state(of: edit.record).values.isEmpty,
      let place = edit.value(of: .place)
    else { return [edit] }
    var writes: [Change.Write] = []
    for register in Register.known where register != .place {
      // A text that was never written and an empty one are the same to everybody.
      let none = Register.optional.contains(register) ? RegisterValue(text: "") : nil
      let shown = try shown(register, of: edit.record)?.value ?? none
      guard let wanted = edit.value(of: register) ?? none, shown != wanted else { continue }
      writes.append(Change.Write(register, value: wanted))
    }
    let restore = Edit.restore(edit.record, [.place: place])
    return writes.isEmpty ? [restore] : [restore, .set(edit.record, writes: writes)]
  }
}

extension PaletteReader {
  /// The action that makes a palette's list what it was before; nil where it is that.
  ///
  /// - Parameters:
  ///   - id: The palette.
  ///   - past: The list as it was.
  ///   - claim: What others are told that the action was.
  /// - Returns: The action, in which colors that are only hidden come back.
  /// - Throws: `StoreError` when the store failed, or why the lists cannot be compared.
  package func reverting(
    _ id: PaletteID,
    to past: [NamedColor],
    as claim: ActionClaim
  ) throws -> LongAction? {
    let list = try colors(of: id)
    let diff = try PaletteDiff(from: list.map(\.color), to: past)
    return diff.isEmpty ? nil : LongAction(diff, on: list, bringsBack: true, as: claim)
  }
}

extension MetaKey {
  /// True if there may be parts of long actions.
  static let longActions = MetaKey("action.long")
}

import PaletteMerge
import PaletteModel

/// The steps of an action that is undone, or made again, a part at a time.
struct ActionSteps: Sendable {
  let isRedo: Bool
  private let action: StoredAction
  /// The number of steps that were carried out.
  private var position = 0
  /// The number of additions of the next step that were.
  private var additions: UInt32 = 0
  /// The number of single edits among all steps.
  let count: Int
  /// The number of them that were carried out.
  private(set) var given = 0

  init(_ action: StoredAction, isRedo: Bool) {
    self.action = action
    self.isRedo = isRedo
    count = action.steps.reduce(0) { $0 + $1.count }
  }

  /// The row of the action.
  var number: Int64 { action.number }

  /// Carries out so many edits, or what is left of them.
  mutating func carryOut(
    in writer: PaletteWriter,
    _ outcome: inout UndoOutcome,
    atMost limit: Int
  ) throws(StoreError) {
    let end = limit < count - given ? given + limit : count
    let undoing = ActionUndo(in: writer)
    try writer.gatheringRows { () throws(StoreError) in
      while given < end {
        let step = next(atMost: end - given)
        if isRedo { try undoing.redo([step], &outcome) } else { try undoing.undo([step], &outcome) }
      }
    }
  }

  /// Records that the action was carried out, and says so.
  func finish(in writer: PaletteWriter, _ outcome: inout UndoOutcome) throws(StoreError) {
    try writer.undoStack.mark(action.number, undone: !isRedo, in: writer.row)
    if !isRedo { try writer.undoStack.settle(action.number, in: writer.row) }
    outcome.action = action.id
    guard let id = action.id, !outcome.changed.isEmpty else { return }
    let node = try writer.node(of: writer.authorID)
    try writer.say(isRedo ? .redo(id, by: node) : .undo(id, by: node))
  }

  /// The next step, or so many of its additions.
  private mutating func next(atMost limit: Int) -> UndoStep {
    let step = action.steps[isRedo ? position : action.steps.count - 1 - position]
    guard case .added(let node, let first, let last) = step else {
      position += 1
      given += 1
      return step
    }
    let taken = UInt32(clamping: min(limit, step.count - Int(additions)))
    let start = isRedo ? first + additions : last - additions - (taken - 1)
    additions += taken
    given += Int(taken)
    if Int(additions) == step.count { (position, additions) = (position + 1, 0) }
    return .added(node, first: start, last: start + (taken - 1))
  }
}

extension UndoStep {
  /// The number of edits that it is.
  fileprivate var count: Int {
    if case .added(_, let first, let last) = self { Int(last - first) + 1 } else { 1 }
  }
}

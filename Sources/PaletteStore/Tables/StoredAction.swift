import PaletteMerge
import PaletteModel

/// An action on an undo stack.
struct StoredAction: Equatable {
  let number: Int64
  let steps: [UndoStep]
  /// Its name; nil where its transaction wrote no change.
  let id: ActionID?
}

extension StoredAction {
  /// Reads the columns `id`, `steps`, `node` and `stamp`.
  init(_ row: borrowing Statement) throws(StoreError) {
    self.init(
      number: row.int64(0),
      steps: try [UndoStep](decoding: row.bytes(1)),
      id: row.actionID(2)
    )
  }
}

extension Statement {
  /// Binds the node and the stamp of an action to a parameter and the next one.
  func bind(_ action: ActionID?, at index: Int32) throws(StoreError) {
    try bind(action.map { Int64(bitPattern: $0.node.rawValue) }, at: index)
    try bind(action.map { Int64(bitPattern: $0.stamp.rawValue) }, at: index + 1)
  }

  /// The name of an action, from its node and its stamp in the next column; nil where they are not told.
  func actionID(_ column: Int32) -> ActionID? {
    guard !isNull(column + 1) else { return nil }
    let node = NodeID(UInt64(bitPattern: int64(column)))
    return ActionID(Stamp(rawValue: UInt64(bitPattern: int64(column + 1))), by: node)
  }
}

extension Statement {
  /// Binds the ends of a range to the first two parameters.
  func bind(_ ids: ClosedRange<Int64>) throws(StoreError) {
    try bind(ids.lowerBound, at: 1)
    try bind(ids.upperBound, at: 2)
  }
}

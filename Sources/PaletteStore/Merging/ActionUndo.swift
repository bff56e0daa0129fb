public import PaletteMerge
public import PaletteModel

/// The outcome of undoing or redoing an action.
public struct UndoOutcome: Sendable {
  /// The action that was undone or made again; nil where there was none.
  public internal(set) var action: ActionID?
  /// The records that changed, each once, in the order in which they changed.
  public internal(set) var changed: [RecordID] = []
  private var seen: Set<RecordID> = []
  /// The records left alone, because somebody else's edit, or a newer one, stands there.
  public internal(set) var skipped: [Skipped] = []

  /// Nothing that was changed.
  public init() {}

  /// A register that was left alone; nil stands for the whole record.
  public struct Skipped: Hashable, Sendable {
    /// The record.
    public let record: RecordID
    /// The register.
    public let register: Register?
  }

  /// The number of additions that cannot be undone because they are no longer in the history.
  public internal(set) var forgotten = 0
  /// True if it is recorded how to take back what is done.
  var isRecorded = false
  /// The steps that take it back.
  var steps: [UndoStep] = []

  mutating func change(_ record: RecordID) {
    if seen.insert(record).inserted { changed.append(record) }
  }

  mutating func skip(_ record: RecordID, _ register: Register?) {
    skipped.append(Skipped(record: record, register: register))
  }
}

/// Undoes and redoes what the author of a transaction did in a palette.
package struct ActionUndo {
  private let palette: PaletteWriter

  package init(in palette: PaletteWriter) {
    self.palette = palette
  }

  /// Undoes the author's newest action in the palette; nil when there is none.
  package func undo() throws(StoreError) -> UndoOutcome? { try carryOutAction(isRedo: false) }

  /// Redoes the author's action that was undone last; nil when there is none.
  package func redo() throws(StoreError) -> UndoOutcome? { try carryOutAction(isRedo: true) }

  private func carryOutAction(isRedo: Bool) throws(StoreError) -> UndoOutcome? {
    let action = try palette.undoStack.action(undone: isRedo, in: palette.row)
    guard let action else { return nil }
    var steps = ActionSteps(action, isRedo: isRedo)
    var outcome = UndoOutcome()
    try steps.carryOut(in: palette, &outcome, atMost: .max)
    try steps.finish(in: palette, &outcome)
    return outcome
  }

  /// Undoes steps, the last one first.
  func undo(_ steps: [UndoStep], _ outcome: inout UndoOutcome) throws(StoreError) {
    for step in steps.reversed() {
      switch step {
      case .added(let node, let first, let last):
        for record in try records(addedBy: node, first...last, &outcome).reversed() {
          try hide(record, outcome: &outcome)
        }
      case .wrote(let record, let register, let before, let after):
        try write(before, over: after, register, of: record, outcome: &outcome)
      case .deleted(let record): try bringBack(record, outcome: &outcome)
      case .restored(let record, let place):
        try hideAgain(record, at: place, outcome: &outcome)
      case .began: break
      }
    }
  }

  /// Redoes steps, the first one first.
  func redo(_ steps: [UndoStep], _ outcome: inout UndoOutcome) throws(StoreError) {
    for step in steps {
      switch step {
      case .added(let node, let first, let last):
        for record in try records(addedBy: node, first...last, &outcome) {
          try bringBack(record, outcome: &outcome)
        }
      case .wrote(let record, let register, let before, let after):
        try write(after, over: before, register, of: record, outcome: &outcome)
      case .deleted(let record):
        try hide(record, at: palette.shown(.place, of: record)?.value, outcome: &outcome)
      case .restored(let record, _): try bringBack(record, outcome: &outcome)
      case .began: break
      }
    }
  }

  /// Makes an edit, and records how to take it back where somebody asks for that.
  private func make(_ edit: Edit, _ outcome: inout UndoOutcome) throws(StoreError) {
    if outcome.isRecorded {
      try palette.act(edit, &outcome.steps)
    } else {
      try palette.author(edit)
    }
    outcome.change(edit.record)
  }

  /// Writes a value where the author's own other value stands alone.
  private func write(
    _ value: RegisterValue?,
    over expected: RegisterValue?,
    _ register: Register,
    of record: RecordID,
    outcome: inout UndoOutcome
  ) throws(StoreError) {
    // A note that was never written and an empty one are the same to everybody.
    let value = value ?? RegisterValue(text: "")
    // A write would bring back what somebody removed meanwhile.
    guard try palette.state(of: record).isVisible,
      try isOwn(expected ?? RegisterValue(text: ""), register, of: record)
    else { return outcome.skip(record, register) }
    try make(.set(record, [register: value]), &outcome)
  }

  /// Returns whether a change is the author's own, under any id that it has had.
  private func isOwn(_ node: NodeID) -> Bool {
    palette.parts.identity.ids.author(of: node) == palette.authorID
  }

  /// Returns whether a register shows this value, as the author's own and only one.
  ///
  /// Places resolve silently, so there the shown one decides.
  private func isOwn(
    _ value: RegisterValue,
    _ register: Register,
    of record: RecordID
  ) throws(StoreError) -> Bool {
    let state = try palette.state(of: record)
    guard register == .place || state.values(of: register).count == 1,
      let shown = try palette.shown(register, of: record)
    else { return false }
    return shown.value == value && isOwn(shown.dot.node)
  }

  private func hide(
    _ record: RecordID,
    outcome: inout UndoOutcome
  ) throws(StoreError) {
    let state = try palette.state(of: record)
    guard state.isVisible, state.values.allSatisfy({ isOwn($0.dot.node) })
    else {
      return outcome.skip(record, nil)
    }
    try make(.delete(record), &outcome)
  }

  /// Hides a record again that the author brought back, where nobody else has written to it since.
  ///
  /// What was hidden then may be anybody's; what is not covered was written later.
  private func hideAgain(
    _ record: RecordID,
    at place: RegisterValue,
    outcome: inout UndoOutcome
  ) throws(StoreError) {
    let later = try palette.state(of: record).values.filter { !$0.isCovered }
    guard later.allSatisfy({ isOwn($0.dot.node) }) else {
      return outcome.skip(record, nil)
    }
    try hide(record, at: place, outcome: &outcome)
  }

  private func hide(
    _ record: RecordID,
    at place: RegisterValue?,
    outcome: inout UndoOutcome
  ) throws(StoreError) {
    guard try palette.state(of: record).isVisible, let place, try isOwn(place, .place, of: record)
    else {
      return outcome.skip(record, nil)
    }
    try make(.delete(record), &outcome)
  }

  private func bringBack(
    _ record: RecordID,
    outcome: inout UndoOutcome
  ) throws(StoreError) {
    guard try !palette.state(of: record).isVisible,
      let place = try palette.shown(.place, of: record)
    else {
      return outcome.skip(record, nil)
    }
    try make(.restore(record, [.place: place.value]), &outcome)
  }

  /// The records that were added by changes of one author, as far as these are known.
  private func records(
    addedBy node: NodeID,
    _ sequences: ClosedRange<UInt32>,
    _ outcome: inout UndoOutcome
  ) throws(StoreError) -> [RecordID] {
    var records: [RecordID] = []
    defer { outcome.forgotten += sequences.count - records.count }
    guard let stream = palette.streams[node] else { return [] }
    let select = try palette.database.box(.changeBytes)
    try select.statement.bind(stream.changeNumber(sequences.lowerBound), at: 1)
    try select.statement.bind(stream.changeNumber(sequences.upperBound), at: 2)
    try select.statement.rows { row throws(StoreError) in
      let dot = Dot(node, UInt32(truncatingIfNeeded: row.int64(0)))
      records.append(try ChangeRow.decode(row.changeBytes(1, of: dot), in: palette.id).record)
    }
    return records
  }
}

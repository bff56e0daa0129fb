public import PaletteModel

extension PaletteWriter {
  /// Carries out what a user did in this palette, as one action that can be undone.
  ///
  /// An edit that changes nothing writes nothing.
  ///
  /// - Returns: Whether anything was written.
  @discardableResult
  public func act(_ edits: [Edit]) throws(StoreError) -> Bool {
    var steps: [UndoStep] = []
    records.reserveCapacity(records.count + edits.count)
    facts.reserveCapacity(facts.count + edits.count)
    for edit in edits {
      guard let edit = try effective(edit) else { continue }
      let before = try shownValues(edit)
      let change = try author(edit)
      for step in Self.steps(of: edit, change, before: before) { steps.record(step) }
    }
    guard !steps.isEmpty else { return false }
    try push(steps)
    return true
  }

  /// The edit without writes of what is there already; nil when nothing is left of it.
  ///
  /// Setting a register that has different live values is a write in any case: it decides.
  private func effective(_ edit: Edit) throws(StoreError) -> Edit? {
    switch edit.kind {
    case .add, .restore, .drop: return edit
    case .delete: return try state(of: edit.record).isVisible ? edit : nil
    case .set:
      let state = try state(of: edit.record)
      let values = edit.values.filter { register, value in
        let live = state.values(of: register)
        return live.isEmpty || live.contains { $0.value != value }
      }
      return values.isEmpty ? nil : .set(edit.record, values)
    }
  }

  private func shownValues(_ edit: Edit) throws(StoreError) -> [Register: RegisterValue] {
    guard edit.kind == .set else { return [:] }
    var values: [Register: RegisterValue] = [:]
    for register in edit.values.keys {
      values[register] = try shown(register, of: edit.record)?.value
    }
    return values
  }

  private static func steps(
    of edit: Edit,
    _ change: Change,
    before: [Register: RegisterValue]
  ) -> [UndoStep] {
    switch edit.kind {
    case .add:
      [.added(change.dot.node, first: change.dot.sequence, last: change.dot.sequence)]
    case .set:
      change.writes.map {
        .wrote(edit.record, $0.register, before: before[$0.register], after: $0.value)
      }
    case .delete: [.deleted(edit.record)]
    case .restore: edit.values[.place].map { [.restored(edit.record, $0)] } ?? []
    case .drop: []
    }
  }

  private func push(_ steps: [UndoStep]) throws(StoreError) {
    let clear = try store.box(.clearUndone)
    try clear.statement.bind(row.number, at: 1)
    try clear.statement.run()
    let insert = try store.box(.insertAction)
    try insert.statement.bind(row.number, at: 1)
    try insert.statement.bind(steps.encoded, at: 2)
    let number = try insert.statement.row { $0.int64(0) } ?? 0
    // Finding the thousandth takes longer than writing one.
    if number % 64 == 0 { try trimActions() }
  }

  /// Forgets actions beyond the newest thousand, more or less: nobody undoes that far, and stacks
  /// must end.
  private func trimActions() throws(StoreError) {
    let trim = try store.box(.trimActions)
    try trim.statement.bind(row.number, at: 1)
    try trim.statement.run()
  }
}

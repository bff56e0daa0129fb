import PaletteMerge
import PaletteModel

/// A record as its rows shall have it.
struct RecordRowBuilder {
  private let values: [LiveValue]
  /// For each known register, which of the values is shown; -1 for none.
  private var shown = Register.PerKnown<Int>(repeating: -1)
  private var shownCount = 0
  private(set) var flags: RecordFlags = []

  /// The record's share of its palette's number of colors.
  var listed: Int { flags.listedColors }
  /// The place that is shown.
  var place: Place? {
    shownValue(.place)?.value.placeBytes.flatMap { Place(bytes: $0) }
  }
  /// The record's share of its palette's number of conflicts.
  var conflicts: Int { flags.countedConflicts }

  init(
    _ state: RecordState,
    isPalette: Bool,
    facts: (Dot) throws(StoreError) -> ChangeFacts
  ) throws(StoreError) {
    values = state.values
    if !showAll() {
      for index in shown.indices {
        let register = Register(knownIndex: index)
        shown[index] = try state.shownIndex(register, facts: facts) ?? -1
      }
    }
    for index in shown.indices where shown[index] >= 0 {
      shownCount += 1
      if values[shown[index]].isCovered { flags.insert(.covered(index)) }
    }
    if shownCount < values.count { flags.insert(.hasSiblings) }
    if isPalette { flags.insert(.isPalette) }
    let isVisible = state.isVisible
    if !isVisible { flags.insert(.isDeleted) }
    // A name, a color and a place.
    let isComplete = shown[0] >= 0 && shown[1] >= 0 && shown[2] >= 0
    let isHidden = !isVisible || !isPalette && !isComplete
    if isHidden { flags.insert(.isHidden) }
    // Without siblings there is nothing to be in conflict with.
    if shownCount < values.count {
      state.forEachConflict { register in
        if let index = register.knownIndex { flags.insert(.conflict(index)) }
      }
    }
  }

  /// Shows every value; false when two are of one register, or one of none that is known.
  private mutating func showAll() -> Bool {
    for index in values.indices {
      guard let register = values[index].register.knownIndex, shown[register] < 0 else {
        return false
      }
      shown[register] = index
    }
    return true
  }

  /// The shown values of the record, as reading its rows would give them.
  func shownRecord(_ id: RecordID) -> ShownRecord? {
    guard !values.isEmpty else { return nil }
    var shown = Register.PerKnown<RegisterValue?>(repeating: nil)
    for index in shown.indices { shown[index] = shownValue(index)?.value }
    return ShownRecord(id, flags, shown, seen: RecordState(values: values).seen)
  }

  /// Writes the rows of a record, that of the table of records together with others.
  func write(
    _ id: RecordID,
    replacing old: StoredRecord,
    with rows: inout RecordRows,
    in table: RecordTable
  ) throws(StoreError) {
    if old.hasSiblings {
      let delete = try table.database.box(.deleteSiblings)
      try delete.statement.bind(table.number, at: 1)
      try delete.statement.bind(id, at: 2)
      try delete.statement.run()
    }
    if shownCount < values.count {
      for index in values.indices where !isShown(index) {
        rows.add(values[index], of: id, in: table)
      }
      try rows.writeSiblings(in: table, all: false)
    }
    if values.isEmpty {
      guard old.hasRow else { return }
      let delete = try table.database.box(.deleteRecord)
      try delete.statement.bind(table.number, at: 1)
      try delete.statement.bind(id, at: 2)
      return try delete.statement.run()
    }
    try rows.add(id, self, replacing: old, in: table)
  }

  private func isShown(_ index: Int) -> Bool {
    values[index].register.knownIndex.map { shown[$0] == index } ?? false
  }

  /// The value of a register that is shown.
  func shownValue(_ register: Register) -> LiveValue? { register.knownIndex.flatMap(shownValue) }

  /// The shown value of the register at an index of `Register.known`.
  func shownValue(_ index: Int) -> LiveValue? { shown[index] < 0 ? nil : values[shown[index]] }
}

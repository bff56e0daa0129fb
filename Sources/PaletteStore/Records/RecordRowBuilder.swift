import PaletteMerge
import PaletteModel

/// A record as its rows shall have it.
struct RecordRowBuilder {
  private let values: [LiveValue]
  /// For each known register, which of the values is shown; -1 for none.
  private var shown = [4 of Int](repeating: -1)
  private var shownCount = 0
  private(set) var flags: RecordFlags = []

  /// The record's share of its palette's number of colors.
  var listed: Int { flags.listedColors }
  /// The place that is shown.
  var place: Place? {
    value(.place)?.placeBytes.flatMap { Place(bytes: $0) }
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
      shown = [4 of Int](repeating: -1)
      for number in 0..<4 {
        let register = Register(rawValue: UInt16(number))
        if let index = try state.shownIndex(register, facts: facts) { shown[number] = index }
      }
    }
    for number in 0..<4 where shown[number] >= 0 {
      let register = Register(rawValue: UInt16(number))
      shownCount += 1
      if values[shown[number]].isCovered { flags.insert(.covered(register)) }
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
      state.forEachConflict { flags.insert(.conflict($0)) }
    }
  }

  /// Shows every value; false when two are of one register, or one of none that is known.
  private mutating func showAll() -> Bool {
    for index in values.indices {
      let register = values[index].register
      guard register.isKnown, shown[Int(register.rawValue)] < 0 else { return false }
      shown[Int(register.rawValue)] = index
    }
    return true
  }

  /// The shown values of the record, as reading its rows would give them.
  func shownRecord(_ id: RecordID) -> ShownRecord? {
    guard !values.isEmpty else { return nil }
    return ShownRecord(
      id,
      flags,
      name: value(.name)?.text,
      color: value(.color)?.color,
      place: place,
      note: value(.note)?.text,
      seen: RecordState(values: values).seen
    )
  }

  private func value(_ register: Register) -> RegisterValue? { shownValue(register)?.value }

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
    let register = values[index].register
    return register.isKnown && shown[Int(register.rawValue)] == index
  }

  /// The value of a known register that is shown.
  func shownValue(_ register: Register) -> LiveValue? {
    let index = shown[Int(register.rawValue)]
    return index < 0 ? nil : values[index]
  }
}

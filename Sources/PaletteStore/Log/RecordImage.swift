import PaletteModel

/// A record as its rows shall have it.
struct RecordImage {
  private let values: [LiveValue]
  /// For each known register, which of the values is shown; -1 for none.
  private var shown = [4 of Int](repeating: -1)
  private var shownCount = 0
  private var flags: RecordFlags = []

  /// What the record adds to its palette's number of colors.
  var listed: Int { flags.listedColors }
  /// The place that is shown.
  var place: Place? {
    value(.place)?.placeBytes.flatMap { Place(bytes: $0) }
  }
  /// What the record adds to its palette's number of conflicts.
  var conflicts: Int { flags.countedConflicts }

  init(
    _ state: RecordState,
    isPalette: Bool,
    facts: (Dot) throws(StoreError) -> ChangeFacts
  ) throws(StoreError) {
    values = state.values
    for number in 0..<4 {
      let register = Register(rawValue: UInt16(number))
      guard let index = try state.shownIndex(register, facts: facts) else { continue }
      shown[number] = index
      shownCount += 1
      if values[index].isCovered { flags.insert(.covered(register)) }
    }
    if shownCount < values.count { flags.insert(.hasSiblings) }
    if isPalette { flags.insert(.isPalette) }
    if !state.isVisible { flags.insert(.isDeleted) }
    let isHidden = !state.isVisible || !isPalette && !state.isComplete
    if isHidden { flags.insert(.isHidden) }
    // Without siblings there is nothing to be in conflict with.
    if shownCount < values.count {
      for register in state.conflicts { flags.insert(.conflict(register)) }
    }
  }

  /// What is shown of the record, as reading its rows would give it.
  func shownRecord(_ id: RecordID) -> ShownRecord? {
    guard !values.isEmpty else { return nil }
    return ShownRecord(
      id,
      flags,
      name: value(.name)?.text,
      color: value(.color)?.color,
      place: place,
      note: value(.note)?.text
    )
  }

  private func value(_ register: Register) -> RegisterValue? {
    let index = shown[Int(register.rawValue)]
    return index < 0 ? nil : values[index].value
  }

  /// Writes the rows of a record.
  func write(
    _ id: RecordID,
    replacing old: StoredRecord,
    in palette: PaletteWriter
  ) throws(StoreError) {
    if old.hasSiblings {
      let delete = try palette.store.box(.deleteSiblings)
      try delete.statement.bind(palette.row.number, at: 1)
      try delete.statement.bind(id, at: 2)
      try delete.statement.run()
    }
    if shownCount < values.count {
      for index in values.indices where !isShown(index) {
        try insert(values[index], id, in: palette)
      }
    }
    if values.isEmpty {
      guard old.hasRow else { return }
      let delete = try palette.store.box(.deleteRecord)
      try delete.statement.bind(palette.row.number, at: 1)
      try delete.statement.bind(id, at: 2)
      return try delete.statement.run()
    }
    let write = try palette.store.box(old.hasRow ? .updateRecord : .insertRecord)
    try bind(id, to: write, in: palette)
    try write.statement.run()
  }

  private func isShown(_ index: Int) -> Bool {
    let register = values[index].register
    return register.isKnown && shown[Int(register.rawValue)] == index
  }

  private func bind(
    _ id: RecordID,
    to box: PreparedQueries.Box,
    in palette: PaletteWriter
  ) throws(StoreError) {
    try box.statement.bind(palette.row.number, at: 1)
    try box.statement.bind(id, at: 2)
    try box.statement.bind(flags.rawValue, at: 3)
    for number in 0..<4 {
      try bind(Register(rawValue: UInt16(number)), to: box, in: palette)
    }
  }

  /// Binds the shown value of a register and its dot, or NULL for both.
  private func bind(
    _ register: Register,
    to box: PreparedQueries.Box,
    in palette: PaletteWriter
  ) throws(StoreError) {
    let columns = RecordColumns(register)
    let index = shown[Int(register.rawValue)]
    guard index >= 0 else {
      try box.statement.bindNull(at: columns.value)
      return try box.statement.bindNull(at: columns.dot)
    }
    try box.statement.bind(palette.valueNumber(of: values[index].dot), at: columns.dot)
    try values[index].value.withEncoded { (item) throws(StoreError) in
      try box.statement.bind(item, as: register, at: columns.value)
    }
  }

  private func insert(
    _ value: LiveValue,
    _ id: RecordID,
    in palette: PaletteWriter
  ) throws(StoreError) {
    let insert = try palette.store.box(.insertSibling)
    try insert.statement.bind(palette.row.number, at: 1)
    try insert.statement.bind(id, at: 2)
    try insert.statement.bind(Int64(value.register.rawValue), at: 3)
    try insert.statement.bind(palette.valueNumber(of: value.dot), at: 4)
    try insert.statement.bind(value.isCovered ? 1 : Int64(0), at: 5)
    try insert.statement.bind(value.value.encoded, at: 6)
    try insert.statement.run()
  }
}

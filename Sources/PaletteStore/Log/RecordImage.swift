import PaletteModel

/// A record as its rows shall have it.
struct RecordImage {
  private var shown: [Register: LiveValue] = [:]
  private var others: [LiveValue] = []
  private var flags: RecordFlags = []

  /// What the record adds to its palette's number of colors.
  var listed: Int { flags.listedColors }
  /// The place that is shown.
  var place: Place? { shown[.place]?.value.placeBytes.flatMap { Place(bytes: $0) } }
  /// What the record adds to its palette's number of conflicts.
  var conflicts: Int { flags.countedConflicts }

  init(
    _ state: RecordState,
    isPalette: Bool,
    facts: (Dot) throws(StoreError) -> ChangeFacts
  ) throws(StoreError) {
    for register in Register.known {
      guard let value = try state.shown(register, facts: facts) else { continue }
      shown[register] = value
      if value.isCovered { flags.insert(.covered(register)) }
    }
    others = state.values.filter { shown[$0.register]?.dot != $0.dot }
    if !others.isEmpty { flags.insert(.hasSiblings) }
    if isPalette { flags.insert(.isPalette) }
    if !state.isVisible { flags.insert(.isDeleted) }
    let isHidden = !state.isVisible || !isPalette && !state.isComplete
    if isHidden { flags.insert(.isHidden) }
    for register in state.conflicts { flags.insert(.conflict(register)) }
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
    for value in others { try insert(value, id, in: palette) }
    if shown.isEmpty && others.isEmpty {
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

  private func bind(
    _ id: RecordID,
    to box: PreparedQueries.Box,
    in palette: PaletteWriter
  ) throws(StoreError) {
    try box.statement.bind(palette.row.number, at: 1)
    try box.statement.bind(id, at: 2)
    try box.statement.bind(flags.rawValue, at: 3)
    try box.statement.bind(shown[.place]?.value.placeBytes, at: 4)
    try box.statement.bind(shown[.color]?.value.encoded, at: 5)
    try box.statement.bind(shown[.name]?.value.text, at: 6)
    try box.statement.bind(shown[.note]?.value.text, at: 7)
    for (offset, register) in [Register.place, .color, .name, .note].enumerated() {
      let number = shown[register].flatMap { palette.streams.changeNumber($0.dot) }
      try box.statement.bind(number, at: Int32(8 + offset))
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
    try insert.statement.bind(palette.streams.changeNumber(value.dot), at: 4)
    try insert.statement.bind(value.isCovered ? 1 : Int64(0), at: 5)
    try insert.statement.bind(value.value.encoded, at: 6)
    try insert.statement.run()
  }
}

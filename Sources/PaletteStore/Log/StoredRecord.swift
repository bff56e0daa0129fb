import PaletteModel

/// A record as its rows have it, and as a transaction alters it.
struct StoredRecord {
  var state: RecordState
  /// Whether the state differs from the rows.
  var isChanged = false
  /// Whether there is a row.
  var hasRow = false
  /// Whether there are sibling rows.
  var hasSiblings = false
  /// 1 when the rows list it as a color, else 0.
  var listed = 0
  /// How many registers are in conflict by the rows.
  var conflicts = 0
}

extension ChangeStore {
  /// Reads a record's rows.
  func storedRecord(
    _ id: RecordID,
    in palette: PaletteRow,
    _ streams: StreamTable
  ) throws(StoreError) -> StoredRecord {
    let select = try box(.record)
    try select.statement.bind(palette.number, at: 1)
    try select.statement.bind(id, at: 2)
    defer { select.statement.reset() }
    guard try select.statement.step() else { return StoredRecord(state: RecordState()) }
    return try storedRecord(id, select, in: palette, streams)
  }

  /// Reads a record of whose row the first columns of a statement are, as `Query.record` has them.
  func storedRecord(
    _ id: RecordID,
    _ row: PreparedQueries.Box,
    in palette: PaletteRow,
    _ streams: StreamTable
  ) throws(StoreError) -> StoredRecord {
    let flags = RecordFlags(rawValue: row.statement.int64(0))
    var record = StoredRecord(state: RecordState(), hasRow: true)
    record.hasSiblings = flags.contains(.hasSiblings)
    record.listed = flags.listedColors
    record.conflicts = flags.countedConflicts
    var values = try row.statement.shownValues(flags, streams)
    if record.hasSiblings {
      let select = try box(.siblings)
      try select.statement.bind(palette.number, at: 1)
      try select.statement.bind(id, at: 2)
      try select.statement.rows { row throws(StoreError) in
        values.append(
          LiveValue(
            register: Register(rawValue: UInt16(truncatingIfNeeded: row.int64(0))),
            dot: try streams.dot(ofValue: row.int64(1)),
            isCovered: row.int64(2) != 0,
            value: row.withBytes(3) { RegisterValue(encoded: $0) }
          )
        )
      }
      values.sort { ($0.register, $0.dot) < ($1.register, $1.dot) }
    }
    record.state = RecordState(values: values)
    return record
  }

  /// The bytes of a change; nil when it is not held, or compacted away.
  func changeBytes(_ dot: Dot, _ streams: StreamTable) throws(StoreError) -> [UInt8]? {
    guard let number = streams.changeNumber(dot) else { return nil }
    let select = try box(.changeRow)
    try select.statement.bind(number, at: 1)
    return try select.statement.row { $0.changeBytes(0, of: dot) }
  }
}

extension Statement {
  /// The values that a record's row shows, from the columns of `Query.record`.
  fileprivate func shownValues(
    _ flags: RecordFlags,
    _ streams: StreamTable
  ) throws(StoreError) -> [LiveValue] {
    var values: [LiveValue] = []
    values.reserveCapacity(4)
    func append(_ register: Register, _ dotColumn: Int32, _ value: RegisterValue) throws(StoreError)
    {
      values.append(
        LiveValue(
          register: register,
          dot: try streams.dot(ofValue: int64(dotColumn)),
          isCovered: flags.contains(.covered(register)),
          value: value
        )
      )
    }
    if !isNull(7) { try append(.name, 7, withBytes(3) { RegisterValue(textBytes: $0) }) }
    if !isNull(6) { try append(.color, 6, withBytes(2) { RegisterValue(encoded: $0) }) }
    if !isNull(5) { try append(.place, 5, withBytes(1) { RegisterValue(placeBytes: $0) }) }
    if !isNull(8) { try append(.note, 8, withBytes(4) { RegisterValue(textBytes: $0) }) }
    return values
  }
}

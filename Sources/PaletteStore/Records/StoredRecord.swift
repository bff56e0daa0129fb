import PaletteMerge
import PaletteModel

/// A record as its rows have it, and as a transaction alters it.
struct StoredRecord {
  var state: RecordState
  /// True if the state differs from the rows.
  var isChanged = false
  /// True if there is a row.
  var hasRow = false
  /// The way in which its row was found.
  var reach = Reach.alone
  /// True if there are sibling rows.
  var hasSiblings = false
  /// 1 when the rows list it as a color, else 0.
  var listed = 0
  /// The number of registers that are in conflict by the rows.
  var conflicts = 0

  /// The way in which a row was found when records were read.
  enum Reach {
    /// It was asked for by itself.
    case alone
    /// It begins a stretch of the table of which many rows were asked for.
    case first
    /// It comes at most a few rows after another one that was asked for.
    case next
  }
}

extension StoredRecord {
  /// Reads a record's rows.
  init(
    _ id: RecordID,
    of palette: PaletteRow,
    _ streams: StreamTable,
    in database: StoreDatabase
  ) throws(StoreError) {
    self.init(state: RecordState())
    let select = try database.box(.record)
    try select.statement.bind(palette.number, at: 1)
    try select.statement.bind(id, at: 2)
    defer { select.statement.reset() }
    guard try select.statement.step() else { return }
    try read(id, select, of: palette, streams, in: database)
  }

  /// Reads a record of whose row the first columns of a statement are, as `Query.record` has them.
  init(
    _ id: RecordID,
    row: PreparedQueries.Box,
    of palette: PaletteRow,
    _ streams: StreamTable,
    in database: StoreDatabase
  ) throws(StoreError) {
    self.init(state: RecordState())
    try read(id, row, of: palette, streams, in: database)
  }

  private mutating func read(
    _ id: RecordID,
    _ row: PreparedQueries.Box,
    of palette: PaletteRow,
    _ streams: StreamTable,
    in database: StoreDatabase
  ) throws(StoreError) {
    let flags = RecordFlags(rawValue: row.statement.int64(0))
    hasRow = true
    hasSiblings = flags.contains(.hasSiblings)
    listed = flags.listedColors
    conflicts = flags.countedConflicts
    var values = try row.statement.shownValues(flags, streams)
    if hasSiblings {
      let select = try database.box(.siblings)
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
    state = RecordState(values: values)
  }
}

extension Statement {
  /// The values that a record's row shows, from the columns of `Query.record`.
  fileprivate func shownValues(
    _ flags: RecordFlags,
    _ streams: StreamTable
  ) throws(StoreError) -> [LiveValue] {
    var dots = Register.PerKnown<Int64>(repeating: 0)
    var count = 0
    for index in dots.indices {
      dots[index] = int64(SelectedColumns.firstDot + Int32(index))
      // A dot is never 0, which is what NULL reads as.
      if dots[index] != 0 { count += 1 }
    }
    var values: [LiveValue] = []
    values.reserveCapacity(count)
    for index in dots.indices where dots[index] != 0 {
      let register = Register(knownIndex: index)
      values.append(
        LiveValue(
          register: register,
          dot: try streams.dot(ofValue: dots[index]),
          isCovered: flags.contains(.covered(index)),
          value: value(of: register, at: SelectedColumns.value(register))
        )
      )
    }
    return values
  }
}

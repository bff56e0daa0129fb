import PaletteMerge
import PaletteModel

/// Writes changes into a palette of which nothing is held: there is nothing to compare with, so every
/// row is written once, in the order of the tables, from the bytes as they came.
struct RowLoader {
  private let staged: StagedChanges
  private let table: RecordTable
  /// The facts about the changes, for those who ask later.
  private let facts: FactTable
  /// The numbers of the authors' streams.
  private let streams: [Int64]
  /// The rows of each record: the first one, and for each the next.
  private var first: [Int32]
  private var next: [Int32]
  private var highestPlace: [UInt8] = []
  private var digest = Digest.zero
  private var colors = 0
  /// Rows that are inserted together with the next ones.
  private var pending: [Row] = []

  /// A row of the table of records.
  private struct Row {
    let id: RecordID
    let flags: RecordFlags
    let shown: Register.PerKnown<Shown?>
  }

  /// The shown value of one register.
  private struct Shown {
    let row: Int
    let item: UnsafeRawBufferPointer
  }

  init(_ staged: StagedChanges, in table: RecordTable, _ facts: FactTable) {
    self.staged = staged
    self.table = table
    self.facts = facts
    streams = staged.authors.map { table.streams[$0]?.number ?? 0 }
    first = [Int32](repeating: -1, count: staged.records.count)
    next = [Int32](repeating: -1, count: staged.rows.count)
    for index in staged.rows.indices.reversed() {
      let record = Int(staged.rows[index].record)
      next[index] = first[record]
      first[record] = Int32(index)
    }
  }

  func insertChanges() throws(StoreError) {
    let first = table.palette.row.arrivals
    try staged.bytes.withUnsafeBufferPointer { buffer throws(StoreError) in
      let bytes = UnsafeRawBufferPointer(buffer)
      var next = 0
      while next < staged.rows.count {
        let count = Query.rowsAtOnce(of: staged.rows.count - next)
        let insert = try table.database.box(
          Query.inserting(count, .insertChange, .insertFewChanges, .insertChanges)
        )
        defer { insert.statement.clearBindings() }
        for offset in 0..<count {
          let row = staged.rows[next + offset]
          let column = Int32(3 * offset)
          let number = streams[Int(row.author)] << 32 | Int64(row.sequence)
          try insert.statement.bind(number, at: column + 1)
          try insert.statement.bind(first + Int64(next + offset), at: column + 2)
          let rest = row.range.dropFirst(ChangeRow.headCount(of: staged.dot(of: row)))
          let change = UnsafeRawBufferPointer(rebasing: bytes[rest])
          try insert.statement.bind(lent: change, at: column + 3)
        }
        try insert.statement.run()
        next += count
      }
    }
    table.palette.skipArrivals(to: first + Int64(staged.rows.count))
  }

  mutating func insertRecords() throws(StoreError) {
    pending.reserveCapacity(min(Query.rowsAtOnce, staged.records.count))
    let staged = staged
    try staged.bytes.withUnsafeBufferPointer { buffer throws(StoreError) in
      try staged.rows.withUnsafeBufferPointer { rows throws(StoreError) in
        let bytes = UnsafeRawBufferPointer(buffer)
        for record in staged.order {
          try addRecord(Int(record), rows, bytes)
          if pending.count == Query.rowsAtOnce { try writePending(rows) }
        }
        while !pending.isEmpty { try writePending(rows) }
      }
    }
    table.palette.add(digest)
    table.palette.count(colors: colors)
    if !highestPlace.isEmpty {
      table.palette.raiseBound(to: RegisterValue(placeBytes: highestPlace))
    }
  }

  /// Writes as many of the rows that wait as one statement takes.
  private mutating func writePending(
    _ rows: UnsafeBufferPointer<StagedChanges.Row>
  ) throws(StoreError) {
    let count = Query.rowsAtOnce(of: pending.count)
    let insert = try table.database.box(
      Query.inserting(count, .insertRecord, .insertFewRecords, .insertRecords)
    )
    defer { insert.statement.clearBindings() }
    for index in 0..<count {
      try bind(pending[index], rows, after: Int32(index * RecordColumns.count), to: insert)
    }
    try insert.statement.run()
    pending.removeFirst(count)
  }

  /// The number that `StreamTable.valueNumber` gives for a row's change.
  private func valueNumber(of row: StagedChanges.Row) -> Int64 {
    let stream = streams[Int(row.author)]
    let isShort = stream < 16 && row.sequence < 1 << 28
    return isShort ? Int64(row.sequence) << 4 | stream : stream << 32 | Int64(row.sequence)
  }

  private mutating func addRecord(
    _ record: Int,
    _ rows: UnsafeBufferPointer<StagedChanges.Row>,
    _ bytes: UnsafeRawBufferPointer
  ) throws(StoreError) {
    var shown = Register.PerKnown<Shown?>(repeating: nil)
    var isVisible = false
    var isSimple = true
    var flags: RecordFlags = []
    var added = Digest.zero
    var index = Int(first[record])
    while index >= 0 {
      let row = rows[index]
      if !staged.unknown.isEmpty, staged.unknown[index] != nil { isSimple = false }
      let values = row.values(in: bytes)
      for register in values.indices where row.live >> UInt8(register) & 1 != 0 {
        guard let item = values[register] else { continue }
        if shown[register] != nil { isSimple = false }
        shown[register] = Shown(row: index, item: item)
        if row.isCovered { flags.insert(.covered(register)) } else { isVisible = true }
        added += Digest(row.hash, Register(knownIndex: register), covered: row.isCovered)
      }
      index = Int(next[index])
    }
    guard isSimple else { return try insertJoined(record) }
    digest += added
    let id = staged.records[record]
    let isPalette = table.isPalette(id)
    let isComplete = shown[0] != nil && shown[1] != nil && shown[2] != nil
    if isPalette { flags.insert(.isPalette) }
    if !isVisible { flags.insert(.isDeleted) }
    if !isVisible || !isPalette && !isComplete { flags.insert(.isHidden) }
    colors += flags.listedColors
    pending.append(Row(id: id, flags: flags, shown: shown))
  }

  /// Binds the parameters of one row, which begin after another.
  private mutating func bind(
    _ row: Row,
    _ rows: UnsafeBufferPointer<StagedChanges.Row>,
    after parameter: Int32,
    to insert: PreparedQueries.Box
  ) throws(StoreError) {
    try insert.statement.bind(table.number, at: parameter + 1)
    try insert.statement.bind(row.id, at: parameter + 2)
    try insert.statement.bind(row.flags.rawValue, at: parameter + 3)
    for index in row.shown.indices {
      let register = Register(knownIndex: index)
      let columns = RecordColumns(register)
      let column = parameter + columns.value
      guard let value = row.shown[index] else {
        try insert.statement.bindNull(at: column)
        try insert.statement.bindNull(at: parameter + columns.dot)
        continue
      }
      try insert.statement.bind(
        valueNumber(of: rows[value.row]),
        at: parameter + columns.dot
      )
      switch register {
      case .color: try insert.statement.bind(lent: value.item, at: column)
      case .place:
        let place = value.item.contentOfItem
        raiseHighestPlace(to: place)
        try insert.statement.bind(lent: place, at: column)
      default: try insert.statement.bind(lentText: value.item.contentOfItem, at: column)
      }
    }
  }

  private mutating func raiseHighestPlace(to place: UnsafeRawBufferPointer) {
    if highestPlace.lexicographicallyPrecedes(place) { highestPlace = Array(place) }
  }

  /// Writes a record with several live values of a register, or registers that packed rows do not know.
  private mutating func insertJoined(_ record: Int) throws(StoreError) {
    var state = RecordState()
    var index = Int(first[record])
    while index >= 0 {
      let row = staged.rows[index]
      let change = try ChangeRow.decode(
        Array(staged.bytes[row.range]),
        in: table.palette.row.id
      )
      facts.put(ChangeFacts(stamp: change.stamp, hash: row.hash), for: change.dot)
      let unknown = staged.unknown[index] ?? []
      for write in change.writes
      where row.live & write.register.bit != 0 || unknown.contains(write.register) {
        state.insert(
          LiveValue(
            register: write.register,
            dot: change.dot,
            isCovered: row.isCovered,
            value: write.value
          )
        )
        table.palette.add(Digest(row.hash, write.register, covered: row.isCovered))
        if let place = write.register == .place ? write.value.placeBytes : nil {
          place.withUnsafeBytes { raiseHighestPlace(to: $0) }
        }
      }
      index = Int(next[index])
    }
    let id = staged.records[record]
    let image = try RecordRowBuilder(state, isPalette: table.isPalette(id)) {
      dot throws(StoreError) in try known(dot)
    }
    table.palette.count(colors: image.listed, conflicts: image.conflicts)
    var rows = RecordRows()
    try image.write(id, replacing: StoredRecord(state: RecordState()), with: &rows, in: table)
    try rows.writeAll(in: table)
  }

  /// Stamp and hash of a change that was put among the facts.
  private func known(_ dot: Dot) throws(StoreError) -> ChangeFacts {
    guard let known = facts[dot] else {
      throw StoreError(code: .corrupt, message: "the change \(dot) of a live value is missing")
    }
    return known
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes of a CBOR text or byte string that is known to be one.
  fileprivate var contentOfItem: UnsafeRawBufferPointer {
    guard let head = first else { return self }
    let headBytes = head & 31 < 24 ? 1 : 1 + (1 << Int(head & 31 - 24))
    return UnsafeRawBufferPointer(rebasing: self[Swift.min(headBytes, count)...])
  }
}

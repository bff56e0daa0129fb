import PaletteMerge
import PaletteModel

/// Rows of records on their way into the tables, many with one statement: those of the table of
/// records, whether they are there already or not, and new ones of siblings.
struct RecordRows {
  private struct Sibling {
    let id: RecordID
    let value: LiveValue
    let dot: Int64
  }

  private var replaced = RecordBatch()
  /// Rows that are there already and change where they are, in the order of the table.
  private var walked = RecordBatch()
  /// The beginnings of the stretches of the table in `walked`.
  private var stretches: [Int] = []
  private var siblings: [Sibling] = []

  /// The number of rows that wait to be walked to: more would not stay in the processor's cache
  /// until then, and before a statement calls functions and alters many rows, SQLite copies their
  /// pages, to a file when they are more than 64 KiB.
  private static let rowsWalked = 256

  /// Adds a row of the table of records, and writes those that wait when there are enough.
  ///
  /// Records are added in the order of their ids.
  mutating func add(
    _ id: RecordID,
    _ image: RecordRowBuilder,
    replacing old: StoredRecord,
    in table: RecordTable
  ) throws(StoreError) {
    guard old.hasRow, old.reach != .alone else {
      replaced.add(id, image, in: table)
      if replaced.count == Query.rowsAtOnce { try replace(in: table) }
      return
    }
    if old.reach == .first || walked.isEmpty { stretches.append(walked.count) }
    walked.add(id, image, in: table)
    if walked.count == Self.rowsWalked { try walk(in: table) }
  }

  /// Adds a live value that is not shown.
  mutating func add(_ value: LiveValue, of id: RecordID, in table: RecordTable) {
    siblings.append(Sibling(id: id, value: value, dot: table.valueNumber(of: value.dot)))
  }

  /// Writes the rows of siblings, as many as one statement takes, or all that are left.
  mutating func writeSiblings(in table: RecordTable, all: Bool) throws(StoreError) {
    while siblings.count >= (all ? 1 : Query.rowsAtOnce) {
      let count = siblings.count < Query.rowsAtOnce ? 1 : Query.rowsAtOnce
      let insert = try table.database.box(count == 1 ? .insertSibling : .insertSiblings)
      for offset in 0..<count {
        let (sibling, parameter) = (siblings[offset], Int32(6 * offset))
        try insert.statement.bind(table.number, at: parameter + 1)
        try insert.statement.bind(sibling.id, at: parameter + 2)
        try insert.statement.bind(Int64(sibling.value.register.rawValue), at: parameter + 3)
        try insert.statement.bind(sibling.dot, at: parameter + 4)
        try insert.statement.bind(sibling.value.isCovered ? 1 : Int64(0), at: parameter + 5)
        try sibling.value.value.withEncoded { (item) throws(StoreError) in
          try insert.statement.bind(item, at: parameter + 6)
        }
      }
      try insert.statement.run()
      siblings.removeFirst(count)
    }
  }

  /// Writes all rows.
  mutating func writeAll(in table: RecordTable) throws(StoreError) {
    try writeSiblings(in: table, all: true)
    try replace(in: table)
    try walk(in: table)
  }

  /// Replaces the rows that wait for it, all at once or one by one.
  private mutating func replace(in table: RecordTable) throws(StoreError) {
    let isFull = replaced.count == Query.rowsAtOnce
    let count = isFull ? Query.rowsAtOnce : 1
    let replace = try table.database.box(isFull ? .replaceRecords : .replaceRecord)
    try replaced.withRows { (rows, bytes) throws(StoreError) in
      for first in stride(from: 0, to: rows.count, by: count) {
        for offset in 0..<count {
          let parameter = Int32(offset * RecordColumns.count)
          try replace.statement.bind(table.number, at: parameter + 1)
          try Self.bind(rows[first + offset], bytes, after: parameter, to: replace)
        }
        try replace.statement.run()
      }
    }
    replaced.removeAll()
  }

  /// Alters the rows that wait for it, on one walk through each stretch of the table.
  private mutating func walk(in table: RecordTable) throws(StoreError) {
    guard !walked.isEmpty else { return }
    try table.functions.recordFeed().lend(walked) { (rows) throws(StoreError) in
      let update = try table.database.box(.updateRecords)
      try update.statement.bind(table.number, at: 1)
      for (start, end) in zip(stretches, stretches.dropFirst() + [rows.count]) {
        try update.statement.bind(rows[start].id, at: 2)
        try update.statement.bind(rows[end - 1].id, at: 3)
        try update.statement.run()
        guard table.database.connection.changes == end - start else {
          throw StoreError(code: .corrupt, message: "a record that was read is not there any more")
        }
      }
    }
    walked.removeAll()
    stretches.removeAll(keepingCapacity: true)
  }

  /// Binds the parameters of a row behind its first one.
  private static func bind(
    _ row: RecordRow,
    _ bytes: UnsafeRawBufferPointer,
    after parameter: Int32,
    to box: PreparedQueries.Box
  ) throws(StoreError) {
    try box.statement.bind(row.id, at: parameter + 2)
    try box.statement.bind(row.flags.rawValue, at: parameter + 3)
    for index in row.cells.indices {
      let register = Register(knownIndex: index)
      let columns = RecordColumns(register)
      guard let cell = row.cells[index] else {
        try box.statement.bindNull(at: parameter + columns.value)
        try box.statement.bindNull(at: parameter + columns.dot)
        continue
      }
      let item = UnsafeRawBufferPointer(rebasing: bytes[cell.item])
      try box.statement.bind(cell.dot, at: parameter + columns.dot)
      try box.statement.bind(lent: item, as: register, at: parameter + columns.value)
    }
  }
}

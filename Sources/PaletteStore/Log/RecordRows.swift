import PaletteModel

/// Rows of records that one statement writes: those of the table of records, whether they are there
/// already or not, and new ones of siblings.
struct RecordRows {
  private struct Row {
    let id: RecordID
    let flags: RecordFlags
    var cells = [4 of Cell?](repeating: nil)
  }

  /// The shown value of a register.
  private struct Cell {
    let dot: Int64
    let item: Range<Int>
  }

  private struct Sibling {
    let id: RecordID
    let value: LiveValue
    let dot: Int64
  }

  private var rows: [Row] = []
  /// The values, one after the other.
  private var bytes: [UInt8] = []
  private var siblings: [Sibling] = []

  var isFull: Bool { rows.count == Query.rowsAtOnce }

  mutating func add(_ id: RecordID, _ image: RecordImage, in palette: PaletteWriter) {
    var row = Row(id: id, flags: image.flags)
    for number in 0..<4 {
      guard let value = image.shownValue(number) else { continue }
      let start = bytes.count
      value.value.withEncoded { bytes.append(contentsOf: $0) }
      row.cells[number] = Cell(
        dot: palette.valueNumber(of: value.dot),
        item: start..<bytes.count
      )
    }
    rows.append(row)
  }

  /// Adds a live value that is not shown.
  mutating func add(_ value: LiveValue, of id: RecordID, in palette: PaletteWriter) {
    siblings.append(Sibling(id: id, value: value, dot: palette.valueNumber(of: value.dot)))
  }

  /// Writes the rows of siblings, as many as one statement takes, or all that are left.
  mutating func writeSiblings(in palette: PaletteWriter, all: Bool) throws(StoreError) {
    while siblings.count >= (all ? 1 : Query.rowsAtOnce) {
      let count = siblings.count < Query.rowsAtOnce ? 1 : Query.rowsAtOnce
      let insert = try palette.store.box(count == 1 ? .insertSibling : .insertSiblings)
      for offset in 0..<count {
        let (sibling, parameter) = (siblings[offset], Int32(6 * offset))
        try insert.statement.bind(palette.row.number, at: parameter + 1)
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
  mutating func writeAll(in palette: PaletteWriter) throws(StoreError) {
    try writeSiblings(in: palette, all: true)
    try write(in: palette)
  }

  /// Writes the rows of the table of records.
  mutating func write(in palette: PaletteWriter) throws(StoreError) {
    let count = isFull ? Query.rowsAtOnce : 1
    let replace = try palette.store.box(isFull ? .replaceRecords : .replaceRecord)
    try bytes.withUnsafeBufferPointer { bytes throws(StoreError) in
      for first in stride(from: 0, to: rows.count, by: count) {
        for offset in 0..<count {
          let parameter = Int32(offset * Query.recordParameterCount)
          try replace.statement.bind(palette.row.number, at: parameter + 1)
          try Self.bind(rows[first + offset], bytes, after: parameter, to: replace)
        }
        try replace.statement.run()
      }
    }
    rows.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Binds the parameters of a row behind its first one.
  private static func bind(
    _ row: Row,
    _ bytes: UnsafeBufferPointer<UInt8>,
    after parameter: Int32,
    to box: PreparedQueries.Box
  ) throws(StoreError) {
    try box.statement.bind(row.id, at: parameter + 2)
    try box.statement.bind(row.flags.rawValue, at: parameter + 3)
    for number in 0..<4 {
      let register = Register(rawValue: UInt16(number))
      let columns = RecordColumns(register)
      guard let cell = row.cells[number] else {
        try box.statement.bindNull(at: parameter + columns.value)
        try box.statement.bindNull(at: parameter + columns.dot)
        continue
      }
      let item = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[cell.item]))
      try box.statement.bind(cell.dot, at: parameter + columns.dot)
      try box.statement.bind(lent: item, as: register, at: parameter + columns.value)
    }
  }
}

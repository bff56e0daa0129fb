import PaletteMerge
import PaletteModel

/// The row of the table of records to write.
struct RecordRow {
  let id: RecordID
  let flags: RecordFlags
  /// The shown value of each known register.
  var cells = Register.PerKnown<Cell?>(repeating: nil)

  struct Cell {
    let dot: Int64
    /// The range of its value among the bytes of all.
    let item: Range<Int>
  }
}

/// Rows of the table of records that are written together.
struct RecordBatch {
  private var rows: [RecordRow] = []
  /// The values, one after the other.
  private var bytes: [UInt8] = []

  var count: Int { rows.count }
  var isEmpty: Bool { rows.isEmpty }

  mutating func add(_ id: RecordID, _ image: RecordRowBuilder, in table: RecordTable) {
    var row = RecordRow(id: id, flags: image.flags)
    for index in row.cells.indices {
      guard let value = image.shownValue(index) else { continue }
      let start = bytes.count
      value.value.withEncoded { bytes.append(contentsOf: $0) }
      row.cells[index] = RecordRow.Cell(
        dot: table.valueNumber(of: value.dot),
        item: start..<bytes.count
      )
    }
    rows.append(row)
  }

  mutating func removeAll() {
    rows.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Lends the rows, and the bytes of their values.
  func withRows(
    _ body: (UnsafeBufferPointer<RecordRow>, UnsafeRawBufferPointer) throws(StoreError) -> Void
  ) throws(StoreError) {
    try rows.withUnsafeBufferPointer { rows throws(StoreError) in
      try bytes.withUnsafeBufferPointer { bytes throws(StoreError) in
        try body(rows, UnsafeRawBufferPointer(bytes))
      }
    }
  }
}

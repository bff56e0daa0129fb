/// Rows of changes that one statement writes: its beginning and end cost as much as a row.
struct ChangeRows {
  private struct Row {
    let number: Int64
    let arrival: Int64
    let bytes: Range<Int>
  }

  private var rows: [Row] = []
  /// What the rows keep of their changes, one after the other.
  private var bytes: [UInt8] = []

  var isEmpty: Bool { rows.isEmpty }
  var isFull: Bool { rows.count == Query.rowsAtOnce }

  mutating func add(_ number: Int64, arrival: Int64, _ rest: UnsafeRawBufferPointer) {
    let start = bytes.count
    bytes.append(contentsOf: rest)
    rows.append(Row(number: number, arrival: arrival, bytes: start..<bytes.count))
  }

  /// Writes the rows.
  mutating func write(in store: ChangeStore) throws(StoreError) {
    let count = isFull ? Query.rowsAtOnce : 1
    let insert = try store.box(isFull ? .insertChanges : .insertChange)
    try bytes.withUnsafeBufferPointer { bytes throws(StoreError) in
      for first in stride(from: 0, to: rows.count, by: count) {
        for offset in 0..<count {
          let row = rows[first + offset]
          let column = Int32(3 * offset)
          let rest = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[row.bytes]))
          try insert.statement.bind(row.number, at: column + 1)
          try insert.statement.bind(row.arrival, at: column + 2)
          try insert.statement.bind(lent: rest, at: column + 3)
        }
        try insert.statement.run()
      }
    }
    rows.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }
}

/// The columns of packed rows, while they are read.
struct RowColumns {
  /// Where one change at a time is put together.
  var change: CBORWriter
  var plain: ColumnReader
  var shapes: ColumnReader
  var numbers: ColumnReader
  var stamps: ColumnReader
  var places: ColumnReader
  var texts: ColumnReader

  fileprivate var isAtEnd: Bool {
    plain.isAtEnd && shapes.isAtEnd && numbers.isAtEnd && stamps.isAtEnd && places.isAtEnd
      && texts.isAtEnd
  }
}

extension PackedRows {
  /// Lends the columns to `body`, which has to read all of them.
  func read(
    _ body: (inout RowColumns) throws -> Void
  ) throws(MalformedPacking) {
    do {
      try plain.withUnsafeBytes { plain in
        try shapes.withUnsafeBytes { shapes in
          try numbers.withUnsafeBytes { numbers in
            try stamps.withUnsafeBytes { stamps in
              try places.withUnsafeBytes { places in
                try texts.withUnsafeBytes { texts in
                  var columns = RowColumns(
                    change: CBORWriter(reservingCapacity: 1_024),
                    plain: ColumnReader(plain),
                    shapes: ColumnReader(shapes),
                    numbers: ColumnReader(numbers),
                    stamps: ColumnReader(stamps),
                    places: ColumnReader(places),
                    texts: ColumnReader(texts)
                  )
                  try body(&columns)
                  guard columns.isAtEnd else { throw MalformedPacking("a column is too long") }
                }
              }
            }
          }
        }
      }
    } catch let error as MalformedPacking {
      throw error
    } catch {
      throw MalformedPacking("\(error)")
    }
  }
}

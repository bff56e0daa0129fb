/// The columns of packed rows, while they are read.
struct RowColumns {
  /// The writer that puts one change together at a time.
  var change: CBORWriter
  var plain: ColumnReader
  var shapes: ColumnReader
  var numbers: ColumnReader
  var stamps: ColumnReader
  var places: ColumnReader
  var texts: ColumnReader

  /// Returns whether the next rows look like the beginning of a palette: the first is its author's
  /// first change, and each makes a record.
  func beginPalette(rows count: Int) -> Bool {
    // Copies, to look ahead.
    var (shapes, numbers) = (shapes, numbers)
    for index in 0..<count {
      guard let first = try? shapes.readByte(), let second = try? shapes.readByte() else {
        return false
      }
      let shape = RowShape(first, second)
      guard shape.kind != RowShape.whole, shape.written != 0, !shape.isKnown, shape.sawFirst,
        index > 0 || !shape.follows
      else { return false }
    }
    return (try? numbers.readNumber()) != nil && (try? numbers.readSequence()) == 1
  }

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

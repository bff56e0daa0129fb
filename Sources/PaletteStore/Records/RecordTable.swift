import PaletteMerge
import PaletteModel

/// The tables of records and of siblings, as far as one palette's rows go.
///
/// Only the types of this folder write them.
struct RecordTable {
  let database: StoreDatabase
  /// The functions that statements about many records call.
  let functions: RecordFunctions
  /// The palette's row, as a transaction leaves it.
  let palette: PaletteRowDraft
  /// The palette's authors.
  let streams: StreamTable

  /// The number of the palette's row.
  var number: Int64 { palette.row.number }

  /// Returns whether a record is the palette's own.
  func isPalette(_ id: RecordID) -> Bool { id == palette.row.id.record }

  /// Reads a record's rows.
  func record(_ id: RecordID) throws(StoreError) -> StoredRecord {
    try StoredRecord(id, of: palette.row, streams, in: database)
  }

  /// The value of the column for a live value's dot.
  func valueNumber(of dot: Dot) -> Int64 {
    guard let number = streams.valueNumber(dot) else {
      preconditionFailure("a change is held after its author's stream is made")
    }
    return number
  }
}

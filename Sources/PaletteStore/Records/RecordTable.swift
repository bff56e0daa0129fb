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

extension Query {
  /// Every column of a record but its key, from the feed.
  private static let fedCells =
    RecordColumns.names.enumerated()
    .map {
      $0 == 0
        ? "\($1) = \(RecordFunction.fedFlags)(uuid)" : "\($1) = \(RecordFunction.fedCell)(\($0))"
    }
    .joined(separator: ", ")
  private static let selected = "flags, \(SelectedColumns.values), \(SelectedColumns.dots)"

  static let record = Query(
    "SELECT \(Self.selected) FROM record WHERE palette = ?1 AND uuid = ?2"
  )
  static let recordsFrom = Query(
    """
    SELECT \(Self.selected), uuid FROM record
    WHERE palette = ?1 AND uuid >= ?2 AND \(RecordFunction.isAsked)(uuid) ORDER BY uuid
    """
  )
  static let insertRecord = Query(
    "INSERT INTO record VALUES \(Self.row(of: RecordColumns.count))"
  )
  static let insertFewRecords = Query(
    "INSERT OR FAIL INTO record VALUES "
      + Self.rows(of: RecordColumns.count, Self.fewRows)
  )
  static let insertRecords = Query(
    "INSERT OR FAIL INTO record VALUES \(Self.rows(of: RecordColumns.count))"
  )
  static let replaceRecord = Query(
    "REPLACE INTO record VALUES \(Self.row(of: RecordColumns.count))"
  )
  static let replaceRecords = Query(
    "REPLACE INTO record VALUES \(Self.rows(of: RecordColumns.count))"
  )
  static let updateRecords = Query(
    """
    UPDATE OR FAIL record SET \(Self.fedCells)
    WHERE palette = ?1 AND uuid BETWEEN ?2 AND ?3 AND \(RecordFunction.isFed)(uuid)
    """
  )
  static let deleteRecord = Query("DELETE FROM record WHERE palette = ?1 AND uuid = ?2")
  static let list = Query(
    "SELECT flags, \(SelectedColumns.values), uuid FROM record WHERE palette = ?1"
  )
  static let sample = Query(
    """
    SELECT flags, \(SelectedColumns.values), uuid FROM record WHERE palette = ?1
    AND flags & \(RecordFlags.unlisted.rawValue) = 0 AND place NOT NULL ORDER BY uuid LIMIT ?2
    """
  )
  static let listWithDots = Query(
    "SELECT \(Self.selected), uuid FROM record WHERE palette = ?1"
  )
  static let names = Query("SELECT uuid, flags, name FROM record WHERE palette = ?1")
  static let removedNames = Query(
    """
    SELECT uuid, flags, name FROM record WHERE palette = ?1 AND flags & \(RecordFlags.isDeleted.rawValue)
    AND place NOT NULL AND color NOT NULL AND name NOT NULL
    """
  )
  static let countBefore = Query(
    """
    SELECT count(*) FROM record WHERE palette = ?1 AND flags & \(RecordFlags.unlisted.rawValue) = 0
    AND (place < ?2 OR place = ?2 AND uuid < ?3)
    """
  )
  static let places = Query(
    """
    SELECT uuid, place FROM record
    WHERE palette = ?1 AND flags & \(RecordFlags.unlisted.rawValue) = 0
    """
  )
  static let liveDots = Query(
    "SELECT flags, \(SelectedColumns.dots) FROM record WHERE palette = ?1"
  )
  static let siblingDots = Query("SELECT register, dot, covered FROM sibling WHERE palette = ?1")
  static let siblings = Query(
    """
    SELECT register, dot, covered, value FROM sibling WHERE palette = ?1 AND uuid = ?2
    ORDER BY register, dot
    """
  )
  static let insertSibling = Query("INSERT INTO sibling VALUES \(Self.row(of: 6))")
  static let insertSiblings = Query("INSERT OR FAIL INTO sibling VALUES \(Self.rows(of: 6))")
  static let deleteSiblings = Query("DELETE FROM sibling WHERE palette = ?1 AND uuid = ?2")
}

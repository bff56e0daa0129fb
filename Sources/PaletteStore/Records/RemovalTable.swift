import PaletteMerge
import PaletteModel

/// The records that snapshots removed, with what was shown of them.
enum RemovalTable {
  /// The records that a snapshot removed and that are still gone; a palette's own record lacks its
  /// name.
  private static let stillRemoved = """
    FROM removal JOIN palette ON palette.id = removal.palette
    LEFT JOIN record ON record.palette = removal.palette AND record.uuid = removal.uuid
    WHERE (record.name IS NULL OR removal.uuid <> palette.uuid
      AND (record.color IS NULL OR record.place IS NULL))
    """

  /// Adds a record as it was shown before it was removed.
  static func insert(
    _ id: RecordID,
    _ shown: RecordRowBuilder,
    wasListed: Bool,
    arrival: Int64,
    of palette: PaletteRow,
    in database: StoreDatabase
  ) throws(StoreError) {
    let insert = try database.prepare(
      """
      REPLACE INTO removal(palette, uuid, arrival, listed, \(SelectedColumns.values))
      VALUES \(Query.row(of: 4 + Register.knownCount))
      """
    )
    try insert.bind(palette.number, at: 1)
    try insert.bind(id, at: 2)
    try insert.bind(arrival, at: 3)
    try insert.bind(wasListed ? 1 : Int64(0), at: 4)
    for (index, register) in Register.known.enumerated() {
      let parameter = Int32(5 + index)
      guard let value = shown.shownValue(index)?.value else {
        try insert.bindNull(at: parameter)
        continue
      }
      try value.withEncoded { (item) throws(StoreError) in
        try insert.bind(item, as: register, at: parameter)
      }
    }
    try insert.run()
  }

  /// The records of a palette that were removed from an arrival on, whose changes stay.
  static func records(
    removedFrom bound: Int64,
    of palette: PaletteRow,
    in database: StoreDatabase
  ) throws(StoreError) -> Set<RecordID> {
    let select = try database.prepare(
      "SELECT uuid FROM removal WHERE palette = ?1 AND arrival >= ?2"
    )
    try select.bind(palette.number, at: 1)
    try select.bind(bound, at: 2)
    var records: Set<RecordID> = []
    try select.rows { row throws(StoreError) in records.insert(try row.recordID(0)) }
    return records
  }

  /// Returns whether a record of a palette was removed before an arrival.
  static func hasAny(
    beforeArrival bound: Int64,
    of palette: PaletteRow,
    in database: StoreDatabase
  ) throws(StoreError) -> Bool {
    let select = try database.prepare(
      "SELECT 1 FROM removal WHERE palette = ?1 AND arrival < ?2 LIMIT 1"
    )
    try select.bind(palette.number, at: 1)
    try select.bind(bound, at: 2)
    return try select.row { _ in true } ?? false
  }

  /// Forgets records of a palette that were removed before an arrival.
  ///
  /// - Returns: The number of them; if it is not the limit, none is left.
  static func forget(
    beforeArrival bound: Int64,
    atMost limit: Int,
    of palette: PaletteRow,
    in database: StoreDatabase
  ) throws(StoreError) -> Int {
    let delete = try database.prepare(
      """
      DELETE FROM removal WHERE palette = ?1 AND uuid IN (
        SELECT uuid FROM removal WHERE palette = ?1 AND arrival < ?2 LIMIT ?3)
      """
    )
    try delete.bind(palette.number, at: 1)
    try delete.bind(bound, at: 2)
    try delete.bind(Int64(limit), at: 3)
    try delete.run()
    return database.connection.changes
  }

  /// The names of a palette's colors that a snapshot removed.
  static func names(
    of palette: PaletteRow,
    in database: StoreDatabase
  ) throws(StoreError) -> [(id: RecordID, name: String)] {
    let select = try database.prepare(
      """
      SELECT removal.uuid, removal.name \(stillRemoved)
      AND palette.id = ?1 AND removal.uuid <> palette.uuid
      """
    )
    try select.bind(palette.number, at: 1)
    var names: [(id: RecordID, name: String)] = []
    try select.rows { row throws(StoreError) in names.append((try row.recordID(0), row.text(1))) }
    return names
  }

  /// The names of palettes whose own names a snapshot removed.
  static func paletteNames(
    in database: StoreDatabase
  ) throws(StoreError) -> [(id: PaletteID, name: String)] {
    let select = try database.prepare(
      "SELECT palette.uuid, removal.name \(stillRemoved) AND removal.uuid = palette.uuid"
    )
    var names: [(id: PaletteID, name: String)] = []
    try select.rows { row throws(StoreError) in
      names.append((PaletteID(try row.recordID(0)), row.text(1)))
    }
    return names
  }

  /// The edits that add one color again, or all that were listed; without those that are there.
  static func addingBack(
    _ record: RecordID?,
    of palette: PaletteRow,
    in database: StoreDatabase
  ) throws(StoreError) -> [Edit] {
    let condition = record == nil ? "removal.listed = 1" : "removal.uuid = ?2"
    let values = Register.known.map { "removal.\($0)" }.joined(separator: ", ")
    let select = try database.prepare(
      """
      SELECT removal.uuid, \(values)
      \(stillRemoved) AND palette.id = ?1 AND removal.uuid <> palette.uuid AND \(condition)
      """
    )
    try select.bind(palette.number, at: 1)
    if let record { try select.bind(record, at: 2) }
    var edits: [Edit] = []
    try select.rows { row throws(StoreError) in
      var writes: [Change.Write] = []
      for register in Register.known {
        let column = SelectedColumns.value(register)
        guard !row.isNull(column) else { continue }
        writes.append(Change.Write(register, value: row.value(of: register, at: column)))
      }
      edits.append(.add(try row.recordID(0), writes: writes))
    }
    return edits
  }
}

import PaletteMerge
import PaletteModel

/// Begins to show a register whose values were kept unread until now.
///
/// Such values stand among the siblings, and a row lacks its columns. A migration makes the columns; what
/// each record shows is worked out when the library is next opened for writing, since that needs more than
/// the tables.
enum RegisterAdoption {
  /// Adds the columns of a register that versions before this one did not show, as a migration does.
  static func addColumns(
    of register: Register,
    on connection: borrowing DatabaseConnection
  ) throws(StoreError) {
    try connection.execute(
      """
      ALTER TABLE record ADD COLUMN "\(register)" TEXT;
      ALTER TABLE record ADD COLUMN "\(register)Dot" INTEGER;
      ALTER TABLE removal ADD COLUMN "\(register)" TEXT;
      """
    )
    try connection.setMeta(.addedRegisters, [1])
  }

  /// The records that have values of shown registers among their siblings, each with its palette.
  static func records(
    in database: StoreDatabase
  ) throws(StoreError) -> [(palette: PaletteID, record: RecordID)] {
    let shown = Register.known.map { String($0.rawValue) }.joined(separator: ", ")
    let select = try database.prepare(
      """
      SELECT DISTINCT palette.uuid, sibling.uuid FROM sibling
      JOIN palette ON palette.id = sibling.palette WHERE register IN (\(shown))
      """
    )
    var records: [(palette: PaletteID, record: RecordID)] = []
    try select.rows { row throws(StoreError) in
      records.append((PaletteID(try row.recordID(0)), try row.recordID(1)))
    }
    return records
  }
}

extension MetaKey {
  /// True after columns of registers were added, until their values are in them.
  static let addedRegisters = MetaKey("register.added")
}

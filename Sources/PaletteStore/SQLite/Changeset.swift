import CSQLite

/// A changeset of SQLite's session extension, as `ChangesetRecorder` gives it.
struct Changeset {
  /// The shape that a table had where the changeset was recorded.
  struct Table: Hashable {
    let name: String
    /// For each column, true if it is part of the key.
    let keys: [Bool]
  }

  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The tables that it changes.
  ///
  /// - Throws: `StoreError` with code `corrupt` when the bytes are no changeset.
  func tables() throws(StoreError) -> Set<Table> {
    var bytes = bytes
    var tables: Set<Table> = []
    let code = bytes.withUnsafeMutableBytes { buffer in
      var changes: OpaquePointer?
      let begun = sqlite3changeset_start(
        &changes,
        Int32(clamping: buffer.count),
        buffer.baseAddress
      )
      guard begun == SQLITE_OK else { return begun }
      var code = sqlite3changeset_next(changes)
      while code == SQLITE_ROW {
        if let table = Self.table(changes) { tables.insert(table) }
        code = sqlite3changeset_next(changes)
      }
      let end = sqlite3changeset_finalize(changes)
      return code == SQLITE_DONE ? end : code
    }
    guard code == SQLITE_OK else {
      throw StoreError(code: .corrupt, sqliteCode: code, message: "this is no changeset")
    }
    return tables
  }

  private static func table(_ changes: OpaquePointer?) -> Table? {
    var name: UnsafePointer<CChar>?
    var (columns, operation, isIndirect) = (Int32(0), Int32(0), Int32(0))
    var keys: UnsafeMutablePointer<UInt8>?
    var keyColumns: Int32 = 0
    guard sqlite3changeset_op(changes, &name, &columns, &operation, &isIndirect) == SQLITE_OK,
      sqlite3changeset_pk(changes, &keys, &keyColumns) == SQLITE_OK, let name, let keys
    else { return nil }
    let flags = UnsafeBufferPointer(start: keys, count: Int(keyColumns))
    return Table(name: String(cString: name), keys: flags.map { $0 != 0 })
  }

  /// Makes the changes in a database, where every row is as it was before them where they were recorded.
  ///
  /// SQLite leaves tables out that are not there or have fewer columns, so they have to be compared first.
  ///
  /// - Throws: `StoreError` with code `corrupt` when a row is another one, and then nothing is changed.
  func apply(to connection: borrowing DatabaseConnection) throws(StoreError) {
    var bytes = bytes
    let pointer = connection.handle.pointer
    let code = bytes.withUnsafeMutableBytes { buffer in
      sqlite3changeset_apply(
        pointer,
        Int32(clamping: buffer.count),
        buffer.baseAddress,
        nil,
        { _, _, _ in SQLITE_CHANGESET_ABORT },
        nil
      )
    }
    if code == SQLITE_ABORT {
      throw StoreError(code: .corrupt, sqliteCode: code, message: "a row is not as its log left it")
    }
    guard code == SQLITE_OK else { throw connection.error(code) }
  }
}

extension DatabaseConnection {
  /// The shape of a table as a changeset tells it; nil where there is none.
  func shape(of table: String) throws(StoreError) -> Changeset.Table? {
    var keys: [Bool] = []
    let select = try prepare("SELECT pk FROM pragma_table_info(?1)")
    try select.bind(table, at: 1)
    try select.rows { keys.append($0.int64(0) > 0) }
    return keys.isEmpty ? nil : Changeset.Table(name: table, keys: keys)
  }
}

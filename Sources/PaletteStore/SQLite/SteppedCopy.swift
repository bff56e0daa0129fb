import CSQLite

/// A copy of a database that is made in steps, between which its connection goes on reading and writing.
///
/// SQLite writes what the connection commits meanwhile into the copy too, so that the copy is the database
/// as of the last step.
struct SteppedCopy: ~Copyable {
  private let source: ConnectionHandle
  private let copy: DatabaseConnection
  private var backup: OpaquePointer?

  /// Begins a copy in an empty file.
  init(
    of connection: borrowing DatabaseConnection,
    to path: String
  ) throws(StoreError) {
    let source = connection.handle
    let copy = try DatabaseConnection(path: path, mode: .readWrite(create: false))
    // The copy is worthless unless it becomes whole, so nothing protects it on the way.
    try copy.execute("PRAGMA synchronous = OFF")
    guard let backup = sqlite3_backup_init(copy.handle.pointer, "main", source.pointer, "main")
    else { throw copy.error(sqlite3_errcode(copy.handle.pointer)) }
    self.source = source
    self.copy = copy
    self.backup = backup
  }

  deinit {
    if let backup { sqlite3_backup_finish(backup) }
  }

  /// Copies some pages.
  ///
  /// - Returns: True when all of them are copied, and the copy is whole.
  /// - Throws: `StoreError` when they could not be; then the copy is worthless.
  mutating func advance(pages: Int32) throws(StoreError) -> Bool {
    let code = sqlite3_backup_step(backup, pages)
    if code == SQLITE_OK { return false }
    let end = sqlite3_backup_finish(backup)
    backup = nil
    guard code == SQLITE_DONE, end == SQLITE_OK else {
      throw copy.error(code == SQLITE_DONE ? end : code)
    }
    return true
  }
}

import CSQLite

/// One open SQLite database, used by one thread at a time.
///
/// SQLite's own mutex is off (`NOMUTEX`), since the owner of a connection is an actor or a single
/// thread. The database stays open until the connection and every statement prepared on it are
/// gone: https://sqlite.org/c3ref/close.html
package struct Connection: ~Copyable {
  let handle: ConnectionHandle

  /// How a database is opened.
  package enum Mode: Hashable, Sendable {
    /// Reads and writes, and may create the file.
    case readWrite(create: Bool)
    /// Reads only; takes part in SQLite's locking, for which it may create the `-shm` file.
    case readOnly
    /// Reads a file of which nobody changes a byte meanwhile; ignores a `-wal` file.
    case immutable
    /// A new database that lives in memory and ends with the connection.
    case memory
  }

  /// Opens the database at `path`.
  ///
  /// - Throws: `StoreError` with code `cannotOpen` when the file is not there. Damage and foreign
  ///   files are noticed at the first statement, not here.
  package init(path: String, mode: Mode) throws(StoreError) {
    try self.init(path: path, mode: mode, resources: ConnectionResources())
  }

  init(path: String, mode: Mode, resources: consuming ConnectionResources) throws(StoreError) {
    Self.prepareLibrary
    let location = try DatabaseLocation(path: path, mode: mode)
    var pointer: OpaquePointer?
    let code = sqlite3_open_v2(location.name, &pointer, location.flags, location.fileSystem)
    guard code == SQLITE_OK, let pointer else {
      let error = StoreError(sqliteCode: code, connection: pointer)
      // A failed open still hands out a connection that holds the message.
      sqlite3_close_v2(pointer)
      throw StoreError(
        code: error.code,
        sqliteCode: error.sqliteCode,
        message: "\(error.message): \(path)",
        hint: error.hint
      )
    }
    var resources = resources
    resources.folder = location.folder
    handle = ConnectionHandle(pointer: pointer, resources: resources)
    // Readers meet a writer that recovers the WAL for a moment; nobody waits longer than that.
    sqlite3_busy_timeout(pointer, 5_000)
    if mode == .readOnly { setCheckpointOnClose(false) }
  }
}

extension Connection {
  /// What has to be said to SQLite before anything else, once.
  private static let prepareLibrary: Void = csqlite_leave_memory_uncounted()

  /// Runs one or more statements without parameters and ignores their rows.
  package func execute(_ sql: String) throws(StoreError) {
    let code = sqlite3_exec(handle.pointer, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, sql: sql) }
  }

  /// Prepares exactly one statement, to be kept and run many times.
  package func prepare(_ sql: String) throws(StoreError) -> Statement {
    try Statement(sql, on: handle)
  }

  /// How many rows the last statement inserted, updated or deleted.
  package var changes: Int { Int(sqlite3_changes64(handle.pointer)) }

  /// SQLite's text for the last failure.
  package var lastErrorMessage: String { String(cString: sqlite3_errmsg(handle.pointer)) }

  /// Whether a transaction is open.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle.pointer) == 0 }

  /// Whether the last connection to close moves the write-ahead log into the database file.
  func setCheckpointOnClose(_ on: Bool) {
    csqlite_set_checkpoint_on_close(handle.pointer, on ? 1 : 0)
  }

  func error(_ code: Int32, sql: String? = nil) -> StoreError {
    StoreError(sqliteCode: code, connection: handle.pointer, sql: sql)
  }
}

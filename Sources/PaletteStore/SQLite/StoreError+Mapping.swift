import CSQLite
import PalettePlatform

extension StoreError.Code {
  /// The kind of an extended result code of SQLite.
  ///
  /// The system error decides where SQLite only says that reading, writing or opening failed: a
  /// full disk shows up there too, for example when the shared memory file cannot grow.
  package init(sqliteCode: Int32, systemError: Int32 = 0) {
    switch sqliteCode & 0xFF {
    case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt
    case SQLITE_FULL: self = .diskFull
    case SQLITE_READONLY: self = .readOnly
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: self = .locked
    case SQLITE_CONSTRAINT, SQLITE_MISMATCH: self = .constraint
    case SQLITE_IOERR: self = Self(systemError: systemError) ?? .inputOutput
    case SQLITE_CANTOPEN: self = Self(systemError: systemError) ?? .cannotOpen
    case SQLITE_NOMEM: self = .outOfMemory
    case SQLITE_INTERRUPT: self = .interrupted
    default: self = .failed
    }
  }
}

extension StoreError {
  /// The error of a failed call on a connection; SQLite keeps its details until the next call.
  init(sqliteCode: Int32, connection: OpaquePointer?, sql: String? = nil) {
    let systemError = sqlite3_system_errno(connection)
    let code = Code(sqliteCode: sqliteCode, systemError: systemError)
    var message = String(cString: sqlite3_errstr(sqliteCode))
    // Without a connection there is no message but the general one.
    if let connection, sqlite3_errcode(connection) != SQLITE_OK {
      message = String(cString: sqlite3_errmsg(connection))
    }
    // SQLite sets the system error for these two and leaves the last one there otherwise.
    if systemError != 0, [SQLITE_IOERR, SQLITE_CANTOPEN].contains(sqliteCode & 0xFF) {
      message += ": \(String(cString: strerror(systemError)))"
    }
    let hint = code == .failed ? Self.doctorHint : nil
    self.init(code: code, sqliteCode: sqliteCode, message: message, sql: sql, hint: hint)
  }

  /// The same error, known to come from damage.
  package var corrupt: StoreError {
    StoreError(
      code: .corrupt,
      sqliteCode: sqliteCode,
      message: message,
      sql: sql
    )
  }
}

import CSQLite
import Glibc

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

  /// The kind of a system error that says more than "failed", else nil.
  private init?(systemError: Int32) {
    switch systemError {
    case ENOSPC, EDQUOT: self = .diskFull
    case EROFS: self = .readOnly
    case ENOMEM: self = .outOfMemory
    default: return nil
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

  /// The error of a failed call of the operating system on a file.
  ///
  /// - Parameters:
  ///   - systemError: The value of `errno`.
  ///   - action: What could not be done, as a verb.
  ///   - path: The file.
  ///   - writing: Whether the call wanted to write; then a missing permission means read-only.
  init(systemError: Int32, doing action: String, path: String, writing: Bool = false) {
    let code: Code =
      switch systemError {
      case ENOSPC, EDQUOT: .diskFull
      case EACCES where writing, EPERM where writing: .readOnly
      case EROFS: .readOnly
      case EEXIST: .exists
      case EIO: .inputOutput
      default: .cannotOpen
      }
    self.init(
      code: code,
      message: "cannot \(action) \(path): \(String(cString: strerror(systemError)))"
    )
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

  /// The hint where only a look at the library tells more.
  private static let doctorHint = "run 'hued doctor' to see whether the library is whole"

  /// What a person can usually do about a kind of failure.
  static func hint(for code: Code) -> String? {
    switch code {
    case .diskFull: "free some space and try again; nothing was lost"
    case .corrupt: "run 'hued doctor', and 'hued recover' with a backup if it finds damage"
    case .notALibrary: "choose another folder with --home, or put a backup here with 'hued recover'"
    case .newerFormat: "update this program"
    case .olderFormat: "any edit brings the library to the present format"
    case .locked: "wait until the other process is done, or end it"
    case .readOnly: "reading still works"
    case .inputOutput:
      "look after the disk, run 'hued doctor', and 'hued recover' with a backup if it finds damage"
    case .constraint: doctorHint
    case .cannotOpen: "run 'hued doctor' to see what is wrong with the folder"
    case .exists, .outOfMemory, .interrupted, .failed: nil
    }
  }
}

import CSQLite
import Glibc

extension LibraryFolder {
  /// The number in the header of every library: "hued".
  package static let applicationID = 1_752_524_132

  /// Refuses another program's file and a newer version's, before SQLite gets to touch it.
  ///
  /// - Returns: Whether there is a library; if not, one may be created here.
  func checkHeader(newestVersion: Int) throws(StoreError) -> Bool {
    // With shared memory there somebody has it open, maybe this very process; see `contents(of:)`.
    // Then SQLite is asked, by `checkFormat`, and finds nothing to touch that it has not already.
    if access(databasePath + "-shm", F_OK) == 0, access(databasePath, F_OK) == 0 { return true }
    let header = try DatabaseHeader(path: databasePath)
    if header == .missing || (header == .empty && access(openedPath, F_OK) != 0) { return false }
    try check(header, of: databasePath, newestVersion: newestVersion)
    return true
  }

  /// Refuses a file by what its first bytes say.
  func check(
    _ header: DatabaseHeader,
    of path: String,
    newestVersion: Int
  ) throws(StoreError) {
    switch header {
    case .missing:
      return
    case .empty:
      throw StoreError(
        code: .corrupt,
        message: "the file has lost all its bytes: \(path)",
        hint: "recover from a backup"
      )
    case .other:
      throw notALibrary("no SQLite database", path)
    case .database(let applicationID, let userVersion):
      try check(
        applicationID: Int(applicationID),
        version: Int(Int32(bitPattern: userVersion)),
        of: path,
        newestVersion: newestVersion
      )
    }
  }

  /// Refuses the same files by what SQLite reads, which includes the write-ahead log.
  ///
  /// - Returns: The version of the schema.
  @discardableResult
  func checkFormat(
    _ connection: borrowing Connection,
    of path: String,
    newestVersion: Int
  ) throws(StoreError) -> Int {
    let version: Int
    let applicationID: Int
    do throws(StoreError) {
      version = try connection.userVersion
      applicationID = try connection.applicationID
    } catch  where error.sqliteCode == SQLITE_NOTADB {
      throw notALibrary("no SQLite database", path)
    }
    try check(
      applicationID: applicationID,
      version: version,
      of: path,
      newestVersion: newestVersion
    )
    return version
  }

  private func check(
    applicationID: Int,
    version: Int,
    of path: String,
    newestVersion: Int
  ) throws(StoreError) {
    // A library is never seen without a version: it gets its name when its schema is whole.
    guard applicationID == Self.applicationID, version > 0 else {
      throw notALibrary("another program's database", path)
    }
    guard version <= newestVersion else {
      throw StoreError(
        code: .newerFormat,
        message: "the library has format \(version), this program knows \(newestVersion): \(path)",
        hint: "update this program"
      )
    }
  }

  private func notALibrary(_ what: String, _ path: String) -> StoreError {
    StoreError(code: .notALibrary, message: "this is \(what): \(path)")
  }
}

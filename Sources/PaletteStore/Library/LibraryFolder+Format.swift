import CSQLite
import PalettePlatform

extension LibraryFolder {
  /// The number in the header of every library: "hued".
  package static let applicationID = 1_752_524_132

  /// Refuses another program's file and a newer version's, before anything is touched.
  ///
  /// - Returns: Whether there is a library; if not, one may be created here.
  func checkFile(newestVersion: Int) throws(StoreError) -> Bool {
    guard try exists, let size = try fileSize(databasePath) else { return false }
    if size == 0, access(openedPath, F_OK) != 0 { return false }
    // With shared memory there, it may be open in this very process; see `contents(of:)`. Then it is
    // left to SQLite and `checkFormat`.
    let hasSharedMemory = try fileSize(databasePath + "-shm") != nil
    if size == 0 || !hasSharedMemory {
      try checkHeader(of: databasePath, newestVersion: newestVersion)
    }
    return true
  }

  /// Refuses a file by what its first bytes say.
  func checkHeader(of path: String, newestVersion: Int) throws(StoreError) {
    guard try fileSize(path) != 0 else {
      throw StoreError(
        code: .corrupt,
        message: "the file has lost all its bytes: \(path)",
        hint: "recover from a backup"
      )
    }
    switch try DatabaseHeader(path: path) {
    case .other:
      throw notALibrary("no SQLite database", path)
    case .database(let applicationID, let userVersion):
      try check(
        applicationID: applicationID,
        version: userVersion,
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
    // A checkpoint that stopped half-way leaves half a page too, but then there is a log. SQLite
    // would take the rest of the last page for zeros.
    let pageBytes = Int(try connection.integer(pragma: "page_size"))
    if let size = try fileSize(path), size % pageBytes != 0, try fileSize(path + "-wal") ?? 0 == 0 {
      throw StoreError(
        code: .corrupt,
        message: "the file is cut short: \(path)",
        hint: "recover from a backup"
      )
    }
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

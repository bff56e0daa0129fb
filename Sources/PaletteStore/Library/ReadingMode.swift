import CSQLite
import PalettePlatform

/// The way in which a database is read, by what its folder allows.
package enum ReadingMode: Hashable, Sendable {
  /// Beside a writer, through SQLite's shared memory.
  case shared
  /// As bytes that nobody changes.
  case immutable
  /// From a private copy of file and write-ahead log.
  case privateCopy

  /// Chooses the mode.
  ///
  /// Plain reading needs a `-shm` file, and cannot make one in a read-only folder; reading it as
  /// immutable ignores the write-ahead log, and would hide what was committed there.
  ///
  /// - Parameters:
  ///   - folderIsWritable: Whether files can be made in the folder.
  ///   - sharedMemoryExists: Whether the `-shm` file is there.
  ///   - logBytes: The size of the `-wal` file; 0 when there is none.
  package init(folderIsWritable: Bool, sharedMemoryExists: Bool, logBytes: Int) {
    if folderIsWritable || sharedMemoryExists {
      self = .shared
    } else {
      self = logBytes == 0 ? .immutable : .privateCopy
    }
  }

  /// Chooses the mode by looking at the folder and the files.
  init(of path: String) throws(StoreError) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    self.init(
      folderIsWritable: faccessat(AT_FDCWD, folder.isEmpty ? "/" : folder, W_OK, AT_EACCESS) == 0,
      sharedMemoryExists: try fileSize(path + "-shm") != nil,
      logBytes: try fileSize(path + "-wal") ?? 0
    )
  }

  /// Opens a database so that reading works in its folder and writing does not.
  func open(_ path: String) throws(StoreError) -> DatabaseConnection {
    let connection = try connect(path)
    do throws(StoreError) {
      try connection.execute(
        "PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA cache_size = -2048"
      )
    } catch  where error.sqliteCode == SQLITE_NOTADB {
      // Whoever checks the format next says what this file is not.
    }
    return connection
  }

  private func connect(_ path: String) throws(StoreError) -> DatabaseConnection {
    switch self {
    case .shared:
      return try DatabaseConnection(path: path, mode: .readOnly)
    case .immutable:
      return try DatabaseConnection(path: path, mode: .immutable)
    case .privateCopy:
      // Whoever reads a copy may also make the files that SQLite keeps beside it.
      let folder = try TemporaryFolder()
      let copy = "\(folder.path)/\(LibraryFolder.databaseName)"
      for suffix in ["", "-wal"] { try copyFile(path + suffix, to: copy + suffix) }
      var resources = ConnectionResources()
      resources.temporaryFolder = consume folder
      return try DatabaseConnection(path: copy, mode: .readOnly, resources: resources)
    }
  }
}

/// Copies the bytes of a file into a new one that only this user can read.
private func copyFile(_ path: String, to destination: String) throws(StoreError) {
  let source = try FileDescriptor(path: path, flags: O_RDONLY)
  let copy = try FileDescriptor(
    path: destination,
    flags: O_WRONLY | O_CREAT | O_EXCL,
    mode: 0o600
  )
  while true {
    let count = Platform.retried { sendfile(copy.rawValue, source.rawValue, nil, 1 << 30) }
    if count == 0 { return }
    guard count > 0 else {
      throw StoreError(systemError: errno, doing: "copy \(path) to", path: destination)
    }
  }
}

/// A library that is open for reading; nothing in its folder changes by it.
package struct ReadableLibrary: ~Copyable {
  /// A connection that refuses to write.
  package let connection: DatabaseConnection
  /// The schema version of the file, at most the one that was asked for.
  package let version: Int
  /// True if the files are still the ones that were written last.
  package let continuity: LibraryContinuity
  /// The way in which the file is read.
  package let mode: ReadingMode
}

import CSQLite
import PalettePlatform

/// The folder that a library lives in: its SQLite file, its lock, and what a node puts beside them.
///
/// The folder is made with mode 0700 and its files with 0600, whatever the process's umask is.
public struct LibraryFolder: Hashable, Sendable {
  /// The folder from the root.
  public let path: String

  /// Names a folder; nothing is read or created.
  ///
  /// - Throws: `StoreError` with code `cannotOpen` when the text is no path.
  public init(_ path: String) throws(StoreError) {
    self.path = try AbsolutePath(path).text
  }

  /// The SQLite file.
  package var databasePath: String { file(Self.databaseName) }
  /// The file that is locked while the library is open for writing.
  package var lockPath: String { file(LibraryLock.fileName) }
  /// The file that changes at every opening for writing.
  package var openedPath: String { file("opened") }
  /// The file that was last changed when a backup was last found sound.
  package var backupCheckedPath: String { file("backup-checked") }
  /// The Unix socket of the node that has the library open.
  package var socketPath: String { file("node.sock") }

  static let databaseName = "library.sqlite"
  /// The suffixes that SQLite appends to the name of a database for the files beside it.
  static let databaseSuffixes = ["", "-wal", "-shm", "-journal"]

  /// The names of the files beside the database that no backup may replace.
  static let namesBeside = [
    LibraryLock.fileName, "opened", "backup-checked", "config.json", "key.pem", "certificate.pem",
  ]

  /// A file in the folder.
  package func file(_ name: String) -> String {
    path.utf8.last == UInt8(ascii: "/") ? path + name : "\(path)/\(name)"
  }

  /// True if there is a library here.
  ///
  /// - Throws: `StoreError` where that cannot be told: only a folder that is not there is empty.
  public var exists: Bool {
    get throws(StoreError) {
      if try fileSize(databasePath) != nil { return true }
      var status = stat()
      guard stat(path, &status) != 0, lstat(path, &status) == 0 else { return false }
      throw StoreError(code: .cannotOpen, message: "the link \(path) leads nowhere")
    }
  }

  /// Makes the folder with mode 0700, and its parents, where they are missing.
  ///
  /// A folder of ours that others may enter is closed to them; `noteOnClosing` has told. One of
  /// somebody else is refused, and so is one where everybody has files, such as `/tmp`.
  package func create() throws(StoreError) {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw StoreError(code: .cannotOpen, message: "not a folder: \(path)")
      }
      guard status.st_uid == geteuid() else {
        throw StoreError(
          code: .cannotOpen,
          message: "the folder \(path) belongs to another user, number \(status.st_uid)",
          hint: "a library needs a folder of the user who writes to it"
        )
      }
      guard status.st_mode & S_ISVTX == 0 && path != "/" || isEmpty else {
        throw StoreError(
          code: .cannotOpen,
          message: "the folder \(path) is for everybody",
          hint: "a library needs a folder of its own"
        )
      }
      guard status.st_mode & 0o077 == 0 || chmod(path, 0o700) == 0 else {
        throw StoreError(systemError: errno, doing: "close", path: path, writing: true)
      }
      return
    }
    for end in path.utf8.indices where path.utf8[end] == UInt8(ascii: "/") {
      try makeFolder(String(path[..<end]))
    }
    try makeFolder(path)
  }

  /// The note before `create` takes a folder away from others; nil if it is closed already.
  package var noteOnClosing: String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == geteuid(), status.st_mode & 0o077 != 0
    else { return nil }
    let mode = String(status.st_mode & 0o777, radix: 8)
    return "others could enter \(path) (mode \(mode)); it is closed to them now"
  }

  private func makeFolder(_ path: String) throws(StoreError) {
    guard !path.isEmpty, access(path, F_OK) != 0 else { return }
    guard mkdir(path, 0o700) == 0 else {
      if errno == EEXIST { return }
      throw StoreError(systemError: errno, doing: "create", path: path, writing: true)
    }
    // The umask can only have taken bits away.
    chmod(path, 0o700)
  }

  /// True if there is nothing in it, as in a file system that was mounted just now.
  private var isEmpty: Bool {
    guard let folder = opendir(path) else { return false }
    defer { closedir(folder) }
    // Every folder has two entries: itself and its parent.
    for _ in 0..<3 where readdir(folder) == nil { return true }
    return false
  }

  /// Makes the names in the folder as durable as the files behind them.
  func synchronize() throws(StoreError) {
    try FileDescriptor(path: path, flags: O_RDONLY | O_DIRECTORY).synchronize(path: path)
  }

  /// The process that has the library open for writing, as the lock file tells; nil if none has.
  ///
  /// Nothing is written for it.
  public func writer() throws(StoreError) -> String? {
    guard access(lockPath, F_OK) == 0 else { return nil }
    let file = try FileDescriptor(path: lockPath, flags: O_RDONLY)
    if Platform.retried({ flock(file.rawValue, LOCK_SH | LOCK_NB) }) == 0 { return nil }
    let bytes = try FileDescriptor.contents(of: lockPath) ?? []
    let number = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return number.isEmpty ? "another process" : "process \(number)"
  }

  /// Opens the library for reading, without a lock and without writing anything to it.
  ///
  /// In a read-only folder nothing can be put beside the file, and what is read is the state of
  /// this moment; elsewhere every read transaction sees the newest commit.
  ///
  /// - Parameter newestVersion: The newest schema version that the caller knows; the library's own
  ///   may be lower, and then only opening it for writing migrates it.
  /// - Returns: The library, or nil when there is none.
  /// - Throws: `StoreError` with code `notALibrary`, `newerFormat`, `corrupt` and others.
  package func openForReading(newestVersion: Int) throws(StoreError) -> ReadableLibrary? {
    guard try checkFile(newestVersion: newestVersion) else { return nil }
    let mode = try ReadingMode(of: databasePath)
    let isSharedMemoryInUse = try fileSize(databasePath + "-shm") ?? 0 >= Self.sharedMemoryBytes
    do throws(StoreError) {
      return try openForReading(newestVersion: newestVersion, mode: mode)
    } catch  where mode == .shared && !isSharedMemoryInUse && Self.deniesSharedMemory(error.code) {
      // A full disk, say, is as good as a read-only folder to a reader.
      let other = ReadingMode(
        folderIsWritable: false,
        sharedMemoryExists: false,
        logBytes: try fileSize(databasePath + "-wal") ?? 0
      )
      return try openForReading(newestVersion: newestVersion, mode: other)
    }
  }

  private func openForReading(
    newestVersion: Int,
    mode: ReadingMode
  ) throws(StoreError) -> ReadableLibrary {
    let connection = try mode.open(databasePath)
    let version = try checkFormat(connection, of: databasePath, newestVersion: newestVersion)
    let continuity = try readContinuity(connection)
    return ReadableLibrary(
      connection: connection,
      version: version,
      continuity: continuity,
      mode: mode
    )
  }

  /// The size that a `-shm` file has at least while a database is open.
  private static let sharedMemoryBytes = 32_768

  private static func deniesSharedMemory(_ code: StoreError.Code) -> Bool {
    [.diskFull, .readOnly, .cannotOpen].contains(code)
  }
}

/// Makes an empty file that only this user can read; SQLite gives the files beside it its mode.
func makePrivateFile(_ path: String) throws(StoreError) {
  let file = try FileDescriptor(path: path, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
  fchmod(file.rawValue, 0o600)
}

/// Gives a file another name, in place of whatever had it.
func move(_ path: String, to destination: String) throws(StoreError) {
  guard rename(path, destination) == 0 else {
    throw StoreError(
      systemError: errno,
      doing: "move \(path) to",
      path: destination,
      writing: true
    )
  }
}

/// Removes a database and the files that SQLite keeps beside it, as far as they are there.
func removeDatabase(_ path: String) throws(StoreError) {
  for suffix in LibraryFolder.databaseSuffixes {
    guard unlink(path + suffix) == 0 || errno == ENOENT else {
      throw StoreError(systemError: errno, doing: "remove", path: path + suffix, writing: true)
    }
  }
}

extension ChangeStore {
  /// The version of the library's format that this program writes.
  public static var formatVersion: Int { Schema.version }

  /// Copies the library, as the last commit left it, into a single file.
  ///
  /// - Parameters:
  ///   - path: The file to make, with mode 0600; a file that is there is replaced.
  ///   - report: Is told how many pages are copied, of how many; what it throws ends the backup.
  /// - Returns: The size of the copy.
  /// - Throws: `StoreError` when the copy could not be made whole; then the old file is still there.
  public func backup(
    to path: String,
    report: (Int, Int) throws(StoreError) -> Void = { _, _ in }
  ) throws(StoreError) -> BackupSummary {
    try database.connection.backup(to: path, replacing: true, report: report)
  }

  /// Replaces the library in a folder by a backup, and keeps the old one beside it.
  ///
  /// - Parameters:
  ///   - folder: Where the library is, or shall be.
  ///   - backup: The backup; it is only read.
  ///   - timestamp: The end of the name that the old library is kept under.
  ///   - lockTimeoutMilliseconds: How long to wait for another writer.
  ///   - report: Is told how many pages are copied, of how many; what it throws ends the recovery while
  ///     the library is as before.
  /// - Returns: What was put in place. Opening it for writing gives it a new node id.
  /// - Throws: `StoreError` when the backup cannot be used, and then the library is as before.
  public static func recover(
    _ folder: LibraryFolder,
    from backup: String,
    timestamp: String,
    lockTimeoutMilliseconds: Int = 5_000,
    report: (Int, Int) throws(StoreError) -> Void = { _, _ in }
  ) throws(StoreError) -> RecoverySummary {
    try folder.create()
    let lock = try LibraryLock.acquire(folder, timeoutMilliseconds: lockTimeoutMilliseconds)
    return try folder.recover(
      from: backup,
      newestVersion: Schema.version,
      timestamp: timestamp,
      holding: lock,
      report: report
    )
  }

  /// Reads every page and lists what is damaged; empty when nothing is.
  public func integrityProblems() throws(StoreError) -> [String] {
    var problems = try database.connection.integrityCheck()
    // A backup that was put in place has its log from the first opening on.
    if try fileSize(folder.openedPath) != nil, try !database.connection.saysWriteAheadLog {
      problems.append("it is written without a write-ahead log; end the node and edit something")
    }
    return problems
  }

  /// The newest local time at which something was committed; nil when nothing was.
  public func lastCommitMilliseconds() throws(StoreError) -> Int64? {
    try database.connection.prepare("SELECT max(milliseconds) FROM moment").row {
      $0.isNull(0) ? nil : $0.int64(0)
    } ?? nil
  }

  /// Gives free pages back to the disk when there are many, and empties the write-ahead log.
  ///
  /// - Returns: The bytes of the database before and after.
  /// - Throws: `StoreError` when the store failed; nothing is lost by that.
  public func tidy() throws(StoreError) -> (before: Int, after: Int) {
    let before = try database.connection.integer(pragma: "page_count")
    let free = try database.connection.integer(pragma: "freelist_count")
    // Writing the whole file anew has to be worth it.
    if free > 64, free * 4 > before { try database.connection.execute("VACUUM") }
    try database.connection.checkpoint(truncating: true)
    let after = try database.connection.integer(pragma: "page_count")
    let pageBytes = try database.connection.integer(pragma: "page_size")
    return (Int(before * pageBytes), Int(after * pageBytes))
  }

  /// From now on commits leave it to `careForLog()` to shorten the write-ahead log, which takes a
  /// while: nobody who waits for a commit has to wait for that too.
  ///
  /// - Throws: `StoreError` when the library cannot be read.
  public func deferCheckpoints() throws(StoreError) { try database.deferCheckpoints() }

  /// Whether the write-ahead log has become long, or is about to.
  public var logNeedsCare: Bool { database.logNeedsCare }

  /// Shortens the write-ahead log where it is long; before that, gives it the length on disk that it
  /// will have.
  public func careForLog() { database.shortenLog() }
}

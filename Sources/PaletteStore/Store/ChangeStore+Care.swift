internal import PaletteMerge
package import PaletteModel
internal import PalettePlatform

extension ChangeStore {
  /// The version of the library's format that this program writes.
  public static var formatVersion: Int { LibrarySchema.current.version }

  /// Copies the library, as the last commit left it, into a single file.
  ///
  /// - Parameters:
  ///   - path: The file to make, with mode 0600; a file that is there is replaced.
  ///   - report: Receives the number of pages copied, and of all; what it throws ends the backup.
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
  ///   - report: Receives the number of pages copied, and of all; what it throws ends the recovery while
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
    let lock = try LibraryLock.acquire(
      in: folder.path,
      timeoutMilliseconds: lockTimeoutMilliseconds
    )
    return try folder.recover(
      from: backup,
      newestVersion: LibrarySchema.current.version,
      timestamp: timestamp,
      holding: lock,
      amend: { copy, old throws(StoreError) in
        // A library that cannot be read is replaced all the same; the summary says so.
        guard let ended = try? EndedGrants(of: old) else { return nil }
        return try ended.end(in: copy)
      },
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

  /// The newest local time at which a palette was changed last; nil when none was.
  ///
  /// A clock that was ahead once, and is right again, has later times before.
  package func lastCommitMilliseconds() throws(StoreError) -> Int64? {
    try database.connection.prepare(
      "SELECT max(milliseconds) FROM (SELECT max(arrival), milliseconds FROM moment GROUP BY palette)"
    ).row {
      $0.isNull(0) ? nil : $0.int64(0)
    } ?? nil
  }

  /// Gives free pages back to the disk when there are many, and empties the write-ahead log.
  ///
  /// - Parameter milliseconds: The time after which it stops, and waits for no reader; `giveBack` does the
  ///   rest then.
  /// - Returns: The bytes of the database before, and once all that is free has been given back.
  /// - Throws: `StoreError` when the store failed; nothing is lost by that.
  package func tidy(
    within milliseconds: Int64 = .max
  ) throws(StoreError) -> (before: Int, after: Int) {
    let before = try database.connection.integer(pragma: "page_count")
    let free = try database.connection.integer(pragma: "freelist_count")
    // To write much of the file again has to be worth it.
    let isWorthIt = free > 64 && free * 4 > before
    if isWorthIt { try giveBack(within: milliseconds) }
    try database.connection.checkpoint(truncating: milliseconds == .max)
    let after = try database.connection.integer(pragma: "page_count")
    let rest = isWorthIt ? try database.connection.integer(pragma: "freelist_count") : 0
    let pageBytes = try database.connection.integer(pragma: "page_size")
    return (Int(before * pageBytes), Int((after - rest) * pageBytes))
  }

  /// Gives free pages back to the disk, some in each transaction.
  ///
  /// - Parameter milliseconds: The time after which it stops.
  /// - Returns: Whether there are more.
  /// - Throws: `StoreError` when the store failed; nothing is lost by that.
  @discardableResult
  package func giveBack(within milliseconds: Int64) throws(StoreError) -> Bool {
    let start = ContinuousClock.now
    var free = try database.connection.integer(pragma: "freelist_count")
    while free > 0 {
      guard start.duration(to: .now) < .milliseconds(milliseconds) else { return true }
      try database.connection.execute("PRAGMA incremental_vacuum(\(Self.pagesGivenBack))")
      let rest = try database.connection.integer(pragma: "freelist_count")
      // What cannot go now goes another time.
      guard rest < free else { break }
      free = rest
    }
    return false
  }

  /// The pages that one transaction gives back: as many may have to be moved.
  private static var pagesGivenBack: Int { 128 }

  /// From now on commits leave it to `careForLog()` to shorten the write-ahead log, which takes a
  /// while: nobody who waits for a commit has to wait for that too.
  ///
  /// - Throws: `StoreError` when the library cannot be read.
  package func deferCheckpoints() throws(StoreError) { try database.deferCheckpoints() }

  /// True if the write-ahead log has become long, or is about to.
  package var logNeedsCare: Bool { database.logNeedsCare }

  /// Shortens the write-ahead log where it is long; before that, gives it the length on disk that it
  /// will have.
  package func careForLog() { database.shortenLog() }

  /// The most palettes that a sample has, the most changes of each, and how far back it looks.
  private static let sample = (palettes: 8, changes: 2_000, depth: 64)

  /// Some of the newest palettes, so few and small that `verify` looks at all of them in a moment.
  ///
  /// - Returns: The palettes, and whether these are all there are.
  package func samplePalettes() throws(StoreError) -> (palettes: [PaletteID], isAll: Bool) {
    let select = try database.prepare(
      """
      SELECT uuid, (SELECT sum(held) FROM stream WHERE stream.palette = newest.id)
      FROM (SELECT id, uuid FROM palette ORDER BY id DESC LIMIT \(Self.sample.depth + 1)) AS newest
      """
    )
    var found: [PaletteID] = []
    var isAll = true
    try select.rows { row throws(StoreError) in
      guard found.count < Self.sample.palettes, row.int64(1) <= Self.sample.changes else {
        isAll = false
        return
      }
      found.append(PaletteID(try row.recordID(0)))
    }
    return (found, isAll)
  }

  /// The bytes of the database, free pages included.
  package func databaseBytes() throws(StoreError) -> Int {
    Int(
      try database.connection.integer(pragma: "page_count")
        * database.connection.integer(pragma: "page_size")
    )
  }

  /// Opens a backup for reading, without writing anything in its folder.
  ///
  /// - Parameter path: The file.
  /// - Returns: The backup, and the version of its format: one of an older format can be checked page
  ///   by page, and read once `recover` put it in place.
  /// - Throws: `StoreError` with code `notALibrary`, `newerFormat`, `corrupt` and others.
  public static func reading(
    backup path: String
  ) throws(StoreError) -> (store: ChangeStore, version: Int) {
    let path = try AbsolutePath(path).text
    let folder = try LibraryFolder(
      String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)] + "/")
    )
    guard try fileSize(path) != nil else {
      throw StoreError(systemError: ENOENT, doing: "open", path: path)
    }
    try folder.checkHeader(of: path, newestVersion: LibrarySchema.current.version)
    let connection = try ReadingMode(of: path).open(path)
    let version = try folder.checkFormat(
      connection,
      of: path,
      newestVersion: LibrarySchema.current.version
    )
    let store = try ChangeStore(
      backupIn: folder,
      connection,
      isReadable: version == LibrarySchema.current.version
    )
    return (store, version)
  }

  /// Reads every page of a backup and lists what is damaged; empty when nothing is.
  package func pageProblems() throws(StoreError) -> [String] {
    try database.connection.integrityCheck()
  }

  /// Keeps what edits ask for again and again in memory from now on, once it is asked for: the order
  /// of lists, and the rows of palettes.
  ///
  /// It pays for whoever asks often; a command that asks once counts. Only for who writes the library.
  package func keepState() {
    precondition(isWritable, "who only reads learns nothing of what others write")
    cache.begin(StoreMemory())
  }

  /// Limits the memory that is kept for speed; what is over a smaller limit is given back at once.
  ///
  /// - Parameter memory: The limits.
  /// - Throws: `StoreError` when the library cannot be read.
  package func limit(to memory: StoreMemory) throws(StoreError) {
    try database.execute("PRAGMA cache_size = -\(max(1, memory.pageBytes >> 10))")
    cache.limit(to: memory)
  }

  /// Forgets the pages of the database, if they take much memory.
  ///
  /// A long read leaves as many behind as are kept, and hardly any of them is asked for again.
  ///
  /// - Returns: Whether there were so many.
  package func releasePages() -> Bool {
    guard database.connection.cachedBytes > 4 << 20 else { return false }
    database.connection.releaseCache()
    return true
  }

  /// Reads the order of a list, where orders are kept, for the edits to come.
  package func readOrder(of id: PaletteID) throws(StoreError) {
    if let palette = try paletteRow(id) { _ = try cache.order(of: palette) }
  }
}

extension ChangeStore {
  /// Shows the values of registers that versions before this one kept unread.
  func adoptRegisters() throws(StoreError) {
    guard try database.meta(.addedRegisters) != nil else { return }
    try write { transaction throws(StoreError) in
      for (palette, record) in try RegisterAdoption.records(in: database) {
        try transaction.palette(palette)?.records.rewrite(record)
      }
      try database.removeMeta(.addedRegisters)
    }
  }
}

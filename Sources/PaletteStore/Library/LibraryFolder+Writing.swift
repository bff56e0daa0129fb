import CSQLite
import PalettePlatform

extension LibraryFolder {
  /// The bytes of a page in a library that is made now; older ones keep the 4096 that they have.
  ///
  /// An edit writes five pages, whatever their size: at half of it the disk is done sooner, while what
  /// comes in thousands takes little longer.
  package static let pageBytes = 2048

  /// The memory in which SQLite may keep pages of a library that is alone in its process.
  static let cacheKibibytes = 16_384

  /// Opens the library for writing; creates it when it is missing, migrates it when it is older.
  ///
  /// A file that is not a library, or a newer one, is refused and not touched.
  ///
  /// - Parameters:
  ///   - role: The part that the file plays.
  ///   - migrations: Every step from version 0 to the newest, in order.
  ///   - cacheKibibytes: The memory that SQLite may keep pages in.
  ///   - lockTimeoutMilliseconds: How long to wait for another writer.
  ///   - random: Where the nonce of this opening comes from.
  ///   - adopt: Runs in the transaction that records this opening, so that what follows from the
  ///     continuity (a new node id) is stored with it or not at all.
  /// - Returns: The library, whose connection holds the lock.
  /// - Throws: `StoreError` with code `locked`, `notALibrary`, `newerFormat`, `readOnly`,
  ///   `diskFull`, `corrupt` and others.
  package func openForWriting(
    as role: FileRole = .library,
    migrations: [Migration],
    cacheKibibytes: Int = cacheKibibytes,
    lockTimeoutMilliseconds: Int = 5_000,
    using random: inout some RandomNumberGenerator,
    adopt: (borrowing DatabaseConnection, LibraryContinuity) throws(StoreError) -> Void = { _, _ in
    }
  ) throws(StoreError) -> WritableLibrary {
    let newestVersion = migrations.last?.version ?? 0
    if try checkFile(newestVersion: newestVersion) { try checkByReading(newestVersion) }
    try create()
    var resources = ConnectionResources()
    resources.lock = try LibraryLock.acquire(in: path, timeoutMilliseconds: lockTimeoutMilliseconds)
    // The one who held the lock until now may have created or migrated the library.
    if try !checkFile(newestVersion: newestVersion) { try createDatabase(migrations) }

    let connection = try DatabaseConnection(
      path: databasePath,
      mode: .readWrite(create: false),
      resources: resources
    )
    connection.setCheckpointOnClose(false)
    let version = try checkFormat(connection, of: databasePath, newestVersion: newestVersion)
    try connection.execute("PRAGMA trusted_schema = OFF; PRAGMA cache_size = -\(cacheKibibytes)")
    connection.setCheckpointOnClose(true)
    try connection.configureForWriting(as: role)
    if version < newestVersion { try migrate(connection, from: version, migrations) }
    let continuity = try renewContinuity(connection, using: &random, adopt: adopt)
    return WritableLibrary(
      connection: connection,
      continuity: continuity,
      migratedFrom: version < newestVersion ? version : nil
    )
  }

  /// Opens the file of a library that is a cache of its log, which alone says how the file goes on.
  ///
  /// Nothing in it waits for the disk. A store that is about to close is waited for.
  ///
  /// - Throws: `StoreError` with code `cannotOpen` when there is none, and what opening any library
  ///   throws.
  func openCache(newestVersion: Int) throws(StoreError) -> DatabaseConnection {
    guard try checkFile(newestVersion: newestVersion) else {
      throw StoreError(code: .cannotOpen, message: "there is no cache: \(path)")
    }
    var resources = ConnectionResources()
    resources.lock = try LibraryLock.acquire(in: path, timeoutMilliseconds: 1_000)
    let connection = try DatabaseConnection(
      path: databasePath,
      mode: .readWrite(create: false),
      resources: resources
    )
    try checkFormat(connection, of: databasePath, newestVersion: newestVersion)
    try connection.execute("PRAGMA trusted_schema = OFF")
    try connection.configureForWriting(as: .cache)
    return connection
  }

  /// Refuses what only SQLite can tell, while there is no trace of us in the folder.
  private func checkByReading(_ newestVersion: Int) throws(StoreError) {
    guard try fileSize(databasePath + "-shm") != nil else { return }
    let reader = try ReadingMode(of: databasePath).open(databasePath)
    try checkFormat(reader, of: databasePath, newestVersion: newestVersion)
  }

  /// Makes the file under another name and moves it into place when it is whole.
  private func createDatabase(_ migrations: [Migration]) throws(StoreError) {
    let draft = databasePath + ".new"
    try removeDatabase(draft)
    do throws(StoreError) {
      try makeDraft(draft, migrations)
    } catch {
      // What led here matters more than a draft that cannot be removed either.
      try? removeDatabase(draft)
      throw error
    }
    // A log without its database would be replayed into the new one.
    for suffix in Self.databaseSuffixes.dropFirst()
    where access(databasePath + suffix, F_OK) == 0 {
      try move(databasePath + suffix, to: "\(databasePath)\(suffix).left-over")
    }
    try move(draft, to: databasePath)
    try synchronize()
  }

  private func makeDraft(_ path: String, _ migrations: [Migration]) throws(StoreError) {
    try makePrivateFile(path)
    let connection = try DatabaseConnection(path: path, mode: .readWrite(create: false))
    try connection.execute(
      "PRAGMA page_size = \(Self.pageBytes); PRAGMA auto_vacuum = INCREMENTAL; PRAGMA trusted_schema = OFF"
    )
    try connection.transaction { () throws(StoreError) in
      try connection.execute("PRAGMA application_id = \(Self.applicationID)")
      try connection.apply(migrations)
    }
    try connection.configureForWriting(as: .library)
  }

  /// Brings an older library to the newest version in one transaction, after a backup.
  private func migrate(
    _ connection: borrowing DatabaseConnection,
    from version: Int,
    _ migrations: [Migration]
  ) throws(StoreError) {
    let backup = "\(databasePath).v\(version).backup"
    try connection.backup(to: backup, replacing: true, draft: "\(backup).partial")
    try connection.begin()
    do throws(StoreError) {
      try connection.apply(migrations.filter { $0.version > version })
      try connection.commit()
    } catch {
      connection.rollBack()
      throw error
    }
  }

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
    _ connection: borrowing DatabaseConnection,
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

extension DatabaseConnection {
  /// The settings of the one connection that writes a library.
  fileprivate func configureForWriting(as role: FileRole) throws(StoreError) {
    // First, since the change to a write-ahead log is a commit too.
    try execute("PRAGMA synchronous = \(role.synchronous)")
    let mode = try text(pragma: "journal_mode = WAL")
    guard mode == "wal", try saysWriteAheadLog else {
      throw StoreError(code: .cannotOpen, message: "no write-ahead log, but \(mode), is possible")
    }
    guard try integer(pragma: "synchronous") == role.synchronous else {
      throw StoreError(code: .cannotOpen, message: "commits cannot be made to wait for the disk")
    }
    try execute("PRAGMA journal_size_limit = 16777216; PRAGMA mmap_size = 0")
    try checkpoint(atLogBytes: role.logBytes)
  }

  fileprivate func apply(_ migrations: [Migration]) throws(StoreError) {
    for migration in migrations {
      try migration.apply(self)
      try setUserVersion(migration.version)
    }
  }
}

/// The part that the file of a library plays.
package enum FileRole: Sendable {
  /// It is the library: what was committed is on the disk.
  case library
  /// It is a cache of the library's log, and nothing waits for the disk.
  case cache

  /// The length of the write-ahead log at which it is moved into the file.
  ///
  /// That costs a cache no wait. A thousand of them with longer logs would hold gigabytes of the disk,
  /// and those that are edited alike would all be moved at about the same time.
  package var logBytes: Int {
    switch self {
    case .library: 4 << 20
    case .cache: 256 << 10
    }
  }

  /// The setting of SQLite: `FULL` or `OFF`.
  fileprivate var synchronous: Int64 {
    switch self {
    case .library: 2
    case .cache: 0
    }
  }
}

/// A library that this process alone may write.
///
/// The connection holds the library's lock until it and its last statement are gone.
package struct WritableLibrary: ~Copyable {
  /// The one connection that writes.
  package let connection: DatabaseConnection
  /// True if the files are still the ones that were written last.
  package let continuity: LibraryContinuity
  /// The schema version before this opening migrated it; nil when there was nothing to migrate.
  package let migratedFrom: Int?
}

/// One step from a schema version to the next.
package struct Migration: Sendable {
  /// The version that the library has after this step.
  package let version: Int
  /// Makes the step; part of one transaction with all other steps that are due.
  package let apply: @Sendable (borrowing DatabaseConnection) throws(StoreError) -> Void

  /// Describes a step; the one to version 1 makes the schema of a new library.
  package init(
    version: Int,
    apply: @escaping @Sendable (borrowing DatabaseConnection) throws(StoreError) -> Void
  ) {
    self.version = version
    self.apply = apply
  }
  /// The same step where nobody may make it.
  var refused: Migration {
    Migration(version: version) { _ throws(StoreError) in
      throw StoreError(code: .olderFormat, message: "the file has an older format")
    }
  }
}

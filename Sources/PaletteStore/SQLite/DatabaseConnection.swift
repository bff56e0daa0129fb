import CSQLite

/// One open SQLite database, used by one thread at a time.
///
/// SQLite's own mutex is off (`NOMUTEX`), since the owner of a connection is an actor or a single
/// thread. The database stays open until the connection and every statement prepared on it are
/// gone: https://sqlite.org/c3ref/close.html
package struct DatabaseConnection: ~Copyable {
  let handle: ConnectionHandle

  /// The way in which a database is opened.
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

  /// Runs `body` in a transaction that holds the write lock from its first moment.
  ///
  /// Everything or nothing: when `body` throws, or the commit fails, nothing of it stays. There is
  /// no transaction inside a transaction; trying leaves the outer one as it was.
  ///
  /// - Throws: What `body` throws, or why the transaction could not begin or commit.
  package func transaction<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try begin()
    do throws(StoreError) {
      let result = try body()
      try commit()
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Begins a transaction, for owners who cannot lend themselves to a closure.
  package func begin() throws(StoreError) {
    try execute("BEGIN IMMEDIATE")
  }

  /// Makes the transaction durable; when that fails, rolls it back.
  package func commit() throws(StoreError) {
    do throws(StoreError) {
      try execute("COMMIT")
    } catch {
      rollBack()
      throw error
    }
  }

  /// Undoes the open transaction, if there is one.
  ///
  /// A full disk or a failed write makes SQLite roll back by itself, so none may be open. The
  /// rollback of an open one only fails for reasons that closing the database settles as well.
  package func rollBack() {
    guard isInTransaction else { return }
    sqlite3_exec(handle.pointer, "ROLLBACK", nil, nil, nil)
  }

  /// The schema version that the file carries.
  package var userVersion: Int {
    get throws(StoreError) { Int(try integer(pragma: "user_version")) }
  }

  /// The number that says which program's file this is.
  package var applicationID: Int {
    get throws(StoreError) { Int(try integer(pragma: "application_id")) }
  }

  /// Stores the schema version; part of the open transaction.
  package func setUserVersion(_ version: Int) throws(StoreError) {
    try execute("PRAGMA user_version = \(version)")
  }

  /// The number that a pragma answers with; 0 when it answers nothing.
  package func integer(pragma name: String) throws(StoreError) -> Int64 {
    try prepare("PRAGMA \(name)").row { $0.int64(0) } ?? 0
  }

  /// The text that a pragma answers with; empty when it answers nothing.
  package func text(pragma name: String) throws(StoreError) -> String {
    try prepare("PRAGMA \(name)").row { $0.text(0) } ?? ""
  }

  /// True if the file itself says that it is written through a write-ahead log.
  ///
  /// What the pragma answers is what this connection does, and that may be something else.
  var saysWriteAheadLog: Bool {
    get throws(StoreError) {
      var file: UnsafeMutablePointer<sqlite3_file>?
      sqlite3_file_control(handle.pointer, "main", SQLITE_FCNTL_FILE_POINTER, &file)
      // A database in memory has no file.
      guard let file, let methods = file.pointee.pMethods else { return true }
      var versions: [UInt8] = [0, 0]
      let code = methods.pointee.xRead(file, &versions, Int32(versions.count), 18)
      guard code == SQLITE_OK else { throw error(code) }
      return versions == [2, 2]
    }
  }

  /// Moves what the write-ahead log holds into the database file, as far as readers allow.
  ///
  /// Only for the one connection that writes the library.
  ///
  /// - Parameter truncating: Whether the log is also cut to nothing.
  /// - Returns: Whether all of it was moved.
  /// - Throws: `StoreError` when the file cannot be written; a busy reader is no error.
  @discardableResult
  package func checkpoint(truncating: Bool = false) throws(StoreError) -> Bool {
    var frames: Int32 = 0
    var moved: Int32 = 0
    let mode = truncating ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
    let code = sqlite3_wal_checkpoint_v2(handle.pointer, nil, mode, &frames, &moved)
    guard code == SQLITE_OK || code & 0xFF == SQLITE_BUSY else { throw error(code) }
    return code == SQLITE_OK && frames == moved
  }

  /// The memory of the pages that are kept.
  package var cachedBytes: Int {
    var (used, highest): (Int32, Int32) = (0, 0)
    sqlite3_db_status(handle.pointer, SQLITE_DBSTATUS_CACHE_USED, &used, &highest, 0)
    return Int(used)
  }

  /// Forgets the pages that are kept and not in use.
  package func releaseCache() { sqlite3_db_release_memory(handle.pointer) }

  /// Reads everything and lists what is damaged; empty when nothing is.
  package func integrityCheck() throws(StoreError) -> [String] {
    try problems(pragma: "integrity_check")
  }

  /// Reads a table and its indexes and lists what is damaged, or where they disagree.
  package func integrityCheck(of table: String) throws(StoreError) -> [String] {
    try problems(pragma: "integrity_check(\(table))")
  }

  private func problems(pragma: String) throws(StoreError) -> [String] {
    var found: [String] = []
    do throws(StoreError) {
      try prepare("PRAGMA \(pragma)").rows { found.append($0.text(0)) }
    } catch  where error.code == .corrupt {
      // Some damage ends the check itself.
      found.append(error.message)
    }
    return found == ["ok"] ? [] : found
  }

  /// A function of SQL: with its arguments, it sets the result of a context.
  typealias Function =
    @convention(c) (
      _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
    ) -> Void

  /// Defines a function of SQL, which no schema can call.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - arguments: How many arguments it takes.
  ///   - owner: What `sqlite3_user_data` gives it; kept as long as the connection lasts.
  ///   - function: What it does.
  /// - Throws: `StoreError` when SQLite does not take it.
  func define(
    _ name: String,
    arguments: Int32,
    for owner: AnyObject,
    _ function: @escaping Function
  ) throws(StoreError) {
    let code = sqlite3_create_function_v2(
      handle.pointer,
      name,
      arguments,
      SQLITE_UTF8 | SQLITE_DIRECTONLY,
      Unmanaged.passRetained(owner).toOpaque(),
      function,
      nil,
      nil,
      { owner in owner.map { Unmanaged<AnyObject>.fromOpaque($0).release() } }
    )
    // SQLite has let go of the owner where it failed.
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// The configuration of SQLite that comes before anything else, once.
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

  /// The number of rows the last statement inserted, updated or deleted.
  package var changes: Int { Int(sqlite3_changes64(handle.pointer)) }

  /// SQLite's text for the last failure.
  package var lastErrorMessage: String { String(cString: sqlite3_errmsg(handle.pointer)) }

  /// True if the file is not at its path any more, or another one is.
  var hasMoved: Bool {
    var answer: Int32 = 0
    sqlite3_file_control(handle.pointer, "main", SQLITE_FCNTL_HAS_MOVED, &answer)
    return answer != 0
  }

  /// True if a transaction is open.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle.pointer) == 0 }

  /// Returns whether the last connection to close moves the write-ahead log into the database file.
  func setCheckpointOnClose(_ on: Bool) {
    csqlite_set_checkpoint_on_close(handle.pointer, on ? 1 : 0)
  }

  func error(_ code: Int32, sql: String? = nil) -> StoreError {
    StoreError(sqliteCode: code, connection: handle.pointer, sql: sql)
  }
}

/// The open database behind a connection and all its statements.
///
/// Each of them holds one reference, taken once and never counted per use, so the database closes
/// when the last is gone, in whatever order their owner lets go of them. Only then may what it
/// stood on go too: the close itself writes (it checkpoints), and must still happen under the lock.
final class ConnectionHandle {
  let pointer: OpaquePointer
  /// The hook through which SQLite reports the length of the write-ahead log.
  let log: UnsafeMutablePointer<LogLength>
  private let resources: ConnectionResources

  init(pointer: OpaquePointer, resources: consuming ConnectionResources) {
    self.pointer = pointer
    self.resources = resources
    log = .allocate(capacity: 1)
    log.initialize(to: LogLength())
  }

  deinit {
    // No statement is left here; v2 is for the incomplete backups that are not ours to forget.
    sqlite3_close_v2(pointer)
    log.deallocate()
  }
}

/// The resources of a connection: held until its database has closed, then released.
struct ConnectionResources: ~Copyable {
  /// The library's lock, when the connection writes.
  var lock: LibraryLock?
  /// The private copy that the connection reads, deleted afterwards.
  var temporaryFolder: TemporaryFolder?
  /// The open folder that a path through `/proc/self/fd` goes through.
  var folder: FileDescriptor?

  init() {}
}

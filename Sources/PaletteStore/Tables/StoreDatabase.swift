import PaletteModel

/// The open database of a library: its connection, and the statements that are prepared on it.
///
/// Every part of a store reads and writes its own tables through it.
final class StoreDatabase {
  /// For what is done to the whole database; tables are used by statements.
  let connection: DatabaseConnection
  private let role: FileRole
  private let queries = PreparedQueries()
  /// True if the write-ahead log has the length on disk that it will have.
  private var hasLongLog = true

  /// The reason why nothing can be done with the database until it is opened again.
  private var failure: StoreError?

  /// After so many bytes it is worth making the log as long as it will be.
  private static let steadyLogBytes = 128 << 10

  init(_ connection: consuming DatabaseConnection, as role: FileRole = .library) {
    self.connection = connection
    self.role = role
  }

  /// The prepared statement of a query.
  func box(_ query: Query) throws(StoreError) -> PreparedQueries.Box {
    try check()
    return try queries.box(query, on: connection)
  }

  /// Prepares a statement that seldom runs.
  func prepare(_ sql: String) throws(StoreError) -> Statement {
    try check()
    return try connection.prepare(sql)
  }

  /// Runs statements without parameters.
  func execute(_ sql: String) throws(StoreError) {
    try check()
    try connection.execute(sql)
  }

  /// The value of a row of `meta`.
  func meta(_ key: MetaKey) throws(StoreError) -> [UInt8]? {
    let select = try box(.meta)
    try select.statement.bind(key.name, at: 1)
    return try select.statement.row { $0.bytes(0) }
  }

  /// Writes a row of `meta`.
  func setMeta(_ key: MetaKey, _ value: [UInt8]) throws(StoreError) {
    try check()
    try connection.setMeta(key, value)
  }

  /// Removes a row of `meta`, if it is there.
  func removeMeta(_ key: MetaKey) throws(StoreError) {
    try check()
    try connection.removeMeta(key)
  }

  /// Writes which entry of the log the database holds.
  func setPosition(_ position: CachePosition) throws(StoreError) {
    try connection.setLocal(.position, position.bytes)
  }

  /// Fails whatever the database is asked from now on.
  func giveUp(because error: StoreError) {
    failure = StoreError(
      code: error.code,
      sqliteCode: error.sqliteCode,
      message: "the file lacks a commit that its log has: \(error.message)"
    )
  }

  private func check() throws(StoreError) {
    if let failure { throw failure }
  }

  /// Fails where the library's file was moved or removed: what is written into it would go with it.
  func checkPlace() throws(StoreError) {
    // A cache may be thrown away at any moment.
    guard role == .library, connection.hasMoved else { return }
    throw StoreError(
      code: .cannotOpen,
      message: "the library's file was moved or removed while it is open",
      hint: "put it back; or end the node, and begin it again with the file that is there then"
    )
  }

  /// Leaves it to `shortenLog()` to shorten the write-ahead log.
  func deferCheckpoints() throws(StoreError) {
    try connection.deferCheckpoints()
    // What is gained with a long log is a shorter wait for the disk.
    hasLongLog = role == .cache
  }

  /// True if the write-ahead log has become long, or is about to.
  var logNeedsCare: Bool {
    connection.logBytes >= (hasLongLog ? role.logBytes : Self.steadyLogBytes)
  }

  /// Shortens the write-ahead log where it is long; before that, gives it the length on disk that it
  /// will have.
  func shortenLog() {
    if connection.logBytes >= role.logBytes { connection.checkpoint() }
    guard !hasLongLog else { return }
    // The commit that is the first beyond the limit still has room.
    connection.lengthenLog(toBytes: role.logBytes / 4 * 5)
    hasLongLog = true
  }
}

/// The prepared statements of one connection.
///
/// A statement cannot be copied, so each has a box of its own; boxes are made when they are first
/// asked for, since a command line call needs few of them.
final class PreparedQueries {
  /// Keeps one statement.
  final class Box {
    let statement: Statement

    init(_ statement: consuming Statement) {
      self.statement = statement
    }
  }

  /// The statements by the numbers of their queries.
  private var boxes: [Box?] = []

  /// The statement of a query.
  func box(_ query: Query, on connection: borrowing DatabaseConnection) throws(StoreError) -> Box {
    if query.number < boxes.count, let box = boxes[query.number] { return box }
    let box: Box
    do throws(StoreError) {
      box = Box(try connection.prepare(query.sql))
    } catch  where error.code == .failed {
      // The statements are sound: then the description of the tables is not.
      throw error.corrupt
    }
    if query.number >= boxes.count {
      boxes += repeatElement(nil, count: query.number + 1 - boxes.count)
    }
    boxes[query.number] = box
    return box
  }
}

/// The clock of a library: what it reads, and how wrong peers say that it is.
final class StoreClock {
  private let milliseconds: () -> Int64
  /// The correction of the clock for stamps; usually 0.
  private(set) var offsetMilliseconds: Int64 = 0

  init(milliseconds: @escaping () -> Int64) {
    self.milliseconds = milliseconds
  }

  /// The reading of the clock, in milliseconds since 1970.
  var nowMilliseconds: Int64 { milliseconds() }

  /// The time by the corrected clock.
  var correctedMilliseconds: Int64 { nowMilliseconds &+ offsetMilliseconds }

  /// Adds something else to the clock from now on.
  func correct(byMilliseconds offset: Int64) { offsetMilliseconds = offset }
}

/// The source of random numbers that all parts of a store draw from.
final class StoreRandom: RandomNumberGenerator {
  private var generator: any RandomNumberGenerator

  init(_ generator: any RandomNumberGenerator) {
    self.generator = generator
  }

  func next() -> UInt64 { generator.next() }
}

extension Query {
  fileprivate static let meta = Query("SELECT value FROM meta WHERE key = ?1")
}

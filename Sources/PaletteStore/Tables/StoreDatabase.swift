/// The open database of a library: its connection, and the statements that are prepared on it.
///
/// Every part of a store reads and writes its own tables through it.
final class StoreDatabase {
  /// For what is done to the whole database; tables are used by statements.
  let connection: Connection
  private let queries = PreparedQueries()
  /// Whether the write-ahead log has the length on disk that it will have.
  private var hasLongLog = true

  /// After so many bytes it is worth making the log as long as it will be.
  private static let steadyLogBytes = 128 << 10

  init(_ connection: consuming Connection) {
    self.connection = connection
  }

  /// The prepared statement of a query.
  func box(_ query: Query) throws(StoreError) -> PreparedQueries.Box {
    try queries.box(query, on: connection)
  }

  /// Prepares a statement that seldom runs.
  func prepare(_ sql: String) throws(StoreError) -> Statement { try connection.prepare(sql) }

  /// Runs statements without parameters.
  func execute(_ sql: String) throws(StoreError) { try connection.execute(sql) }

  /// The value of a row of `meta`.
  func meta(_ key: MetaKey) throws(StoreError) -> [UInt8]? { try connection.meta(key) }

  /// Writes a row of `meta`.
  func setMeta(_ key: MetaKey, _ value: [UInt8]) throws(StoreError) {
    try connection.setMeta(key, value)
  }

  /// Leaves it to `shortenLog()` to shorten the write-ahead log.
  func deferCheckpoints() throws(StoreError) {
    try connection.deferCheckpoints()
    hasLongLog = false
  }

  /// Whether the write-ahead log has become long, or is about to.
  var logNeedsCare: Bool {
    connection.logBytes >= (hasLongLog ? LibraryFolder.logBytes : Self.steadyLogBytes)
  }

  /// Shortens the write-ahead log where it is long; before that, gives it the length on disk that it
  /// will have.
  func shortenLog() {
    if connection.logBytes >= LibraryFolder.logBytes { connection.checkpoint() }
    guard !hasLongLog else { return }
    // The commit that is the first beyond the limit still has room.
    connection.lengthenLog(toBytes: LibraryFolder.logBytes / 4 * 5)
    hasLongLog = true
  }
}

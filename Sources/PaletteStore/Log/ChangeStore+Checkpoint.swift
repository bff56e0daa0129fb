extension ChangeStore {
  /// After so many bytes it is worth making the log as long as it will be.
  private static let steadyLogBytes = 128 << 10

  /// From now on commits leave it to `careForLog()` to shorten the write-ahead log, which takes a
  /// while: nobody who waits for a commit has to wait for that too.
  ///
  /// - Throws: `StoreError` when the library cannot be read.
  public func deferCheckpoints() throws(StoreError) {
    try connection.deferCheckpoints()
    hasLongLog = false
  }

  /// Whether the write-ahead log has become long, or is about to.
  public var logNeedsCare: Bool {
    connection.logBytes >= (hasLongLog ? LibraryFolder.logBytes : Self.steadyLogBytes)
  }

  /// Shortens the write-ahead log where it is long; before that, gives it the length on disk that it
  /// will have.
  public func careForLog() {
    if connection.logBytes >= LibraryFolder.logBytes { connection.checkpoint() }
    guard !hasLongLog else { return }
    // The commit that is the first beyond the limit still has room.
    connection.lengthenLog(toBytes: LibraryFolder.logBytes / 4 * 5)
    hasLongLog = true
  }
}

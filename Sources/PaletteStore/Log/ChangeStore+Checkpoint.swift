extension ChangeStore {
  /// How many pages the write-ahead log gets before it is shortened.
  private static let logPages = 1_000
  /// After so many pages it is worth making the log as long as it will be.
  private static let steadyPages = 32

  /// From now on commits leave it to `careForLog()` to shorten the write-ahead log, which takes a
  /// while: nobody who waits for a commit has to wait for that too.
  public func deferCheckpoints() {
    connection.deferCheckpoints()
    hasLongLog = false
  }

  /// Whether the write-ahead log has become long, or is about to.
  public var logNeedsCare: Bool {
    let pages = connection.logPages
    return pages >= (hasLongLog ? Self.logPages : Self.steadyPages)
  }

  /// Shortens the write-ahead log where it is long; before that, gives it the length on disk that it
  /// will have.
  public func careForLog() {
    if connection.logPages >= Self.logPages { connection.checkpoint() }
    guard !hasLongLog else { return }
    // The commit that is the first beyond the limit still has room.
    connection.lengthenLog(toPages: Self.logPages + Self.logPages / 4)
    hasLongLog = true
  }
}

extension ChangeStore {
  /// From now on commits leave it to `checkpoint()` to shorten the write-ahead log, which takes a
  /// while: nobody who waits for a commit has to wait for that too.
  public func deferCheckpoints() { connection.deferCheckpoints() }

  /// Whether the write-ahead log has become long.
  public var needsCheckpoint: Bool { connection.logPages >= 1_000 }

  /// Shortens the write-ahead log.
  public func checkpoint() { connection.checkpoint() }
}

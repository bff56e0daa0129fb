import CSQLite

/// The open database behind a connection and all its statements.
///
/// Each of them holds one reference, taken once and never counted per use, so the database closes
/// when the last is gone, in whatever order their owner lets go of them. Only then may what it
/// stood on go too: the close itself writes (it checkpoints), and must still happen under the lock.
final class ConnectionHandle {
  let pointer: OpaquePointer
  /// Where SQLite tells how long the write-ahead log is.
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

import CSQLite

extension DatabaseConnection {
  /// Appends zeros to the write-ahead log until it is so long.
  ///
  /// A commit into a file whose length stays is synced in two thirds of the time. SQLite takes zeros
  /// for what they are: not a part of the log. Where there is no room for them, nothing changes.
  func lengthenLog(toBytes end: Int) {
    guard !isInTransaction, let log, let methods = log.pointee.pMethods else { return }
    var length: sqlite3_int64 = 0
    guard methods.pointee.xFileSize(log, &length) == SQLITE_OK, length > 0 else { return }
    let zeros = [UInt8](repeating: 0, count: 64 << 10)
    var offset = length
    while offset < end {
      let count = min(Int64(end) - offset, Int64(zeros.count))
      let code = methods.pointee.xWrite(log, zeros, Int32(count), offset)
      guard code == SQLITE_OK else {
        // The space is worth more to edits.
        _ = methods.pointee.xTruncate(log, length)
        return
      }
      offset += count
    }
    _ = methods.pointee.xSync(log, SQLITE_SYNC_NORMAL)
  }

  /// Does something while the disk writes the transaction that `commit` ends.
  ///
  /// - Parameters:
  ///   - meanwhile: What needs neither the connection nor that the transaction will be durable. It is
  ///     left out where no log is written.
  ///   - commit: Commits.
  /// - Throws: What `commit` throws.
  func overlap(
    _ meanwhile: @escaping () -> Void,
    with commit: () throws(StoreError) -> Void
  ) throws(StoreError) {
    guard let log, let methods = log.pointee.pMethods else { return try commit() }
    var meanwhile = meanwhile
    withUnsafeMutablePointer(to: &meanwhile) {
      _ = methods.pointee.xFileControl(log, LogControl.meanwhile, $0)
    }
    defer { _ = methods.pointee.xFileControl(log, LogControl.meanwhile, nil) }
    try commit()
  }

  /// The open write-ahead log; nil while there is none.
  private var log: UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(
      handle.pointer,
      nil,
      SQLITE_FCNTL_JOURNAL_POINTER,
      &file
    )
    return code == SQLITE_OK && file?.pointee.pMethods != nil ? file : nil
  }

  /// Leaves checkpoints to `checkpoint()`, instead of to the commit that makes the log long.
  package func deferCheckpoints() throws(StoreError) {
    handle.log.pointee.frameBytes = try logFrameBytes
    sqlite3_wal_hook(
      handle.pointer,
      { owner, _, _, frames in
        owner?.assumingMemoryBound(to: LogLength.self).pointee.frames = Int(frames)
        return SQLITE_OK
      },
      handle.log
    )
  }

  /// Leaves checkpoints to the commit that makes the log so long.
  package func checkpoint(atLogBytes bytes: Int) throws(StoreError) {
    try execute("PRAGMA wal_autocheckpoint = \(bytes / logFrameBytes)")
  }

  /// The bytes of a page in the write-ahead log, with those that stand before it.
  private var logFrameBytes: Int {
    get throws(StoreError) {
      LogLength.frameBytes(ofPage: Int(try integer(pragma: "page_size")))
    }
  }

  /// The length of the write-ahead log after the last commit, if checkpoints are deferred.
  package var logBytes: Int { handle.log.pointee.bytes }

  /// Moves what is in the write-ahead log into the database file, as far as readers let it.
  package func checkpoint() {
    // What cannot be moved now is moved next time; nothing is lost meanwhile.
    sqlite3_wal_checkpoint_v2(handle.pointer, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    handle.log.pointee.frames = 0
  }
}

/// The length of a write-ahead log.
struct LogLength {
  /// The bytes of a page in the log, with what stands before it.
  var frameBytes = 0
  /// The number of them the last commit left in the log.
  var frames = 0

  /// The bytes of a log, but for its first 32.
  var bytes: Int { frames * frameBytes }

  /// The frame of a page.
  static func frameBytes(ofPage pageBytes: Int) -> Int { pageBytes + 24 }
}

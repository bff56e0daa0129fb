import CSQLite

extension Connection {
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

  /// What a page takes in the write-ahead log, where what stands before it counts too.
  private var logFrameBytes: Int {
    get throws(StoreError) {
      LogLength.frameBytes(ofPage: Int(try integer(pragma: "page_size")))
    }
  }

  /// How long the write-ahead log was after the last commit, when checkpoints are deferred.
  package var logBytes: Int { handle.log.pointee.bytes }

  /// Moves what is in the write-ahead log into the database file, as far as readers let it.
  package func checkpoint() {
    // What cannot be moved now is moved next time; nothing is lost meanwhile.
    sqlite3_wal_checkpoint_v2(handle.pointer, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    handle.log.pointee.frames = 0
  }
}

import CSQLite

extension Connection {
  /// Leaves checkpoints to `checkpoint()`, instead of to the commit that makes the log long.
  package func deferCheckpoints() {
    sqlite3_wal_hook(
      handle.pointer,
      { owner, _, _, pages in
        owner?.assumingMemoryBound(to: Int32.self).pointee = pages
        return SQLITE_OK
      },
      handle.logPages
    )
  }

  /// How many pages the write-ahead log had after the last commit, when checkpoints are deferred.
  package var logPages: Int { Int(handle.logPages.pointee) }

  /// Moves what is in the write-ahead log into the database file, as far as readers let it.
  package func checkpoint() {
    // What cannot be moved now is moved next time; nothing is lost meanwhile.
    sqlite3_wal_checkpoint_v2(handle.pointer, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    handle.logPages.pointee = 0
  }
}

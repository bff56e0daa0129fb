import CSQLite

extension Connection {
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

  /// Whether the file itself says that it is written through a write-ahead log.
  ///
  /// What the pragma answers is what this connection does, and that may be something else.
  package var saysWriteAheadLog: Bool {
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
}

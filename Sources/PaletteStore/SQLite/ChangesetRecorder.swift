import CSQLite

/// The recording of what each transaction of a connection changes in some tables.
///
/// It is SQLite's session extension (https://sqlite.org/sessionintro.html). A commit that changes these
/// tables and whose changeset nobody asked for fails.
final class ChangesetRecorder {
  private let connection: ConnectionHandle
  private let isRecorded: (String) -> Bool
  /// There from the first statement on: one that deletes all rows of a table and was prepared while
  /// nothing is recorded would tell nobody of them.
  private var session: OpaquePointer?
  /// True after the changeset was asked for, until the transaction ends.
  private var isSealed = false

  /// Begins to record.
  ///
  /// - Parameters:
  ///   - connection: The connection; nothing is prepared on it yet that writes.
  ///   - isRecorded: Tells whether the changes to a table are recorded.
  /// - Throws: `StoreError` when there is no memory for it.
  init(
    of connection: borrowing DatabaseConnection,
    where isRecorded: @escaping (String) -> Bool
  ) throws(StoreError) {
    self.connection = connection.handle
    self.isRecorded = isRecorded
    session = try makeSession()
    sqlite3_commit_hook(
      self.connection.pointer,
      { recorder in
        recorder.map(ChangesetRecorder.at)?.mayCommit == true ? 0 : 1
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
  }

  deinit {
    sqlite3_commit_hook(connection.pointer, nil, nil)
    if let session { sqlite3session_delete(session) }
  }

  private static func at(_ pointer: UnsafeMutableRawPointer) -> ChangesetRecorder {
    Unmanaged.fromOpaque(pointer).takeUnretainedValue()
  }

  private var mayCommit: Bool {
    isSealed || session.map { sqlite3session_isempty($0) != 0 } ?? false
  }

  private func makeSession() throws(StoreError) -> OpaquePointer {
    var made: OpaquePointer?
    let code = sqlite3session_create(connection.pointer, "main", &made)
    guard code == SQLITE_OK, let made else { throw error(code) }
    sqlite3session_table_filter(
      made,
      { recorder, table in
        guard let recorder, let table else { return 0 }
        return ChangesetRecorder.at(recorder).isRecorded(String(cString: table)) ? 1 : 0
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
    let attached = sqlite3session_attach(made, nil)
    guard attached == SQLITE_OK else {
      sqlite3session_delete(made)
      throw error(attached)
    }
    return made
  }

  /// The changes of the open transaction, after which it may commit; empty where they leave every row as
  /// it was.
  func seal() throws(StoreError) -> [UInt8] {
    guard let session else {
      throw StoreError(code: .failed, message: "changes are not recorded any more")
    }
    var count: Int32 = 0
    var bytes: UnsafeMutableRawPointer?
    let code = sqlite3session_changeset(session, &count, &bytes)
    defer { sqlite3_free(bytes) }
    guard code == SQLITE_OK else { throw error(code) }
    isSealed = true
    return Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
  }

  /// Forgets the transaction that ended.
  ///
  /// - Throws: `StoreError` when there is no memory for the next one; then none commits.
  func restart() throws(StoreError) {
    guard isSealed || !mayCommit else { return }
    isSealed = false
    if let session { sqlite3session_delete(session) }
    session = nil
    session = try makeSession()
  }

  private func error(_ code: Int32) -> StoreError {
    StoreError(code: .init(sqliteCode: code), sqliteCode: code, message: "changes are not recorded")
  }
}

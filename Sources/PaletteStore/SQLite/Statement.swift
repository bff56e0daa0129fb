import CSQLite

/// One prepared statement: bind, run or step, read columns, reset, again.
///
/// Parameters count from 1 and columns from 0, as in SQLite. Bound values stay until they are bound
/// anew. Columns may only be read after `step()` returned true and before the next call.
package struct Statement: ~Copyable {
  let handle: OpaquePointer
  private let connection: ConnectionHandle

  init(_ sql: String, on connection: ConnectionHandle) throws(StoreError) {
    handle = try Self.prepare(sql, on: connection.pointer)
    self.connection = connection
  }

  deinit {
    sqlite3_finalize(handle)
  }
}

extension Statement {
  /// Runs the statement to its end, ignores its rows, and resets it.
  package func run() throws(StoreError) {
    var code = sqlite3_step(handle)
    while code == SQLITE_ROW { code = sqlite3_step(handle) }
    guard code == SQLITE_DONE else { throw failure(code) }
    sqlite3_reset(handle)
  }

  /// Moves to the next row; false at the end, where the statement is reset by itself.
  package func step() throws(StoreError) -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    guard code == SQLITE_DONE else { throw failure(code) }
    sqlite3_reset(handle)
    return false
  }

  /// Reads the first row, if there is one, and resets the statement.
  ///
  /// A statement that writes commits at its end, which is here, and can fail there.
  package func row<Result>(
    _ read: (borrowing Statement) throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    guard try step() else { return nil }
    let result: Result
    do throws(StoreError) {
      result = try read(self)
    } catch {
      reset()
      throw error
    }
    let code = sqlite3_reset(handle)
    guard code == SQLITE_OK else { throw failure(code) }
    return result
  }

  /// Reads every row in turn, and resets the statement, also when `read` throws.
  package func rows(
    _ read: (borrowing Statement) throws(StoreError) -> Void
  ) throws(StoreError) {
    defer { reset() }
    while try step() { try read(self) }
  }

  /// Makes the statement ready to run again; ends its part in a read transaction.
  package func reset() {
    // It returns the error of the last step once more, which was thrown already; and what reads has
    // nothing to commit.
    sqlite3_reset(handle)
  }

  private func failure(_ code: Int32) -> StoreError {
    // The message has to be read before the reset.
    let error = StoreError(
      sqliteCode: code,
      connection: sqlite3_db_handle(handle),
      sql: sqlite3_sql(handle).map { String(cString: $0) }
    )
    sqlite3_reset(handle)
    return error
  }

  private static func prepare(
    _ sql: String,
    on connection: OpaquePointer
  ) throws(StoreError) -> OpaquePointer {
    var text = sql
    var statement: OpaquePointer?
    var isAlone = true
    let code = text.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) { text in
        var tail: UnsafePointer<CChar>?
        let code = sqlite3_prepare_v3(
          connection,
          text.baseAddress,
          Int32(clamping: text.count),
          UInt32(SQLITE_PREPARE_PERSISTENT),
          &statement,
          &tail
        )
        if let tail, let start = text.baseAddress { isAlone = tail == start + text.count }
        return code
      }
    }
    guard code == SQLITE_OK else {
      let error = StoreError(sqliteCode: code, connection: connection, sql: sql)
      // The tables of a format are known, so one that lacks something is damaged.
      throw error.message.hasPrefix("no such ") ? error.corrupt : error
    }
    // What follows the first statement would never run.
    guard let statement, isAlone else {
      sqlite3_finalize(statement)
      throw StoreError(code: .failed, message: "this is not exactly one statement", sql: sql)
    }
    return statement
  }
}

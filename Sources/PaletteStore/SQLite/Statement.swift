import CSQLite

/// One prepared statement: bind, run or step, read columns, reset, again.
///
/// Parameters count from 1 and columns from 0, as in SQLite. Bound values stay until they are bound
/// again. Columns may only be read after `step()` returned true and before the next call.
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

  /// Binds an integer.
  package func bind(_ value: Int64, at index: Int32) throws(StoreError) {
    try check(sqlite3_bind_int64(handle, index, value))
  }

  /// Binds an integer.
  package func bind(_ value: Int, at index: Int32) throws(StoreError) {
    try bind(Int64(value), at: index)
  }

  /// Binds NULL.
  package func bindNull(at index: Int32) throws(StoreError) {
    try check(sqlite3_bind_null(handle, index))
  }

  /// Binds text by its length in bytes, so that it may hold NUL.
  package func bind(_ value: String, at index: Int32) throws(StoreError) {
    var value = value
    let code = value.withUTF8 { utf8 in
      // A null pointer would bind NULL in place of empty text.
      guard let start = utf8.baseAddress else {
        return csqlite_bind_text_copy(handle, index, "", 0)
      }
      return csqlite_bind_text_copy(handle, index, start, UInt64(utf8.count))
    }
    try check(code)
  }

  /// Binds bytes, copied by SQLite.
  package func bind(_ value: UnsafeRawBufferPointer, at index: Int32) throws(StoreError) {
    try check(bindCopy(value, at: index))
  }

  /// Binds text by its bytes, which are valid UTF-8, copied by SQLite.
  func bindText(_ utf8: UnsafeRawBufferPointer, at index: Int32) throws(StoreError) {
    // A null pointer would bind NULL in place of empty text.
    guard let start = utf8.baseAddress, !utf8.isEmpty else {
      return try check(csqlite_bind_text_copy(handle, index, "", 0))
    }
    try check(csqlite_bind_text_copy(handle, index, start, UInt64(utf8.count)))
  }

  /// Binds bytes, copied by SQLite.
  package func bind(_ value: [UInt8], at index: Int32) throws(StoreError) {
    try check(value.withUnsafeBytes { bindCopy($0, at: index) })
  }

  /// Binds bytes that stay where they are until the statement has run.
  package func bind(lent value: UnsafeRawBufferPointer, at index: Int32) throws(StoreError) {
    guard let start = value.baseAddress, !value.isEmpty else {
      return try check(sqlite3_bind_zeroblob(handle, index, 0))
    }
    try check(sqlite3_bind_blob(handle, index, start, Int32(value.count), nil))
  }

  /// Binds the UTF-8 of text that stays where it is until the statement has run.
  package func bind(lentText value: UnsafeRawBufferPointer, at index: Int32) throws(StoreError) {
    guard let start = value.baseAddress, !value.isEmpty else { return try bind("", at: index) }
    let text = start.assumingMemoryBound(to: CChar.self)
    try check(sqlite3_bind_text(handle, index, text, Int32(value.count), nil))
  }

  /// Forgets everything that is bound.
  func clearBindings() { sqlite3_clear_bindings(handle) }

  /// Binds an integer, or NULL.
  package func bind(_ value: Int64?, at index: Int32) throws(StoreError) {
    if let value { try bind(value, at: index) } else { try bindNull(at: index) }
  }

  /// Binds text, or NULL.
  package func bind(_ value: String?, at index: Int32) throws(StoreError) {
    if let value { try bind(value, at: index) } else { try bindNull(at: index) }
  }

  /// Binds bytes, or NULL.
  package func bind(_ value: [UInt8]?, at index: Int32) throws(StoreError) {
    if let value { try bind(value, at: index) } else { try bindNull(at: index) }
  }

  private func bindCopy(_ value: UnsafeRawBufferPointer, at index: Int32) -> Int32 {
    // A null pointer would bind NULL in place of an empty blob.
    guard let start = value.baseAddress, !value.isEmpty else {
      return sqlite3_bind_zeroblob(handle, index, 0)
    }
    return csqlite_bind_blob_copy(handle, index, start, UInt64(value.count))
  }

  private func check(_ code: Int32) throws(StoreError) {
    guard code == SQLITE_OK else {
      throw StoreError(
        sqliteCode: code,
        connection: sqlite3_db_handle(handle),
        sql: sqlite3_sql(handle).map { String(cString: $0) }
      )
    }
  }

  /// Returns whether the column is NULL.
  package func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  /// The column as an integer; 0 for NULL.
  package func int64(_ column: Int32) -> Int64 {
    sqlite3_column_int64(handle, column)
  }

  /// The column as text by its length in bytes; empty for NULL.
  package func text(_ column: Int32) -> String {
    guard let start = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// A copy of the column's bytes; empty for NULL.
  package func bytes(_ column: Int32) -> [UInt8] {
    withBytes(column) { [UInt8]($0) }
  }

  /// Lends the column's bytes, which SQLite owns, to `body`; empty for NULL.
  package func withBytes<Result, Failure: Error>(
    _ column: Int32,
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = sqlite3_column_blob(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    return try body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

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

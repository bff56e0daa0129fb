import CSQLite

extension Statement {
  /// Binds an integer.
  package func bind(_ value: Int64, at index: Int32) throws(StoreError) {
    try check(sqlite3_bind_int64(handle, index, value))
  }

  /// Binds an integer.
  package func bind(_ value: Int, at index: Int32) throws(StoreError) {
    try bind(Int64(value), at: index)
  }

  /// Binds a floating-point number; SQLite stores NaN as NULL.
  package func bind(_ value: Double, at index: Int32) throws(StoreError) {
    try check(sqlite3_bind_double(handle, index, value))
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
  package func bindText(_ utf8: UnsafeRawBufferPointer, at index: Int32) throws(StoreError) {
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
  package func clearBindings() { sqlite3_clear_bindings(handle) }

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
}

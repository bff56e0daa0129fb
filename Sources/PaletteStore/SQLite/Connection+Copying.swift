import CSQLite

extension Connection {
  /// Copies every page into an empty file, which becomes a plain database.
  ///
  /// - Returns: How many pages were copied.
  func copyPages(to draft: String) throws(StoreError) -> Int {
    let copy = try Connection(path: draft, mode: .readWrite(create: false))
    // The draft is worthless unless it becomes whole, so nothing protects it on the way.
    try copy.execute("PRAGMA synchronous = OFF")
    guard let backup = sqlite3_backup_init(copy.handle.pointer, "main", handle.pointer, "main")
    else { throw copy.error(sqlite3_errcode(copy.handle.pointer)) }
    let code = sqlite3_backup_step(backup, -1)
    let pages = Int(sqlite3_backup_pagecount(backup))
    let result = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, result == SQLITE_OK else {
      throw copy.error(code == SQLITE_DONE ? result : code)
    }
    // The header still says write-ahead log; a plain file must open in any folder.
    let mode = try copy.text(pragma: "journal_mode = DELETE")
    guard mode == "delete" else {
      throw StoreError(code: .failed, message: "the copy kept journal mode \(mode): \(draft)")
    }
    return pages
  }

  /// The path of the database; nil for one in memory.
  var fileName: String? {
    sqlite3_db_filename(handle.pointer, "main").map { String(cString: $0) }
  }
}

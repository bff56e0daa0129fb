import CSQLite

extension DatabaseConnection {
  /// The number of pages that are copied between two reports.
  private static let pagesAtOnce: Int32 = 1_024

  /// Copies every page into an empty file, which becomes a plain database.
  ///
  /// - Parameters:
  ///   - draft: The empty file.
  ///   - report: Receives the number of pages copied, and of all; what it throws ends the copying.
  /// - Returns: How many pages were copied.
  /// - Throws: `StoreError` when it could not be copied, or what `report` throws.
  func copyPages(
    to draft: String,
    report: (Int, Int) throws(StoreError) -> Void
  ) throws(StoreError) -> Int {
    // Seen from one transaction, the pages stay the same: a writer cannot make the copy begin again.
    try execute("BEGIN")
    do throws(StoreError) {
      _ = try integer(pragma: "schema_version")
      let pages = try copySeenPages(to: draft, report)
      try execute("COMMIT")
      return pages
    } catch {
      try? execute("ROLLBACK")
      throw error
    }
  }

  private func copySeenPages(
    to draft: String,
    _ report: (Int, Int) throws(StoreError) -> Void
  ) throws(StoreError) -> Int {
    let copy = try DatabaseConnection(path: draft, mode: .readWrite(create: false))
    // The draft is worthless unless it becomes whole, so nothing protects it on the way.
    try copy.execute("PRAGMA synchronous = OFF")
    guard let backup = sqlite3_backup_init(copy.handle.pointer, "main", handle.pointer, "main")
    else { throw copy.error(sqlite3_errcode(copy.handle.pointer)) }
    var code = SQLITE_OK
    var pages = 0
    while code == SQLITE_OK {
      code = sqlite3_backup_step(backup, Self.pagesAtOnce)
      pages = Int(sqlite3_backup_pagecount(backup))
      do throws(StoreError) {
        try report(pages - Int(sqlite3_backup_remaining(backup)), pages)
      } catch {
        sqlite3_backup_finish(backup)
        throw error
      }
    }
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

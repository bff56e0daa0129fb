import PalettePlatform

extension LibraryFolder {
  /// Amends a copy of a backup by the library that it replaces; gives how many rights it ended, nil where
  /// that library cannot be read.
  package typealias Amendment = (
    _ copy: borrowing DatabaseConnection, _ old: borrowing DatabaseConnection
  ) throws(StoreError) -> Int?

  /// Replaces the library by a backup, and keeps the old one beside it.
  ///
  /// Until the last step the old library is in place. The next opening for writing reports a
  /// changed continuity, so that the recovered library goes on under a new node id: what the old
  /// one did after the backup may be known to others.
  ///
  /// - Parameters:
  ///   - backup: The backup; it is only read.
  ///   - newestVersion: The newest schema version that the caller knows.
  ///   - timestamp: The end of the name that the old library is kept under.
  ///   - lock: The lock of this library.
  ///   - amend: Ends in the copy of the backup, which it gets first, the rights that this library had
  ///     ended; gives how many, or nil where this library cannot be read.
  ///   - report: Receives the number of pages copied, and of all; what it throws ends the recovery while
  ///     the library is as before.
  /// - Returns: What was put in place, and where the old library is.
  /// - Throws: `StoreError` with code `notALibrary`, `newerFormat` or `corrupt` when the backup
  ///   cannot be used; the library is as before then.
  package func recover(
    from backup: String,
    newestVersion: Int,
    timestamp: String,
    holding lock: borrowing LibraryLock,
    amend: Amendment = { _, _ in nil },
    report: (Int, Int) throws(StoreError) -> Void = { _, _ in }
  ) throws(StoreError) -> RecoverySummary {
    let kept = "\(databasePath).before-recover-\(timestamp)"
    guard access(kept, F_OK) != 0 else {
      throw StoreError(code: .exists, message: "there is a file already: \(kept)")
    }
    let draft = databasePath + ".new"
    try removeDatabase(draft)
    let (summary, version) = try copyBackup(backup, to: draft, newestVersion: newestVersion, report)
    let hasLibrary = try exists
    let revoked = hasLibrary ? try self.amend(draft, amend) : nil
    // From here on whatever opens the library is a new continuity, also if we are cut short.
    guard unlink(openedPath) == 0 || errno == ENOENT else {
      throw StoreError(systemError: errno, doing: "remove", path: openedPath, writing: true)
    }
    try synchronize()
    do throws(StoreError) {
      if hasLibrary { try keep(as: kept) }
      try move(draft, to: databasePath)
    } catch {
      if hasLibrary { putBack(kept) }
      throw error
    }
    try synchronize()
    return RecoverySummary(
      backup: summary,
      version: version,
      keptAs: hasLibrary ? kept : nil,
      revoked: revoked
    )
  }

  /// Amends a copy of the backup with what can be read of the library in place.
  private func amend(_ draft: String, _ body: Amendment) throws(StoreError) -> Int? {
    let copy = try DatabaseConnection(path: draft, mode: .readWrite(create: false))
    let old: DatabaseConnection
    do throws(StoreError) {
      // SQLite deletes the log of a file that it takes for empty.
      try checkHeader(of: databasePath, newestVersion: .max)
      old = try ReadingMode(of: databasePath).open(databasePath)
    } catch {
      return nil
    }
    return try body(copy, old)
  }

  /// Checks a backup from the first to the last byte and copies it.
  private func copyBackup(
    _ path: String,
    to draft: String,
    newestVersion: Int,
    _ report: (Int, Int) throws(StoreError) -> Void
  ) throws(StoreError) -> (BackupSummary, Int) {
    let path = try AbsolutePath(path).text
    guard try fileSize(path) != nil else {
      throw StoreError(systemError: errno, doing: "open", path: path)
    }
    try checkHeader(of: path, newestVersion: newestVersion)
    let connection = try ReadingMode(of: path).open(path)
    let version = try checkFormat(connection, of: path, newestVersion: newestVersion)
    let problems = try connection.integrityCheck()
    guard problems.isEmpty else {
      throw StoreError(
        code: .corrupt,
        message: "the backup is damaged (\(problems[0])): \(path)",
        hint: "use another backup; the library was not changed"
      )
    }
    return (try connection.backup(to: draft, draft: "\(draft).partial", report: report), version)
  }

  /// Gives the old library another name, together with its write-ahead log if that has to stay.
  private func keep(as kept: String) throws(StoreError) {
    // A damaged library may refuse; its log is then kept beside it, for a repair by hand.
    try? checkpointAndClose()
    let log = databasePath + "-wal"
    let hasLog = try fileSize(log) != nil
    guard unlink(databasePath + "-shm") == 0 || errno == ENOENT else {
      throw StoreError(
        systemError: errno,
        doing: "remove",
        path: databasePath + "-shm",
        writing: true
      )
    }
    // A second name first, so that at no moment there is no library: an empty one would be made.
    if link(databasePath, kept) != 0 { try move(databasePath, to: kept) }
    if hasLog { try move(log, to: kept + "-wal") }
  }

  /// Gives the old library its log back, where nothing can be put in its place.
  private func putBack(_ kept: String) {
    // What cannot be undone is told with what went wrong before.
    if (try? fileSize(databasePath)) == nil { try? move(kept, to: databasePath) }
    if access(kept + "-wal", F_OK) == 0 { try? move(kept + "-wal", to: databasePath + "-wal") }
    unlink(kept)
  }

  private func checkpointAndClose() throws(StoreError) {
    // SQLite deletes the log of a file that it takes for empty.
    try checkHeader(of: databasePath, newestVersion: .max)
    let connection = try DatabaseConnection(path: databasePath, mode: .readWrite(create: false))
    // Before anything is read, SQLite does not know of a log, and moves nothing.
    _ = try connection.userVersion
    try connection.checkpoint(truncating: true)
  }
}

/// The library that a recovery put in place, and the new place of the old one.
public struct RecoverySummary: Hashable, Sendable {
  /// The backup as it was put in place.
  public let backup: BackupSummary
  /// The schema version of the backup.
  public let version: Int
  /// The place of the old library; nil if there was none.
  public let keptAs: String?
  /// The number of rights that the backup gives were revoked or used up since, and so have stayed;
  /// nil where there was no library that could tell.
  public let revoked: Int?
}

import CSQLite
import Glibc

extension Connection {
  /// Copies the database, as the last commit left it, into a single plain file.
  ///
  /// The copy is made under another name and moved into place when it is whole and durable, so a
  /// backup that fails leaves nothing and keeps what was there before.
  ///
  /// - Parameters:
  ///   - path: The file to make, with mode 0600.
  ///   - replacing: Whether a file that is there may go.
  ///   - draft: The name to make it under, where nobody else makes one there: then what a process
  ///     that died left of it goes. Without it every process has a name of its own.
  /// - Returns: The size of the copy.
  /// - Throws: `StoreError` with code `exists` when a file is there and may not go.
  @discardableResult
  package func backup(
    to path: String,
    replacing: Bool = false,
    draft: String? = nil
  ) throws(StoreError) -> BackupSummary {
    let path = try AbsolutePath(path).text
    var status = stat()
    if lstat(path, &status) == 0 {
      guard replacing else { throw alreadyThere(path) }
      guard status.st_mode & S_IFMT == S_IFREG, !isOwnFile(status) else {
        throw StoreError(code: .exists, message: "a backup cannot take the place of \(path)")
      }
    }
    if draft == nil { removeDrafts(of: path) }
    let draft = draft ?? "\(path).\(getpid()).partial"
    do throws(StoreError) {
      try removeDatabase(draft)
      let pages = try copyPages(to: draft)
      let file = try FileDescriptor(path: draft, flags: O_RDWR)
      try file.synchronize(path: draft)
      guard fstat(file.rawValue, &status) == 0 else {
        throw StoreError(systemError: errno, doing: "look at", path: draft)
      }
      try publish(draft, as: path, replacing: replacing)
      return BackupSummary(bytes: status.st_size, pages: pages)
    } catch {
      // What led here matters more than a draft that cannot be removed either.
      try? removeDatabase(draft)
      throw error
    }
  }

  /// Removes what processes that died left of copies to a path.
  private func removeDrafts(of path: String) {
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    let start = path[path.index(after: slash)...] + "."
    guard let folder = opendir(String(path[...slash])) else { return }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { text in
        text.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      let rest = name.dropFirst(start.count)
      guard name.hasPrefix(start), let mark = rest.firstRange(of: ".partial"),
        let process = pid_t(rest[..<mark.lowerBound]), kill(process, 0) != 0, errno == ESRCH
      else { continue }
      // What cannot be removed is in nobody's way.
      unlink("\(path[...slash])\(name)")
    }
  }

  private func copyPages(to draft: String) throws(StoreError) -> Int {
    try makePrivateFile(draft)
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

  private func publish(
    _ draft: String,
    as path: String,
    replacing: Bool
  ) throws(StoreError) {
    if replacing {
      try move(draft, to: path)
    } else if csqlite_rename_without_replacing(draft, path) != 0 {
      if errno == EEXIST { throw alreadyThere(path) }
      // Not every file system can tell; then what was seen before the copy has to do.
      guard errno == EINVAL || errno == ENOSYS else {
        throw StoreError(
          systemError: errno,
          doing: "move \(draft) to",
          path: path,
          writing: true
        )
      }
      try move(draft, to: path)
    }
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    try FileDescriptor(path: folder.isEmpty ? "/" : folder, flags: O_RDONLY | O_DIRECTORY)
      .synchronize(path: folder)
  }

  /// Whether a file is the database itself, or one that SQLite keeps beside it.
  private func isOwnFile(_ status: stat) -> Bool {
    guard let name = sqlite3_db_filename(handle.pointer, "main") else { return false }
    return LibraryFolder.databaseSuffixes.contains { suffix in
      var own = stat()
      return stat(String(cString: name) + suffix, &own) == 0 && own.st_ino == status.st_ino
        && own.st_dev == status.st_dev
    }
  }

  private func alreadyThere(_ path: String) -> StoreError {
    StoreError(code: .exists, message: "there is a file already: \(path)")
  }
}

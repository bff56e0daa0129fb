import CSQLite
import PalettePlatform

extension DatabaseConnection {
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
  ///   - report: Receives the number of pages copied, and of all; what it throws ends the backup.
  /// - Returns: The size of the copy.
  /// - Throws: `StoreError` with code `exists` when a file is there and may not go.
  @discardableResult
  package func backup(
    to path: String,
    replacing: Bool = false,
    draft: String? = nil,
    report: (Int, Int) throws(StoreError) -> Void = { _, _ in }
  ) throws(StoreError) -> BackupSummary {
    let path = try AbsolutePath(path).text
    var status = stat()
    if lstat(path, &status) == 0 {
      guard replacing else { throw alreadyThere(path) }
      guard status.st_mode & S_IFMT == S_IFREG, !isOwnFile(status) else {
        throw StoreError(
          code: .exists,
          message: "a backup cannot take the place of \(path)",
          hint: "name a file that is not there yet"
        )
      }
    }
    if draft == nil { removeDrafts(of: path) }
    let draft = draft ?? "\(path).\(getpid()).partial"
    do throws(StoreError) {
      try removeDatabase(draft)
      try makePrivateFile(draft)
      let pages = try copyPages(to: draft, report: report)
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

  private func publish(
    _ draft: String,
    as path: String,
    replacing: Bool
  ) throws(StoreError) {
    if replacing {
      try move(draft, to: path)
    } else if !renameWithoutReplacing(draft, to: path) {
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

  /// Returns whether a file is the database itself, or one that the library has beside it.
  private func isOwnFile(_ status: stat) -> Bool {
    guard let name = fileName else { return false }
    let folder = name.lastIndex(of: "/").map { name[...$0] } ?? ""
    let paths =
      LibraryFolder.databaseSuffixes.map { name + $0 }
      + LibraryFolder.namesBeside.map { folder + $0 }
    return paths.contains { path in
      var own = stat()
      return stat(path, &own) == 0 && own.st_ino == status.st_ino && own.st_dev == status.st_dev
    }
  }

  private func alreadyThere(_ path: String) -> StoreError {
    StoreError(code: .exists, message: "there is a file already: \(path)")
  }
}

/// The contents of a backup.
public struct BackupSummary: Hashable, Sendable {
  /// The size of the file.
  public let bytes: Int
  /// The number of pages SQLite copied.
  public let pages: Int
}

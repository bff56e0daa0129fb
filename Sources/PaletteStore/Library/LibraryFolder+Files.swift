import Glibc

extension LibraryFolder {
  /// Makes the folder with mode 0700, and its parents, where they are missing.
  ///
  /// A folder that is there already keeps its mode, unless it is empty and ours: then it is about
  /// to become a library, and nothing else in it can miss the access.
  package func create() throws(StoreError) {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw StoreError(code: .cannotOpen, message: "not a folder: \(path)")
      }
      if status.st_uid == geteuid(), status.st_mode & 0o1077 & ~S_ISVTX != 0, isEmpty {
        chmod(path, 0o700)
      }
      return
    }
    for end in path.utf8.indices where path.utf8[end] == UInt8(ascii: "/") {
      try makeFolder(String(path[..<end]))
    }
    try makeFolder(path)
  }

  private func makeFolder(_ path: String) throws(StoreError) {
    guard !path.isEmpty, access(path, F_OK) != 0 else { return }
    guard mkdir(path, 0o700) == 0 else {
      if errno == EEXIST { return }
      throw StoreError(systemError: errno, doing: "create", path: path, writing: true)
    }
    // The umask can only have taken bits away.
    chmod(path, 0o700)
  }

  /// Makes the names in the folder as durable as the files behind them.
  func synchronize() throws(StoreError) {
    try FileDescriptor(path: path, flags: O_RDONLY | O_DIRECTORY).synchronize(path: path)
  }

  private var isEmpty: Bool {
    guard let folder = opendir(path) else { return false }
    defer { closedir(folder) }
    // Every folder has two entries: itself and its parent.
    for _ in 0..<3 where readdir(folder) == nil { return true }
    return false
  }
}

/// Makes an empty file that only this user can read; SQLite gives the files beside it its mode.
func makePrivateFile(_ path: String) throws(StoreError) {
  let file = try FileDescriptor(path: path, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
  fchmod(file.rawValue, 0o600)
}

/// Gives a file another name, in place of whatever had it.
func move(_ path: String, to destination: String) throws(StoreError) {
  guard rename(path, destination) == 0 else {
    throw StoreError(
      systemError: errno,
      doing: "move \(path) to",
      path: destination,
      writing: true
    )
  }
}

/// Removes a database and the files that SQLite keeps beside it, as far as they are there.
func removeDatabase(_ path: String) throws(StoreError) {
  for suffix in LibraryFolder.databaseSuffixes {
    guard unlink(path + suffix) == 0 || errno == ENOENT else {
      throw StoreError(systemError: errno, doing: "remove", path: path + suffix, writing: true)
    }
  }
}

import PalettePlatform

extension LibraryFolder {
  /// Makes the folder with mode 0700, and its parents, where they are missing.
  ///
  /// A folder of ours that others may enter is closed to them; `noteOnClosing` has told. One of
  /// somebody else is refused, and so is one where everybody has files, such as `/tmp`.
  package func create() throws(StoreError) {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw StoreError(code: .cannotOpen, message: "not a folder: \(path)")
      }
      guard status.st_uid == geteuid() else {
        throw StoreError(
          code: .cannotOpen,
          message: "the folder \(path) belongs to another user, number \(status.st_uid)",
          hint: "a library needs a folder of the user who writes to it"
        )
      }
      guard status.st_mode & S_ISVTX == 0 && path != "/" || isEmpty else {
        throw StoreError(
          code: .cannotOpen,
          message: "the folder \(path) is for everybody",
          hint: "a library needs a folder of its own"
        )
      }
      guard status.st_mode & 0o077 == 0 || chmod(path, 0o700) == 0 else {
        throw StoreError(systemError: errno, doing: "close", path: path, writing: true)
      }
      return
    }
    for end in path.utf8.indices where path.utf8[end] == UInt8(ascii: "/") {
      try makeFolder(String(path[..<end]))
    }
    try makeFolder(path)
  }

  /// What to tell before `create` takes a folder away from others; nil when it is closed already.
  package var noteOnClosing: String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == geteuid(), status.st_mode & 0o077 != 0
    else { return nil }
    let mode = String(status.st_mode & 0o777, radix: 8)
    return "others could enter \(path) (mode \(mode)); it is closed to them now"
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

  /// Whether there is nothing in it, as in a file system that was mounted just now.
  private var isEmpty: Bool {
    guard let folder = opendir(path) else { return false }
    defer { closedir(folder) }
    // Every folder has two entries: itself and its parent.
    for _ in 0..<3 where readdir(folder) == nil { return true }
    return false
  }

  /// Makes the names in the folder as durable as the files behind them.
  func synchronize() throws(StoreError) {
    try FileDescriptor(path: path, flags: O_RDONLY | O_DIRECTORY).synchronize(path: path)
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

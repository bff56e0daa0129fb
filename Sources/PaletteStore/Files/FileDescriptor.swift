import PalettePlatform

/// An open file of the operating system, closed with its owner.
package struct FileDescriptor: ~Copyable {
  /// The number in the operating system.
  package let rawValue: Int32

  /// Opens a file; a program started meanwhile does not inherit it.
  package init(path: String, flags: Int32, mode: UInt32 = 0) throws(StoreError) {
    let descriptor = Platform.retried { open(path, flags | O_CLOEXEC, mode) }
    guard descriptor >= 0 else {
      throw StoreError(
        systemError: errno,
        doing: "open",
        path: path,
        writing: flags & O_ACCMODE != O_RDONLY
      )
    }
    rawValue = descriptor
  }

  deinit {
    close(rawValue)
  }
}

extension FileDescriptor {
  /// The bytes of a small file; nil when there is none.
  ///
  /// Never for a file that SQLite may have open in this process: closing it here would give up the
  /// locks that SQLite holds on it (https://sqlite.org/howtocorrupt.html, section 2.2).
  static func contents(of path: String, limit: Int = 4096) throws(StoreError) -> [UInt8]? {
    if access(path, F_OK) != 0, errno == ENOENT { return nil }
    // A pipe that someone put there must not keep us waiting.
    let file = try FileDescriptor(path: path, flags: O_RDONLY | O_NONBLOCK)
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = bytes.withUnsafeMutableBytes { buffer in
      Platform.retried { pread(file.rawValue, buffer.baseAddress, buffer.count, 0) }
    }
    guard count >= 0 else { throw StoreError(systemError: errno, doing: "read", path: path) }
    return Array(bytes.prefix(count))
  }

  /// Writes `bytes` over what the file holds, and cuts off the rest.
  ///
  /// A file of the same length needs no new space for it, so this works on a full disk too.
  borrowing func replaceContents(
    _ bytes: some Collection<UInt8>,
    path: String
  ) throws(StoreError) {
    let bytes = Array(bytes)
    let written = bytes.withUnsafeBytes { buffer in
      Platform.retried { pwrite(rawValue, buffer.baseAddress, buffer.count, 0) }
    }
    guard written == bytes.count, ftruncate(rawValue, off_t(bytes.count)) == 0 else {
      // A disk that has just become full shows as a short write.
      throw StoreError(
        systemError: written >= 0 && written < bytes.count ? ENOSPC : errno,
        doing: "write",
        path: path,
        writing: true
      )
    }
  }

  /// Waits until the disk holds what was written.
  borrowing func synchronize(path: String) throws(StoreError) {
    guard Platform.retried({ fsync(rawValue) }) == 0 else {
      throw StoreError(systemError: errno, doing: "write", path: path, writing: true)
    }
  }
}

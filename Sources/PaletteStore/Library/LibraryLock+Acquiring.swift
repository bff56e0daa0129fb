import CSQLite
import PalettePlatform

extension LibraryLock {
  /// Takes the lock of a library, and waits for it for a while.
  ///
  /// - Throws: `StoreError` with code `locked` when another process holds it all that time.
  package static func acquire(
    _ folder: LibraryFolder,
    timeoutMilliseconds: Int = 5_000
  ) throws(StoreError) -> LibraryLock {
    let deadline = Platform.uptime + Double(timeoutMilliseconds) / 1_000
    while true {
      if let lock = try attempt(folder) { return lock }
      guard Platform.uptime < deadline else { break }
      usleep(5_000)
    }
    let holder = holderID(folder).map { "process \($0)" } ?? "another process"
    throw StoreError(
      code: .locked,
      message: "\(holder) has the library open for writing: \(folder.path)",
      hint: "wait until it is done, or end it"
    )
  }

  /// Takes the lock if it is free.
  private static func attempt(_ folder: LibraryFolder) throws(StoreError) -> LibraryLock? {
    let descriptor = try FileDescriptor(
      path: folder.lockPath,
      flags: O_RDWR | O_CREAT,
      mode: 0o600
    )
    guard Platform.retried({ flock(descriptor.rawValue, LOCK_EX | LOCK_NB) }) == 0 else {
      if errno == EWOULDBLOCK { return nil }
      throw StoreError(systemError: errno, doing: "lock", path: folder.lockPath)
    }
    var held = stat()
    var named = stat()
    // Somebody may have deleted the file between opening and locking it: that lock locks nothing.
    guard fstat(descriptor.rawValue, &held) == 0, stat(folder.lockPath, &named) == 0,
      held.st_ino == named.st_ino, held.st_dev == named.st_dev
    else { return nil }
    fchmod(descriptor.rawValue, 0o600)
    return LibraryLock(descriptor)
  }

  /// The process that wrote its number into the lock file.
  private static func holderID(_ folder: LibraryFolder) -> Int? {
    guard let text = try? FileDescriptor.contents(of: folder.lockPath) else { return nil }
    return Int(String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }
}

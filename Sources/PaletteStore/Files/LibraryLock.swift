import CSQLite
import PalettePlatform

/// The exclusive right to write a library, held from `acquire` to the end of the value's life.
///
/// One writer per library, ever: SQLite up to 3.51.2 can damage a file that two connections write
/// or checkpoint at once. The kernel gives the lock back when its holder dies, however it dies.
package struct LibraryLock: ~Copyable {
  /// The name of the file that is locked.
  static let fileName = "lock"

  private let descriptor: FileDescriptor

  /// Takes over a file that is locked already, and writes down who holds it.
  init(_ descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
    // Only a hint for whoever waits: a full disk does not stop the one that frees space.
    try? self.descriptor.replaceContents("\(getpid())\n".utf8, path: Self.fileName)
  }

  /// Gives the lock back before the end of the value's life.
  package consuming func release() {}

  deinit {
    // The next one to wait must not be told of a holder who is gone.
    ftruncate(descriptor.rawValue, 0)
    flock(descriptor.rawValue, LOCK_UN)
  }
}

extension LibraryLock {
  /// Takes the lock of a library, and waits for it for a while.
  ///
  /// - Parameters:
  ///   - folder: The path of the library's folder.
  ///   - timeoutMilliseconds: How long to wait.
  /// - Returns: The lock.
  /// - Throws: `StoreError` with code `locked` when another process holds it all that time.
  package static func acquire(
    in folder: String,
    timeoutMilliseconds: Int = 5_000
  ) throws(StoreError) -> LibraryLock {
    let deadline = Platform.uptime + Double(timeoutMilliseconds) / 1_000
    while true {
      if let lock = try attempt(folder + "/" + fileName) { return lock }
      guard Platform.uptime < deadline else { break }
      usleep(5_000)
    }
    let holder = holderID(folder + "/" + fileName).map { "process \($0)" } ?? "another process"
    throw StoreError(
      code: .locked,
      message: "\(holder) has the library open for writing: \(folder)",
      hint: "wait until it is done, or end it"
    )
  }

  /// Takes the lock if it is free.
  private static func attempt(_ path: String) throws(StoreError) -> LibraryLock? {
    let descriptor = try FileDescriptor(
      path: path,
      flags: O_RDWR | O_CREAT,
      mode: 0o600
    )
    guard Platform.retried({ flock(descriptor.rawValue, LOCK_EX | LOCK_NB) }) == 0 else {
      if errno == EWOULDBLOCK { return nil }
      throw StoreError(systemError: errno, doing: "lock", path: path)
    }
    var held = stat()
    var named = stat()
    // Somebody may have deleted the file between opening and locking it: that lock locks nothing.
    guard fstat(descriptor.rawValue, &held) == 0, stat(path, &named) == 0,
      held.st_ino == named.st_ino, held.st_dev == named.st_dev
    else { return nil }
    fchmod(descriptor.rawValue, 0o600)
    return LibraryLock(descriptor)
  }

  /// The process that wrote its number into the lock file.
  private static func holderID(_ path: String) -> Int? {
    guard let text = try? FileDescriptor.contents(of: path) else { return nil }
    return Int(String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }
}

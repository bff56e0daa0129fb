import CSQLite
import Synchronization

/// The folder in which a process has the caches of libraries, which is its own as long as it uses it.
package final class CacheFolder: Sendable {
  /// The folder.
  package let folder: LibraryFolder
  private let lock: Mutex<LibraryLock?>
  private static let longestName = 512

  /// Locks the folder, and makes it where it is missing.
  ///
  /// - Throws: `StoreError` with code `locked` while another process uses it, and where it cannot be
  ///   written.
  package init(_ path: String) throws(StoreError) {
    folder = try LibraryFolder(path)
    try folder.create()
    do throws(StoreError) {
      lock = Mutex(try LibraryLock.acquire(in: folder.path, timeoutMilliseconds: 0))
    } catch {
      guard error.code == .locked else { throw error }
      throw StoreError(code: .locked, message: "another process has its caches in \(path)")
    }
  }

  private var userPath: String { folder.file("used-by") }

  /// The name that the last process to use the folder gave itself; nil where none did.
  package func lastUser() throws(StoreError) -> String? {
    try FileDescriptor.contents(of: userPath, limit: Self.longestName).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Writes down by which name this process will be known.
  package func remember(_ user: String) throws(StoreError) {
    let file = try FileDescriptor(path: userPath, flags: O_WRONLY | O_CREAT, mode: 0o600)
    try file.replaceContents(Array(user.utf8), path: userPath)
  }

  /// Gives the folder back before the end of this value's life.
  package func release() { lock.withLock { $0 = nil } }
}

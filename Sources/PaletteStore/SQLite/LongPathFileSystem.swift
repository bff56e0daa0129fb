import CSQLite
import Glibc

/// SQLite's own file system, but taking a path as it is given.
///
/// SQLite resolves every link in a path and refuses the result beyond 512 bytes. A library in a
/// deeper folder is opened through `/proc/self/fd/N`, which is short as long as nobody resolves it.
enum LongPathFileSystem {
  /// The longest path that SQLite's own file system is trusted with; the names of the files beside
  /// the database are a little longer.
  static let ordinaryPathBytes = 500

  /// The name to open a database with; nil when SQLite has no file system to build on.
  static let name: String? = {
    guard let original = sqlite3_vfs_find(nil) else { return nil }
    // SQLite keeps both for the life of the process.
    let copy = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    copy.initialize(to: original.pointee)
    copy.pointee.zName = UnsafePointer(strdup("unix-as-named"))
    copy.pointee.xFullPathname = { _, path, capacity, result in
      guard let path, let result, strlen(path) < Int(capacity) else { return SQLITE_CANTOPEN }
      strcpy(result, path)
      return SQLITE_OK
    }
    return sqlite3_vfs_register(copy, 0) == SQLITE_OK ? "unix-as-named" : nil
  }()
}

import CSQLite
import PalettePlatform

/// SQLite's own file system, but taking a path as it is given.
///
/// SQLite resolves every link in a path and refuses the result beyond 512 bytes. A library in a
/// deeper folder is opened through `/proc/self/fd/N`, which is short as long as nobody resolves it.
enum LongPathFileSystem {
  /// The longest path that SQLite's own file system is trusted with; the names of the files beside
  /// the database are a little longer.
  static let ordinaryPathBytes = 500

  /// The name to open a database with; nil when SQLite has no file system to build on.
  static let name = sqlite3_vfs_find(nil)?.register(as: "unix-as-named") { copy in
    copy.xFullPathname = { _, path, capacity, result in
      guard let path, let result, strlen(path) < Int(capacity) else { return SQLITE_CANTOPEN }
      strcpy(result, path)
      return SQLITE_OK
    }
  }
}

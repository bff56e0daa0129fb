import Glibc

/// A new folder that only this user can enter, deleted with its files when its owner lets go.
struct TemporaryFolder: ~Copyable {
  let path: String

  /// Creates the folder in `$TMPDIR`, or in `/tmp`.
  init() throws(StoreError) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    let template = "\(parent.isEmpty ? "/tmp" : parent)/hued-XXXXXX"
    var bytes = template.utf8CString
    let made = bytes.withUnsafeMutableBufferPointer { buffer -> String? in
      guard let start = buffer.baseAddress, mkdtemp(start) != nil else { return nil }
      return String(cString: start)
    }
    guard let made else {
      throw StoreError(systemError: errno, doing: "create a folder like", path: template)
    }
    path = made
  }

  deinit {
    // Whoever reads a copy may also have made the files that SQLite keeps beside it.
    for name in LibraryFolder.databaseSuffixes.map({ LibraryFolder.databaseName + $0 }) {
      unlink("\(path)/\(name)")
    }
    rmdir(path)
  }
}

import CSQLite
import PalettePlatform

/// A new folder that only this user can enter, deleted with its files when its owner lets go.
package struct TemporaryFolder: ~Copyable {
  /// The path of the folder.
  package let path: String

  /// Creates the folder in `$TMPDIR`, or in `/tmp`.
  ///
  /// - Throws: `StoreError` when it cannot be made.
  package init() throws(StoreError) {
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
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        // The folder's own two names are no files, and stay.
        withUnsafePointer(to: &entry.pointee.d_name) { name in
          _ = name.withMemoryRebound(to: CChar.self, capacity: 256) {
            unlinkat(dirfd(folder), $0, 0)
          }
        }
      }
      closedir(folder)
    }
    rmdir(path)
  }
}

/// A path from the root, unharmed by a later change of the working directory.
struct AbsolutePath {
  let text: String

  /// Completes a relative path; links in it stay as they are.
  ///
  /// - Throws: `StoreError` for an empty path and for one with NUL in it, which C would cut short.
  init(_ path: String) throws(StoreError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw StoreError(code: .cannotOpen, message: "not a path: \"\(path)\"")
    }
    if path.utf8.first == UInt8(ascii: "/") {
      text = path
      return
    }
    guard let current = getcwd(nil, 0) else {
      throw StoreError(systemError: errno, doing: "find the current folder for", path: path)
    }
    defer { free(current) }
    text = "\(String(cString: current))/\(path)"
  }
}

/// Gives a file another name; false, with `errno` set, also where the name is taken.
func renameWithoutReplacing(_ path: String, to destination: String) -> Bool {
  csqlite_rename_without_replacing(path, destination) == 0
}

/// Gives each of two files the name of the other, at once; false, with `errno` set, where that fails.
package func exchangeNames(_ one: String, _ other: String) -> Bool {
  csqlite_exchange_names(one, other) == 0
}

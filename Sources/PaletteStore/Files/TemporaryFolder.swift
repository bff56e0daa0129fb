import PalettePlatform

/// A new folder that only this user can enter, deleted with its files when its owner lets go.
struct TemporaryFolder: ~Copyable {
  let path: String
  private let names: [String]

  /// Creates the folder in `$TMPDIR`, or in `/tmp`.
  ///
  /// - Parameter names: The files to delete with it.
  /// - Throws: `StoreError` when it cannot be made.
  init(deleting names: [String]) throws(StoreError) {
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
    self.names = names
  }

  deinit {
    for name in names { unlink("\(path)/\(name)") }
    rmdir(path)
  }
}

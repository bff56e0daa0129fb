import PalettePlatform

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

/// The bytes that the paths of a file's entries may have together.
///
/// A path repeats the names of all groups around its entry. Without a bound one long name around many
/// entries would take thousands of times the memory of the file.
struct PathBudget {
  private var left: Int

  /// The budget for a file of so many bytes, far more than the groups of a palette need.
  init(fileBytes: Int) {
    left = (4 << 20) + 16 * fileBytes
  }

  /// True if no more paths may be made.
  var isSpent: Bool { left < 0 }

  /// Takes the bytes of a path, and returns whether there were enough.
  mutating func take(_ path: some Sequence<String>) -> Bool {
    for name in path { left -= name.utf8.count + 1 }
    return !isSpent
  }
}

extension FormatError {
  /// The error for a file whose groups have names too long for so many entries.
  static let longPaths = badFile("its groups have names too long for so many entries")
}

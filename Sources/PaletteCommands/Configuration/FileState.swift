internal import PalettePlatform

/// The traits of a file that change when it is written or replaced; those of a missing file are equal.
package struct FileState: Equatable {
  private var numbers: [Int] = []
  // Bytes: in some order of compiling, the members of the system's time are not visible.
  private var modified: [UInt8] = []

  /// Reads the state of the file at a path.
  package init(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    numbers = [Int(status.st_ino), Int(status.st_size)]
    modified = withUnsafeBytes(of: status.modified) { [UInt8]($0) }
  }
}

import PalettePlatform

/// What the first hundred bytes of a file say, read without SQLite, which would touch the file.
enum DatabaseHeader: Equatable {
  /// The file is no SQLite database.
  case other
  /// A SQLite database, and what its header claims.
  case database(applicationID: Int, userVersion: Int)

  /// Reads the header of a file; see `FileDescriptor.contents` for when that is not allowed.
  ///
  /// https://sqlite.org/fileformat2.html#the_database_header
  init(path: String) throws(StoreError) {
    guard let bytes = try FileDescriptor.contents(of: path, limit: 100), bytes.count == 100,
      bytes.starts(with: "SQLite format 3\0".utf8)
    else {
      self = .other
      return
    }
    self = .database(
      applicationID: Self.number(bytes[68..<72]),
      userVersion: Self.number(bytes[60..<64])
    )
  }

  /// A signed number, most significant byte first.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    Int(Int32(bitPattern: bytes.reduce(0) { $0 << 8 | UInt32($1) }))
  }
}

/// The size of a file in bytes, found without opening it; nil when there is none.
///
/// - Throws: `StoreError` where that cannot be told: a closed folder may hold anything.
func fileSize(_ path: String) throws(StoreError) -> Int? {
  var status = stat()
  if stat(path, &status) == 0 { return Int(status.st_size) }
  guard errno == ENOENT else { throw StoreError(systemError: errno, doing: "look at", path: path) }
  return nil
}

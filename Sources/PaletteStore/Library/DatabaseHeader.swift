import Glibc

/// What the first hundred bytes of a file say, read without SQLite, which would touch the file.
enum DatabaseHeader: Equatable {
  /// There is no file.
  case missing
  /// The file has no bytes.
  case empty
  /// The file is no SQLite database.
  case other
  /// A SQLite database, and what its header claims.
  case database(applicationID: UInt32, userVersion: UInt32)

  /// Reads the header; see `FileDescriptor.contents` for when that is not allowed.
  ///
  /// https://sqlite.org/fileformat2.html#the_database_header
  init(path: String) throws(StoreError) {
    guard let bytes = try FileDescriptor.contents(of: path, limit: 100) else {
      self = .missing
      return
    }
    if bytes.isEmpty {
      self = .empty
    } else if bytes.count == 100, bytes.starts(with: "SQLite format 3\0".utf8) {
      self = .database(
        applicationID: Self.number(bytes[68..<72]),
        userVersion: Self.number(bytes[60..<64])
      )
    } else {
      self = .other
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}

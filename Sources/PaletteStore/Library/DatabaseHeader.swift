import CSQLite
import PalettePlatform

/// The first hundred bytes of a file, read without SQLite, which would touch the file.
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

/// The identity of a SQLite file: the machine, and the file among all that there ever were on it.
///
/// Inode numbers are used again as soon as a file is gone, hence the time of birth; device numbers
/// change with every start of the machine, hence not those.
struct FileIdentity: Equatable {
  /// The text of `/etc/machine-id`; empty where there is none.
  let machineID: [UInt8]
  /// The number of the file in its file system.
  let inode: UInt64
  /// The time at which the file was made, since 1970; 0 if the file system does not say.
  private let birthNanoseconds: Int64

  /// Looks at a file.
  init(of path: String) throws(StoreError) {
    var inode: UInt64 = 0
    var birth: Int64 = 0
    guard csqlite_file_birth(path, &inode, &birth) == 0 else {
      throw StoreError(systemError: errno, doing: "look at", path: path)
    }
    let machineID = (try? FileDescriptor.contents(of: "/etc/machine-id")) ?? []
    self.machineID = Array(machineID.prefix { $0 != UInt8(ascii: "\n") })
    self.inode = inode
    birthNanoseconds = birth
  }

  /// Reads what `bytes` wrote.
  init?(bytes: [UInt8]) {
    guard bytes.count >= 16 else { return nil }
    inode = bytes[0..<8].reduce(0) { $0 << 8 | UInt64($1) }
    birthNanoseconds = Int64(bitPattern: bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) })
    machineID = Array(bytes[16...])
  }

  /// Inode and birth, eight bytes each, most significant first; then the machine id.
  var bytes: [UInt8] {
    let numbers = [inode, UInt64(bitPattern: birthNanoseconds)]
    return numbers.flatMap { number in
      (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
    } + machineID
  }
}

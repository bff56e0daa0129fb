import CSQLite
import PalettePlatform

/// Where a SQLite file is: the machine, and which of all files there ever were on it.
///
/// Inode numbers are used again as soon as a file is gone, hence the time of birth; device numbers
/// change with every start of the machine, hence not those.
struct FileIdentity: Equatable {
  /// The text of `/etc/machine-id`; empty where there is none.
  let machineID: [UInt8]
  /// The number of the file in its file system.
  let inode: UInt64
  /// When the file was made, since 1970; 0 where the file system does not say.
  let birthNanoseconds: Int64

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

import CSQLite
import PaletteModel
import PalettePlatform

/// The file `closed` beside a cache: what the cache was when it was last closed as it should be.
///
/// Everything about the SQLite file that a copy of it changes stands there, and the start of the machine:
/// what a machine had written when it stopped nobody knows, since a cache never waits for the disk.
struct CleanClose: Equatable {
  /// The start of the machine.
  private let bootID: String
  /// The newest entry of the log that the file holds.
  let position: CachePosition
  private let inode: UInt64
  private let size: Int64
  /// The times of the last change of the content, and of the file as such.
  private let times: [Int64]

  /// Describes a file that no process has open.
  ///
  /// - Throws: `StoreError` with code `corrupt` where SQLite left files beside it, which may hold commits.
  init(of folder: LibraryFolder, at position: CachePosition) throws(StoreError) {
    for suffix in LibraryFolder.databaseSuffixes.dropFirst()
    where try fileSize(folder.databasePath + suffix) != nil {
      let path = folder.databasePath + suffix
      throw StoreError(code: .corrupt, message: "it was not closed: \(path)")
    }
    var status = stat()
    guard lstat(folder.databasePath, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(systemError: errno, doing: "look at", path: folder.databasePath)
    }
    self.position = position
    bootID = try Self.bootID()
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    times = [status.st_mtim, status.st_ctim].flatMap { [Int64($0.tv_sec), Int64($0.tv_nsec)] }
  }

  private static func bootID() throws(StoreError) -> String {
    let path = "/proc/sys/kernel/random/boot_id"
    let bytes = try FileDescriptor.contents(of: path) ?? []
    let text = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    guard text.utf8.count == 36 else {
      throw StoreError(code: .cannotOpen, message: "the start of the machine has no name: \(path)")
    }
    return text
  }

  /// The file's content.
  var text: String {
    """
    boot \(bootID)
    entry \(position.bytes.hexDigits)
    file \(inode) \(size) \(times.map(String.init).joined(separator: " "))

    """
  }

  /// The position that the content of such a file says; nil where it is none.
  static func position(in text: String) -> CachePosition? {
    let lines = text.split(separator: "\n")
    guard lines.count == 3, lines[1].hasPrefix("entry ") else { return nil }
    let digits = Array(lines[1].dropFirst("entry ".count))
    guard digits.count.isMultiple(of: 2) else { return nil }
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...$0 + 1]), radix: 16)
    }
    return CachePosition(bytes: bytes)
  }
}

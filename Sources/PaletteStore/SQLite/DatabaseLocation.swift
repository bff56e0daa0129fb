import CSQLite
import PaletteModel
import PalettePlatform

/// A path and a mode as what SQLite opens a database by.
struct DatabaseLocation: ~Copyable {
  /// The file name or URI.
  let name: String
  /// The flags of `sqlite3_open_v2`.
  let flags: Int32
  /// The file system to open it with; nil for the ordinary one.
  let fileSystem: String?
  /// The folder that the name goes through, to be kept open with the database.
  let folder: FileDescriptor?

  init(path: String, mode: DatabaseConnection.Mode) throws(StoreError) {
    let access: Int32 =
      switch mode {
      case .memory, .readWrite(create: true): SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .readWrite(create: false): SQLITE_OPEN_READWRITE
      case .readOnly: SQLITE_OPEN_READONLY
      case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      }
    flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    if mode == .memory {
      name = ":memory:"
      fileSystem = nil
      folder = nil
      return
    }
    var path = try AbsolutePath(path).text
    if path.utf8.count > LongPathFileSystem.ordinaryPathBytes, let slash = path.lastIndex(of: "/") {
      let open = try FileDescriptor(path: String(path[..<slash]), flags: O_PATH | O_DIRECTORY)
      path = "/proc/self/fd/\(open.rawValue)\(path[slash...])"
      folder = consume open
      fileSystem = LongPathFileSystem.name
    } else {
      folder = nil
      fileSystem = access & SQLITE_OPEN_READWRITE == 0 ? nil : GatheringFileSystem.name
    }
    name = mode == .immutable ? "file:\(Self.percentEncoded(path))?immutable=1" : path
  }

  /// The path with everything that means something in a URI written as `%XX`.
  private static func percentEncoded(_ path: String) -> String {
    var bytes: [UInt8] = []
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
        UInt8(ascii: "-"), UInt8(ascii: "_"):
        bytes.append(byte)
      default:
        bytes += [UInt8(ascii: "%"), .hexDigit(UInt64(byte >> 4)), .hexDigit(UInt64(byte & 15))]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

import CSQLite
import PaletteModel

/// A path and a mode as the two arguments that SQLite opens a database by.
struct DatabaseLocation {
  /// The file name or URI.
  let name: String
  /// The flags of `sqlite3_open_v2`.
  let flags: Int32

  init(path: String, mode: Connection.Mode) throws(StoreError) {
    let common = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    switch mode {
    case .memory:
      name = ":memory:"
      flags = common | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    case .readWrite(let create):
      name = try AbsolutePath(path).text
      flags = common | SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0)
    case .readOnly:
      name = try AbsolutePath(path).text
      flags = common | SQLITE_OPEN_READONLY
    case .immutable:
      name = "file:\(Self.percentEncoded(try AbsolutePath(path).text))?immutable=1"
      flags = common | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
    }
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

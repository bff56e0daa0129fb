/// A parameter of a statement.
enum PostgreSQLValue {
  case int(Int64)
  case text(String)
  case bytes([UInt8])
  case uuid(SharedLibraryID)

  /// The number by which the server knows the type.
  var type: UInt32 {
    switch self {
    case .int: 20
    case .text: 25
    case .bytes: 17
    case .uuid: 2_950
    }
  }

  /// The value in the binary form.
  var encoded: [UInt8] {
    switch self {
    case .int(let number): withUnsafeBytes(of: number.bigEndian) { Array($0) }
    case .text(let text): Array(text.utf8)
    case .bytes(let bytes): bytes
    case .uuid(let id): id.bytes
    }
  }
}

/// A row that the server sent, in the binary form.
struct PostgreSQLRow: Sendable {
  private let columns: [[UInt8]?]

  init(_ columns: [[UInt8]?]) {
    self.columns = columns
  }

  /// A number, of however many bytes; nil for NULL.
  func number(_ column: Int) -> Int64? {
    guard let bytes = columns[column], let first = bytes.first, bytes.count <= 8 else { return nil }
    let start: UInt64 = first & 0x80 == 0 ? 0 : .max
    return Int64(bitPattern: bytes.reduce(start) { $0 << 8 | UInt64($1) })
  }

  /// A hub; nil for NULL.
  func hub(_ column: Int) -> HubID? { number(column).map(HubID.init) }

  /// Bytes; nil for NULL.
  func bytes(_ column: Int) -> [UInt8]? { columns[column] }

  /// A text; nil for NULL.
  func text(_ column: Int) -> String? {
    columns[column].map { String(decoding: $0, as: UTF8.self) }
  }

  /// A truth; NULL is none.
  func isTrue(_ column: Int) -> Bool { columns[column]?.first == 1 }

  /// The value that a column always has.
  ///
  /// - Returns: The value, unwrapped.
  /// - Throws: When somebody else has changed the tables.
  static func must<Value>(_ value: Value?) throws(SharedLogError) -> Value {
    guard let value else {
      throw SharedLogError(.unknown, .other, "the tables of the fleet are not as they were made")
    }
    return value
  }
}

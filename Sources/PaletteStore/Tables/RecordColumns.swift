import PaletteMerge
import PaletteModel

/// The columns of a shown register in the table `record`, as parameters of an insertion: the palette's
/// number, the id, the flags, and so on in the order of the table.
///
/// The first four registers have theirs in the order in which the table was made. Each later register has
/// two at the end, which its migration added.
struct RecordColumns {
  /// The parameter of its shown value.
  let value: Int32
  /// The parameter of that value's dot.
  let dot: Int32

  init(_ register: Register) {
    switch register {
    case .place: (value, dot) = (4, 8)
    case .color: (value, dot) = (5, 9)
    case .name: (value, dot) = (6, 10)
    case .note: (value, dot) = (7, 11)
    default:
      guard let index = register.knownIndex else {
        preconditionFailure("\(register) has no columns")
      }
      value = Int32(2 * index + 4)
      dot = value + 1
    }
  }

  /// The parameter of the flags, which stand before all values.
  static var flags: Int32 { 3 }
  /// The number of parameters of a row.
  static var count: Int { Int(flags) + 2 * Register.knownCount }

  /// The contents of the columns after the flags, in the order of the table.
  private static let contents: [(register: Register, isDot: Bool)] =
    Register.known.flatMap { register in
      let columns = RecordColumns(register)
      return [(columns.value, register, false), (columns.dot, register, true)]
    }
    .sorted { $0.0 < $1.0 }.map { (register: $0.1, isDot: $0.2) }

  /// The content of a column, numbered from the flags, which are 0.
  static func content(of column: Int32) -> (register: Register, isDot: Bool) {
    contents[Int(column) - 1]
  }

  /// The names of the columns after the id, in the order of the table.
  static let names = ["flags"] + contents.map { "\($0.register)\($0.isDot ? "Dot" : "")" }
}

/// The columns of shown registers as statements select them, after the flags: all values in the order of
/// `Register.known`, then their dots.
enum SelectedColumns {
  /// The values.
  static let values = Register.known.map(\.description).joined(separator: ", ")
  /// The dots.
  static let dots = Register.known.map { "\($0)Dot" }.joined(separator: ", ")

  /// The column of a register's value after `flags` in column 0.
  static func value(_ register: Register) -> Int32 { 1 + Int32(register.knownIndex ?? 0) }
  /// The first column of dots, after all values.
  static var firstDot: Int32 { 1 + Int32(Register.knownCount) }
  /// The first column after the dots.
  static var end: Int32 { 1 + 2 * Int32(Register.knownCount) }
}

/// The content of the column for a register's value.
enum ColumnValue {
  case blob(UnsafeRawBufferPointer)
  case text(UnsafeRawBufferPointer)
  case null

  /// Takes a value as its column has it: a color encoded, the others bare.
  init(_ item: UnsafeRawBufferPointer, of register: Register) {
    switch register {
    case .color: self = .blob(item)
    case .place: self = RegisterValue.content(of: item, major: 2).map { .blob($0) } ?? .null
    default: self = RegisterValue.content(of: item, major: 3).map { .text($0) } ?? .null
    }
  }
}

extension Statement {
  /// Binds a value as the column of its register has it, to stay where it is until the statement ran.
  // Swift 6.3.1 fails to compile callers into which this is inlined.
  @inline(never)
  func bind(
    lent item: UnsafeRawBufferPointer,
    as register: Register,
    at parameter: Int32
  ) throws(StoreError) {
    switch ColumnValue(item, of: register) {
    case .blob(let bytes): try bind(lent: bytes, at: parameter)
    case .text(let text): try bind(lentText: text, at: parameter)
    case .null: try bindNull(at: parameter)
    }
  }

  /// Binds a value as the column of its register has it, copied by SQLite.
  func bind(
    _ item: UnsafeRawBufferPointer,
    as register: Register,
    at parameter: Int32
  ) throws(StoreError) {
    switch ColumnValue(item, of: register) {
    case .blob(let bytes): try bind(bytes, at: parameter)
    case .text(let text): try bindText(text, at: parameter)
    case .null: try bindNull(at: parameter)
    }
  }

  /// A value that was bound so, from a column that is not null.
  func value(of register: Register, at column: Int32) -> RegisterValue {
    withBytes(column) { bytes in
      switch register {
      case .color: RegisterValue(encoded: bytes)
      case .place: RegisterValue(placeBytes: bytes)
      default: RegisterValue(textBytes: bytes)
      }
    }
  }
}

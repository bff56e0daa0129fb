import PaletteMerge

/// The parameters of a known register in `Query.insertRecord` and `Query.replaceRecord`.
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
    default: (value, dot) = (7, 11)
    }
  }

  /// The parameter of the flags, which stand before all values.
  static var flags: Int32 { 3 }
  /// The parameter of the first dot; all of them stand behind the values.
  static var firstDot: Int32 { 8 }

  /// The register of a parameter.
  static func register(of parameter: Int32) -> Register {
    switch parameter {
    case 4, 8: .place
    case 5, 9: .color
    case 6, 10: .name
    default: .note
    }
  }
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
}

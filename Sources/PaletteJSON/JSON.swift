/// A JSON value (RFC 8259).
///
/// Numbers compare by value: the integer 1 equals the number 1.0. Objects keep the order of their
/// members and compare with it.
public enum JSON: Sendable {
  /// The value `null`.
  case null
  /// The value `true` or `false`.
  case bool(Bool)
  /// A number without fraction and exponent that fits 64 bits.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// A text.
  case string(String)
  /// A list of values.
  case array([JSON])
  /// A list of named values.
  case object(JSONObject)
}

extension JSON: Equatable {
  /// Returns whether two values are the same, whichever way a number is held.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.integer(let integer), .number(let number)), (.number(let number), .integer(let integer)):
      Int64(exactly: number) == integer
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    case (.null, _), (.bool, _), (.integer, _), (.number, _), (.string, _), (.array, _),
      (.object, _):
      false
    }
  }
}

extension JSON: CustomStringConvertible {
  /// The value as a JSON document.
  public var description: String { text }

  /// The value as a JSON document.
  public var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension JSON {
  /// Creates a text.
  public init(_ text: String) { self = .string(text) }

  /// Creates an integer.
  public init(_ number: Int) { self = .integer(Int64(number)) }

  /// Creates a number.
  public init(_ number: Double) { self = .number(number) }

  /// Creates a truth value.
  public init(_ truth: Bool) { self = .bool(truth) }

  /// Creates a list.
  public init(_ elements: [JSON]) { self = .array(elements) }

  /// Creates an object from keys and values, in their order.
  public init(_ members: [(key: String, value: JSON)]) {
    self = .object(JSONObject(members.map { JSONObject.Member($0.key, $0.value) }))
  }

  /// Creates a text that holds bytes in base64.
  public init(base64 bytes: [UInt8]) { self = .string(Base64.encode(bytes)) }
}

extension JSON {
  /// Reads one JSON document in UTF-8, strictly as RFC 8259 has it.
  ///
  /// Refused beyond its grammar: a byte order mark, more than 128 levels, half a surrogate pair, and
  /// a number too large for 64-bit floating point.
  public init(parsing bytes: [UInt8]) throws(JSONParseError) {
    var parser = JSONParser(bytes)
    self = try parser.whole()
  }

  /// Reads one JSON document.
  public init(parsing text: String) throws(JSONParseError) {
    try self.init(parsing: Array(text.utf8))
  }
}

// MARK: Literals

extension JSON: ExpressibleByNilLiteral {
  /// Creates the value `null`.
  public init(nilLiteral: ()) { self = .null }
}

extension JSON: ExpressibleByBooleanLiteral {
  /// Creates a truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSON: ExpressibleByIntegerLiteral {
  /// Creates an integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension JSON: ExpressibleByFloatLiteral {
  /// Creates a number.
  public init(floatLiteral value: Double) { self = .number(value) }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// Creates a text.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension JSON: ExpressibleByArrayLiteral {
  /// Creates a list.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON: ExpressibleByDictionaryLiteral {
  /// Creates an object, in the order of the literal.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(JSONObject(elements.map { JSONObject.Member($0.0, $0.1) }))
  }
}

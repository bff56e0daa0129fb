/// A recursive-descent reader of one JSON document.
package struct JSONParser {
  /// The number of arrays and objects that may be inside one another: bounds the stack.
  package static let depthLimit = 128
  /// The most values of a document: reading one that has more ends soon, and in little memory.
  package static let valueLimit = 4_000_000

  let document: [UInt8]
  var index = 0
  private var depth = 0
  private var count = 0

  init(_ document: [UInt8]) {
    self.document = document
  }

  /// The next byte, nil at the end.
  var next: UInt8? { index < document.count ? document[index] : nil }

  func error(_ reason: String, at offset: Int? = nil) -> JSONParseError {
    JSONParseError(reason, at: offset ?? index, in: document)
  }

  /// The error for a byte that cannot stand here.
  func unexpected(_ expected: String) -> JSONParseError {
    error(next == nil ? "unexpected end, \(expected) expected" : "\(expected) expected")
  }

  mutating func whole() throws(JSONParseError) -> JSON {
    let value = try value()
    skipSpace()
    guard index == document.count else { throw error("nothing more expected") }
    return value
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      index += 1
    }
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    skipSpace()
    guard next == byte else { return false }
    index += 1
    return true
  }

  private mutating func value() throws(JSONParseError) -> JSON {
    skipSpace()
    count += 1
    guard count <= Self.valueLimit else { throw error("more than \(Self.valueLimit) values") }
    switch next {
    case UInt8(ascii: "{"):
      return try nested { parser throws(JSONParseError) in try parser.object() }
    case UInt8(ascii: "["):
      return try nested { parser throws(JSONParseError) in try parser.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), (UInt8(ascii: "0")...UInt8(ascii: "9"))?: return try number()
    default: throw unexpected("value")
    }
  }

  private mutating func nested(
    _ body: (inout JSONParser) throws(JSONParseError) -> JSON
  ) throws(JSONParseError) -> JSON {
    guard depth < Self.depthLimit else {
      throw error("more than \(Self.depthLimit) levels")
    }
    depth += 1
    index += 1
    let value = try body(&self)
    depth -= 1
    return value
  }

  private mutating func array() throws(JSONParseError) -> JSON {
    var elements: [JSON] = []
    if skip(UInt8(ascii: "]")) { return .array(elements) }
    repeat {
      elements.append(try value())
    } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "]")) else { throw unexpected("',' or ']'") }
    return .array(elements)
  }

  private mutating func object() throws(JSONParseError) -> JSON {
    var members: [JSONObject.Member] = []
    if skip(UInt8(ascii: "}")) { return .object(JSONObject(members)) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw unexpected("key in quotes") }
      let key = try string()
      guard skip(UInt8(ascii: ":")) else { throw unexpected("':'") }
      members.append(JSONObject.Member(key, try value()))
    } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "}")) else { throw unexpected("',' or '}'") }
    return .object(JSONObject(members))
  }

  private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONParseError) -> JSON {
    for offset in 0..<word.utf8CodeUnitCount {
      guard next == word.utf8Start[offset] else { throw unexpected("'\(word)'") }
      index += 1
    }
    return value
  }
}

extension JSONParser {
  /// Reads a number; one without fraction and exponent stays an integer while it fits 64 bits.
  mutating func number() throws(JSONParseError) -> JSON {
    let start = index
    if next == UInt8(ascii: "-") { index += 1 }
    let whole = index
    try digits()
    guard document[whole] != UInt8(ascii: "0") || index == whole + 1 else {
      throw error("number without leading zeros expected", at: whole)
    }
    var isWhole = true
    if next == UInt8(ascii: ".") {
      isWhole = false
      index += 1
      try digits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      isWhole = false
      index += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
      try digits()
    }
    let text = String(decoding: document[start..<index], as: UTF8.self)
    if isWhole, let value = Int64(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else {
      throw error("number within the range of 64-bit floating point expected", at: start)
    }
    return .number(value)
  }

  private mutating func digits() throws(JSONParseError) {
    let start = index
    while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { index += 1 }
    guard index > start else { throw unexpected("digit") }
  }
}

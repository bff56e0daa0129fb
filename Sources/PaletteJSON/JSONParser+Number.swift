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

extension JSONParser {
  /// Reads a text in quotes; most have no escapes and are copied at once.
  mutating func string() throws(JSONParseError) -> String {
    index += 1
    let start = index
    var isASCII = true
    var escaped: [UInt8] = []
    var copied = start
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        defer { index += 1 }
        if copied == start, isASCII { return copy(start..<index) }
        if copied == start { return try text(document[start..<index], at: start) }
        escaped += document[copied..<index]
        return try text(escaped[...], at: start)
      case UInt8(ascii: "\\"):
        escaped += document[copied..<index]
        try escape(into: &escaped)
        copied = index
      case 0..<0x20:
        throw error("no control character expected in a text")
      default:
        if byte >= 0x80 { isASCII = false }
        index += 1
      }
    }
    throw unexpected("closing quote")
  }

  /// Copies ASCII, in which there is nothing to check.
  private func copy(_ range: Range<Int>) -> String {
    document.withUnsafeBufferPointer { document in
      String(unsafeUninitializedCapacity: range.count) { buffer in
        buffer.initialize(fromContentsOf: document[range])
      }
    }
  }

  private func text(_ bytes: ArraySlice<UInt8>, at start: Int) throws(JSONParseError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw error("text in UTF-8 expected", at: start)
    }
    return text
  }

  private mutating func escape(into bytes: inout [UInt8]) throws(JSONParseError) {
    index += 1
    let byte: UInt8
    switch next {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte = document[index]
    case UInt8(ascii: "b"): byte = 0x08
    case UInt8(ascii: "f"): byte = 0x0C
    case UInt8(ascii: "n"): byte = 0x0A
    case UInt8(ascii: "r"): byte = 0x0D
    case UInt8(ascii: "t"): byte = 0x09
    case UInt8(ascii: "u"):
      bytes += Array(String(Character(try scalar())).utf8)
      return
    default:
      throw unexpected("one of \" \\ / b f n r t u after a backslash")
    }
    index += 1
    bytes.append(byte)
  }

  /// Reads `uXXXX`, or a surrogate pair of two such escapes.
  private mutating func scalar() throws(JSONParseError) -> Unicode.Scalar {
    let start = index - 1
    let first = try codeUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard UTF16.isLeadSurrogate(first), next == UInt8(ascii: "\\") else {
      throw error("whole surrogate pair expected", at: start)
    }
    index += 1
    guard next == UInt8(ascii: "u") else {
      throw error("whole surrogate pair expected", at: start)
    }
    let second = try codeUnit()
    guard UTF16.isTrailSurrogate(second),
      let scalar = Unicode.Scalar(0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF)))
    else { throw error("whole surrogate pair expected", at: start) }
    return scalar
  }

  private mutating func codeUnit() throws(JSONParseError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      index += 1
      guard let digit = next.flatMap(Self.hexValue) else {
        throw unexpected("four hexadecimal digits")
      }
      unit = unit << 4 | UInt16(digit)
    }
    index += 1
    return unit
  }

  private static func hexValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

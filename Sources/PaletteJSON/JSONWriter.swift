/// Writes a JSON document from front to back into one buffer, without building values first.
///
/// The caller keeps the grammar: a key before each value inside an object, an end for each
/// beginning. Commas come by themselves, spaces never.
public struct JSONWriter: Sendable {
  /// The bytes written so far.
  public private(set) var bytes: [UInt8] = []
  private var needsComma = false
  private var depth = 0

  /// Creates a writer whose buffer has room for so many bytes.
  public init(capacity: Int = 0) {
    bytes.reserveCapacity(capacity)
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
    depth += 1
  }

  private mutating func end(_ bracket: UInt8) {
    precondition(depth > 0, "an end without a beginning")
    bytes.append(bracket)
    needsComma = true
    depth -= 1
  }

  /// Begins an object.
  public mutating func beginObject() { begin(UInt8(ascii: "{")) }

  /// Ends the object begun last.
  public mutating func endObject() { end(UInt8(ascii: "}")) }

  /// Begins a list.
  public mutating func beginArray() { begin(UInt8(ascii: "[")) }

  /// Ends the list begun last.
  public mutating func endArray() { end(UInt8(ascii: "]")) }

  /// Writes the key of the value that follows.
  public mutating func key(_ key: String) {
    separate()
    quote(key)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes `null`.
  public mutating func null() {
    separate()
    append("null")
  }

  /// Writes a truth value.
  public mutating func bool(_ value: Bool) {
    separate()
    append(value ? "true" : "false")
  }

  /// Writes an integer.
  public mutating func integer(_ value: some BinaryInteger) {
    separate()
    if let small = UInt32(exactly: value) { append(decimal: small) } else { append(String(value)) }
  }

  private mutating func append(decimal value: UInt32) {
    var divisor: UInt32 = 1
    while value / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / divisor % 10))
      divisor /= 10
    }
  }

  /// Writes a number with as many digits as make it read back the same; `null` if it is not finite.
  ///
  /// Whole numbers up to 2^53 have no fraction, and negative zero is written as 0.
  public mutating func number(_ value: Double) {
    guard value.isFinite else { return null() }
    if value.magnitude <= 0x1p53, value == value.rounded() { return integer(Int64(value)) }
    separate()
    append(value.description)
  }

  /// Writes a text.
  public mutating func string(_ value: String) {
    separate()
    quote(value)
  }

  /// Writes a text of which the caller appends the bytes: ASCII that needs no escape.
  package mutating func ascii(_ append: (inout [UInt8]) -> Void) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    append(&bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes bytes that are a JSON document already.
  public mutating func document(_ document: [UInt8]) {
    separate()
    bytes.append(contentsOf: document)
  }

  private mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func quote(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      // Hardly any text holds what has to be escaped.
      if !utf8.contains(where: Self.isEscaped) {
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: utf8)
        bytes.append(UInt8(ascii: "\""))
        return
      }
      let longestEscape = 6
      bytes.append(addingCapacity: longestEscape * utf8.count + 2) { output in
        output.append(UInt8(ascii: "\""))
        for byte in utf8 {
          if Self.isEscaped(byte) {
            Self.escape(byte, into: &output)
          } else {
            output.append(byte)
          }
        }
        output.append(UInt8(ascii: "\""))
      }
    }
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func escape(_ byte: UInt8, into output: inout OutputSpan<UInt8>) {
    output.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: output.append(UInt8(ascii: "b"))
    case 0x09: output.append(UInt8(ascii: "t"))
    case 0x0A: output.append(UInt8(ascii: "n"))
    case 0x0C: output.append(UInt8(ascii: "f"))
    case 0x0D: output.append(UInt8(ascii: "r"))
    case 0..<0x20:
      output.append(UInt8(ascii: "u"))
      output.append(UInt8(ascii: "0"))
      output.append(UInt8(ascii: "0"))
      output.append(hexDigit(byte >> 4))
      output.append(hexDigit(byte & 15))
    default: output.append(byte)
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}

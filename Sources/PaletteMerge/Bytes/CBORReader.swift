package import PaletteModel

/// Reads deterministic CBOR and refuses every other encoding of the same value.
///
/// It reads in place and is valid only inside the closure that lent the buffer.
package struct CBORReader {
  private let buffer: UnsafeRawBufferPointer
  /// The offset of the next unread byte.
  package private(set) var position = 0

  package init(_ buffer: UnsafeRawBufferPointer) {
    self.buffer = buffer
  }

  /// True when everything has been read.
  package var isAtEnd: Bool { position == buffer.count }

  /// The major type of the next item.
  package func peekMajorType() throws(CBORError) -> UInt8 {
    guard position < buffer.count else { throw .truncated }
    return buffer[position] >> 5
  }

  /// True when the next item is null.
  package var isNull: Bool { position < buffer.count && buffer[position] == 0xF6 }

  package mutating func readUnsigned() throws(CBORError) -> UInt64 { try head(0) }

  package mutating func readArray() throws(CBORError) -> Int { try count(4, unit: 1) }

  package mutating func readMap() throws(CBORError) -> Int { try count(5, unit: 2) }

  /// The bytes of the next byte string, in place.
  package mutating func readBytes() throws(CBORError) -> UnsafeRawBufferPointer {
    try consume(try count(2, unit: 1))
  }

  /// The bytes of the next text, in place, checked to be UTF-8.
  private mutating func readUTF8() throws(CBORError) -> UnsafeRawBufferPointer {
    let text = try consume(try count(3, unit: 1))
    guard Self.isUTF8(text) else { throw .invalidUTF8 }
    return text
  }

  private static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.withMemoryRebound(to: UInt8.self) { bytes in
      do {
        _ = try UTF8Span(validating: bytes.span)
        return true
      } catch {
        return false
      }
    }
  }

  /// The next text.
  package mutating func readText() throws(CBORError) -> String {
    String(decoding: try readUTF8(), as: UTF8.self)
  }

  package mutating func readBool() throws(CBORError) -> Bool {
    let byte = try nextByte()
    guard byte == 0xF4 || byte == 0xF5 else { throw .unexpectedType }
    return byte == 0xF5
  }

  package mutating func readNull() throws(CBORError) {
    guard try nextByte() == 0xF6 else { throw .unexpectedType }
  }

  /// The next float, which is finite and as short as it can be.
  package mutating func readFloat() throws(CBORError) -> Double {
    let value: Double
    let size: Int
    switch try nextByte() {
    case 0xF9:
      size = 2
      value = HalfFloat.value(of: UInt16(truncatingIfNeeded: try number(2)))
    case 0xFA:
      size = 4
      value = Double(Float(bitPattern: UInt32(truncatingIfNeeded: try number(4))))
    case 0xFB:
      size = 8
      value = Double(bitPattern: try number(8))
    default:
      throw .unexpectedType
    }
    guard value.isFinite else { throw .notFinite }
    let single = Float(value)
    let needed = Double(single) != value ? 8 : HalfFloat.bits(of: single) == nil ? 4 : 2
    guard size == needed else { throw .notDeterministic }
    return value
  }

  /// The next byte string of sixteen bytes as an id.
  package mutating func readRecordID() throws(CBORError) -> RecordID {
    guard try nextByte() == 0x50 else { throw .unexpectedType }
    return RecordID(high: try number(8), low: try number(8))
  }

  /// The next byte string of eight bytes as a number.
  package mutating func readEightBytes() throws(CBORError) -> UInt64 {
    guard try nextByte() == 0x48 else { throw .unexpectedType }
    return try number(8)
  }

  /// The next byte string of four bytes as a number.
  package mutating func readFourBytes() throws(CBORError) -> UInt32 {
    guard try nextByte() == 0x44 else { throw .unexpectedType }
    return UInt32(truncatingIfNeeded: try number(4))
  }

  /// Passes over bytes that are known already.
  package mutating func skip(bytes count: Int) throws(CBORError) {
    guard count <= buffer.count - position else { throw .truncated }
    position += count
  }

  /// Passes over one item of any kind and returns its bytes, in place.
  package mutating func readItem(depthLimit: Int = 16) throws(CBORError) -> UnsafeRawBufferPointer {
    let start = position
    try skip(depthLimit: depthLimit)
    return UnsafeRawBufferPointer(rebasing: buffer[start..<position])
  }

  private mutating func skip(depthLimit: Int) throws(CBORError) {
    guard depthLimit > 0 else { throw .tooDeep }
    switch try peekMajorType() {
    case 0: _ = try head(0)
    case 1: _ = try head(1)
    case 2: _ = try readBytes()
    case 3: _ = try readUTF8()
    case 4:
      for _ in 0..<(try readArray()) { try skip(depthLimit: depthLimit - 1) }
    case 5:
      var previous: UnsafeRawBufferPointer?
      for _ in 0..<(try readMap()) {
        let key = try readItem(depthLimit: depthLimit - 1)
        if let previous, !previous.lexicographicallyPrecedes(key) { throw .notDeterministic }
        previous = key
        try skip(depthLimit: depthLimit - 1)
      }
    case 7:
      switch buffer[position] {
      case 0xF4, 0xF5, 0xF6: position += 1
      default: _ = try readFloat()
      }
    default: throw .unexpectedType
    }
  }

  @inline(__always)
  private mutating func nextByte() throws(CBORError) -> UInt8 {
    guard position < buffer.count else { throw .truncated }
    defer { position += 1 }
    return buffer[position]
  }

  private mutating func number(_ count: Int) throws(CBORError) -> UInt64 {
    guard buffer.count - position >= count else { throw .truncated }
    defer { position += count }
    if count == 8 {
      return UInt64(bigEndian: buffer.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    }
    var value: UInt64 = 0
    for offset in 0..<count { value = value << 8 | UInt64(buffer[position + offset]) }
    return value
  }

  @inline(__always)
  private mutating func head(_ major: UInt8) throws(CBORError) -> UInt64 {
    let byte = try nextByte()
    guard byte >> 5 == major else { throw .unexpectedType }
    // Most heads are one byte.
    return byte & 31 < 24 ? UInt64(byte & 31) : try rest(ofHead: byte & 31)
  }

  @inline(never)
  private mutating func rest(ofHead size: UInt8) throws(CBORError) -> UInt64 {
    let (value, least): (UInt64, UInt64)
    switch size {
    case 24: (value, least) = (try number(1), 24)
    case 25: (value, least) = (try number(2), 0x100)
    case 26: (value, least) = (try number(4), 0x1_0000)
    case 27: (value, least) = (try number(8), 0x1_0000_0000)
    default: throw .notDeterministic
    }
    guard value >= least else { throw .notDeterministic }
    return value
  }

  /// A count that the rest of the buffer could hold, so that nobody reserves memory for a lie.
  private mutating func count(_ major: UInt8, unit: UInt64) throws(CBORError) -> Int {
    let value = try head(major)
    guard value <= UInt64(buffer.count - position) / unit else { throw .truncated }
    return Int(value)
  }

  private mutating func consume(_ count: Int) throws(CBORError) -> UnsafeRawBufferPointer {
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: buffer[position..<position + count])
  }
}

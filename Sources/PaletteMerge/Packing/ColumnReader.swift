internal import PaletteModel

/// Packed rows that are none.
package struct MalformedPacking: Error, Hashable, Sendable, CustomStringConvertible {
  /// The failure, as a sentence for people.
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

/// Reads one column of packed rows, in place.
struct ColumnReader {
  private let buffer: UnsafeRawBufferPointer
  private var position = 0

  init(_ buffer: UnsafeRawBufferPointer) {
    self.buffer = buffer
  }

  var isAtEnd: Bool { position == buffer.count }

  mutating func readByte() throws(MalformedPacking) -> UInt8 {
    guard position < buffer.count else { throw Self.ended }
    defer { position += 1 }
    return buffer[position]
  }

  mutating func readNumber() throws(MalformedPacking) -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), through: 63, by: 7) {
      let byte = try readByte()
      guard shift < 63 || byte <= 1 else { break }
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
    }
    throw MalformedPacking("a number has more than 64 bits")
  }

  mutating func readSequence() throws(MalformedPacking) -> UInt32 {
    try Self.sequence(try readNumber())
  }

  /// A number that was read, as a sequence number.
  static func sequence(_ number: UInt64) throws(MalformedPacking) -> UInt32 {
    guard let sequence = Dot.sequence(number) else {
      throw MalformedPacking("a sequence number is none")
    }
    return sequence
  }

  mutating func readDifference() throws(MalformedPacking) -> Int64 {
    let number = try readNumber()
    return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }

  mutating func readEightBytes() throws(MalformedPacking) -> UInt64 {
    let bytes = try readBytes(8)
    return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
  }

  mutating func readFourBytes() throws(MalformedPacking) -> UInt32 {
    let bytes = try readBytes(4)
    return UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))
  }

  mutating func readRecordID() throws(MalformedPacking) -> RecordID {
    RecordID(high: try readEightBytes(), low: try readEightBytes())
  }

  /// The next item of CBOR, whole.
  mutating func readItem() throws(MalformedPacking) -> UnsafeRawBufferPointer {
    var reader = CBORReader(UnsafeRawBufferPointer(rebasing: buffer[position...]))
    do {
      let item = try reader.readItem()
      position += item.count
      return item
    } catch {
      throw MalformedPacking("a value is no item: \(error)")
    }
  }

  mutating func readBytes(_ count: Int) throws(MalformedPacking) -> UnsafeRawBufferPointer {
    guard count <= buffer.count - position else { throw Self.ended }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: buffer[position..<position + count])
  }

  private static var ended: MalformedPacking { MalformedPacking("a column ends too early") }
}

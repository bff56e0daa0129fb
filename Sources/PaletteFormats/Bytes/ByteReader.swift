/// Reads numbers from the front of bytes; every length that a file claims is checked here.
struct ByteReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  /// The number of bytes that are left.
  var count: Int { rest.count }

  /// Where the next byte is in the file.
  var index: Int { rest.startIndex }

  /// The place of the next byte in the file, for messages.
  var place: String { "byte \(rest.startIndex)" }

  /// The next bytes, as far as there are so many.
  mutating func bytes(_ count: Int) throws(FormatError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= rest.count else {
      throw .badFile("the file ends too early: \(count) bytes are wanted at \(place)")
    }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// The next whole number, most significant byte first.
  mutating func big<Number: FixedWidthInteger & UnsignedInteger>(
    _ type: Number.Type
  ) throws(FormatError) -> Number {
    try bytes(Number.bitWidth / 8).reduce(0) { $0 << 8 | Number($1) }
  }

  /// The next whole number, least significant byte first.
  mutating func little<Number: FixedWidthInteger & UnsignedInteger>(
    _ type: Number.Type
  ) throws(FormatError) -> Number {
    try big(type).byteSwapped
  }

  /// The next number in floating point, most significant byte first.
  mutating func float() throws(FormatError) -> Double {
    Double(Float(bitPattern: try big(UInt32.self)))
  }
}

extension [UInt8] {
  /// Appends a whole number, most significant byte first.
  mutating func append(big value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  /// Appends a whole number, least significant byte first.
  mutating func append(little value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }
}

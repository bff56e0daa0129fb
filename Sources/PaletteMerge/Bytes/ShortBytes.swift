/// Immutable bytes that need no memory of their own up to a length of 23.
///
/// The 24 bytes of `words` hold the content, zeros, and in the last one the length; or they are all
/// zero but for the last one, which then says that `long` holds the content. So there is one way to
/// hold given bytes, and comparing and hashing may take the fields.
@usableFromInline package struct ShortBytes: Hashable, Sendable {
  @inlinable package static var longest: Int { 23 }
  private static let isLong: UInt64 = 0xFF << 56

  @usableFromInline package private(set) var first: UInt64 = 0
  @usableFromInline package private(set) var second: UInt64 = 0
  @usableFromInline package private(set) var third: UInt64 = 0
  @usableFromInline package private(set) var long: [UInt8]?

  /// Copies bytes.
  package init(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count <= Self.longest else {
      third = Self.isLong.littleEndian
      long = [UInt8](bytes)
      return
    }
    fill { buffer in
      buffer.copyMemory(from: bytes)
      buffer[Self.longest] = UInt8(bytes.count)
    }
  }

  /// Makes a CBOR byte string (major type 2) or text (3).
  init(major: UInt8, _ bytes: UnsafeRawBufferPointer) {
    guard bytes.count < Self.longest else {
      var writer = CBORWriter(reservingCapacity: bytes.count + 3)
      writer.write(major: major, bytes)
      self = writer.bytes.withUnsafeBytes { Self($0) }
      return
    }
    fill { buffer in
      buffer[0] = major << 5 | UInt8(bytes.count)
      UnsafeMutableRawBufferPointer(rebasing: buffer[1...]).copyMemory(from: bytes)
      buffer[Self.longest] = UInt8(bytes.count + 1)
    }
  }

  private mutating func fill(_ body: (UnsafeMutableRawBufferPointer) -> Void) {
    var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
    withUnsafeMutableBytes(of: &words, body)
    (first, second, third) = words
  }

  /// Lends the bytes to `body`.
  @inlinable package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let long {
      return try long.withUnsafeBufferPointer { (bytes) throws(Failure) in
        try body(UnsafeRawBufferPointer(bytes))
      }
    }
    return try withUnsafeBytes(of: (first, second, third)) { (bytes) throws(Failure) in
      try body(UnsafeRawBufferPointer(rebasing: bytes[..<Int(bytes[Self.longest])]))
    }
  }
}

import CZlib

/// Bytes that a peer squeezed and that are not what it should have sent.
package struct MalformedDeflate: Error {}

/// Squeezes bytes by DEFLATE (RFC 1951), without anything around it.
package enum Deflate {
  /// Squeezes bytes, fast rather than hard.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - incompressible: Parts of them, in order, that go as they are, as the format allows.
  /// - Returns: What `expand` makes the bytes of.
  package static func squeeze(_ bytes: [UInt8], except incompressible: [Range<Int>] = []) -> [UInt8]
  {
    var stream = z_stream()
    // It fails only without memory.
    guard czlib_deflate_begin(&stream) == Z_OK else { preconditionFailure("no memory") }
    defer { deflateEnd(&stream) }
    // A part by itself has an end, and blocks have heads.
    let limit = Int(deflateBound(&stream, UInt(bytes.count))) + incompressible.count * 64
    return bytes.withUnsafeBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: limit) { output, count in
        var rest = output
        var start = 0
        for part in incompressible {
          squeeze(input[start..<part.lowerBound], isLast: false, &stream, to: &rest)
          store(input[part], to: &rest)
          start = part.upperBound
        }
        squeeze(input[start...], isLast: true, &stream, to: &rest)
        count = limit - rest.count
      }
    }
  }

  /// Squeezes a part that refers to nothing before it, up to the end of a byte.
  private static func squeeze(
    _ part: Slice<UnsafeBufferPointer<UInt8>>,
    isLast: Bool,
    _ stream: inout z_stream,
    to output: inout UnsafeMutableBufferPointer<UInt8>
  ) {
    deflateReset(&stream)
    let input = UnsafeBufferPointer(rebasing: part)
    // zlib reads its input, whatever its declaration says.
    stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
    stream.avail_in = UInt32(input.count)
    stream.next_out = output.baseAddress
    stream.avail_out = UInt32(output.count)
    deflate(&stream, isLast ? Z_FINISH : Z_SYNC_FLUSH)
    output = UnsafeMutableBufferPointer(rebasing: output.suffix(Int(stream.avail_out)))
  }

  /// Writes a part as blocks that are not squeezed.
  private static func store(
    _ part: Slice<UnsafeBufferPointer<UInt8>>,
    to output: inout UnsafeMutableBufferPointer<UInt8>
  ) {
    func append(_ bytes: some Collection<UInt8>) {
      let end = output.update(fromContentsOf: bytes)
      output = UnsafeMutableBufferPointer(rebasing: output[end...])
    }
    var rest = part
    while !rest.isEmpty {
      let block = rest.prefix(Int(UInt16.max))
      let size = UInt16(block.count)
      append([0, UInt8(size & 0xFF), UInt8(size >> 8), UInt8(~size & 0xFF), UInt8(~size >> 8)])
      append(block)
      rest = rest.dropFirst(block.count)
    }
  }

  /// The most bytes that the format makes of one, and more.
  private static let mostSqueezed = 1_040

  /// The bytes as they were.
  ///
  /// - Throws: `MalformedDeflate` when they were not squeezed, or have more than `limit` bytes.
  package static func expand(_ bytes: [UInt8], limit: Int) throws(MalformedDeflate) -> [UInt8] {
    var stream = z_stream()
    guard czlib_inflate_begin(&stream) == Z_OK else { throw MalformedDeflate() }
    defer { inflateEnd(&stream) }
    var isWhole = false
    // Nothing can be squeezed more than that, so that room is not taken for what cannot come.
    let limit = min(limit, bytes.count * mostSqueezed)
    let expanded = bytes.withUnsafeBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: limit) { output, count in
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(limit)
        isWhole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0
        count = limit - Int(stream.avail_out)
      }
    }
    guard isWhole else { throw MalformedDeflate() }
    return expanded
  }
}

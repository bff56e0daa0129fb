import CZlib

/// Bytes that a peer squeezed and that are not what it should have sent.
struct MalformedDeflate: Error {}

/// Squeezes bytes by DEFLATE (RFC 1951), without anything around it.
enum Deflate {
  /// Squeezes bytes, fast rather than hard.
  static func squeeze(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    // It fails only without memory.
    guard czlib_deflate_begin(&stream) == Z_OK else { preconditionFailure("no memory") }
    defer { deflateEnd(&stream) }
    let limit = Int(deflateBound(&stream, UInt(bytes.count)))
    return bytes.withUnsafeBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: limit) { output, count in
        // zlib reads its input, whatever its declaration says.
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(limit)
        deflate(&stream, Z_FINISH)
        count = limit - Int(stream.avail_out)
      }
    }
  }

  /// The bytes as they were.
  ///
  /// - Throws: `MalformedDeflate` when they were not squeezed, or have more than `limit` bytes.
  static func expand(_ bytes: [UInt8], limit: Int) throws(MalformedDeflate) -> [UInt8] {
    var stream = z_stream()
    guard czlib_inflate_begin(&stream) == Z_OK else { throw MalformedDeflate() }
    defer { inflateEnd(&stream) }
    var isWhole = false
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

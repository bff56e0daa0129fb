/// The kind of a frame (RFC 6455, section 5.2).
package enum Opcode: UInt8 {
  case continuation = 0
  case text = 1
  case binary = 2
  case close = 8
  case ping = 9
  case pong = 10
}

/// Writes frames (RFC 6455, section 5): masked as a client has to, or plain as a server.
package enum FrameEncoder {
  /// The most bytes that precede a payload.
  static let headerLimit = 14

  /// A frame with all of a message, or of a control frame's payload.
  package static func frame(_ opcode: Opcode, _ payload: [UInt8], mask: UInt32?) -> [UInt8] {
    let capacity = headerLimit + payload.count
    return [UInt8](unsafeUninitializedCapacity: capacity) { target, used in
      guard let start = target.baseAddress else { return }
      used = payload.withUnsafeBytes { write(opcode, isLast: true, $0, mask: mask, to: start) }
    }
  }

  /// Writes a frame to memory that has room for it.
  ///
  /// - Returns: The bytes written.
  static func write(
    _ opcode: Opcode,
    isLast: Bool,
    _ payload: UnsafeRawBufferPointer,
    mask: UInt32?,
    to target: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let count = payload.count
    target[0] = (isLast ? 0x80 : 0) | opcode.rawValue
    let lengthCount = count < 126 ? 0 : count < 65_536 ? 2 : 8
    target[1] = lengthCount == 0 ? UInt8(count) : lengthCount == 2 ? 126 : 127
    for index in 0..<lengthCount {
      target[2 + index] = UInt8(truncatingIfNeeded: count >> (8 * (lengthCount - 1 - index)))
    }
    var used = 2 + lengthCount
    if let mask {
      target[1] |= 0x80
      for shift in 0..<4 {
        target[used] = UInt8(truncatingIfNeeded: mask >> (8 * UInt32(shift)))
        used += 1
      }
    }
    let body = UnsafeMutableRawBufferPointer(start: target + used, count: count)
    body.copyMemory(from: payload)
    if let mask { FrameMask.apply(UInt64(mask) << 32 | UInt64(mask), to: body) }
    return used + count
  }
}

/// The exclusive-or that hides a client's payloads from whatever stands between.
enum FrameMask {
  /// Masks bytes, or unmasks them; the mask is a word with the first byte lowest.
  static func apply(_ mask: UInt64, to bytes: UnsafeMutableRawBufferPointer) {
    var index = 0
    while index + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      bytes.storeBytes(of: word ^ mask.littleEndian, toByteOffset: index, as: UInt64.self)
      index += 8
    }
    while index < bytes.count {
      bytes[index] ^= UInt8(truncatingIfNeeded: mask >> (8 * UInt64(index & 7)))
      index += 1
    }
  }
}

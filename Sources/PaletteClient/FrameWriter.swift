/// The frames that a WebSocket client sends (RFC 6455, section 5).
enum FrameWriter {
  /// What a frame is.
  enum Opcode: UInt8 {
    case text = 1
    case pong = 10
  }

  /// A whole message in one frame, masked as clients must.
  static func frame(_ opcode: Opcode, _ payload: [UInt8], mask: UInt32) -> [UInt8] {
    var frame: [UInt8] = [0x80 | opcode.rawValue]
    frame.reserveCapacity(payload.count + 14)
    switch payload.count {
    case ..<126: frame.append(0x80 | UInt8(payload.count))
    case ..<65_536:
      frame.append(0x80 | 126)
      frame += [UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    default:
      frame.append(0x80 | 127)
      for shift in stride(from: 56, through: 0, by: -8) {
        frame.append(UInt8(truncatingIfNeeded: payload.count >> shift))
      }
    }
    let key = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: mask >> UInt32($0)) }
    frame += key
    let start = frame.count
    frame += payload
    frame.withUnsafeMutableBytes { bytes in
      for index in start..<bytes.count { bytes[index] ^= key[(index - start) & 3] }
    }
    return frame
  }
}

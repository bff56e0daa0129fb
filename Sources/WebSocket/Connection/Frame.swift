import CWebSockets
import Glibc

/// The bytes of one outgoing message, behind the headroom where libwebsockets writes its header.
///
/// A server does not mask, so one buffer serves any number of connections in turn: the header that a
/// write puts into the headroom is read before the next write begins.
final class Frame {
  let kind: Message.Kind
  let count: Int
  private let storage: UnsafeMutableRawPointer

  init(_ bytes: some Collection<UInt8>, kind: Message.Kind) {
    self.kind = kind
    let count = bytes.count
    self.count = count
    storage = .allocate(byteCount: CLWS_PRE + count, alignment: 16)
    let target = UnsafeMutableRawBufferPointer(start: storage + CLWS_PRE, count: count)
    target.copyBytes(from: bytes)
  }

  deinit {
    storage.deallocate()
  }

  /// The first byte of the payload; there are `CLWS_PRE` writable bytes before it.
  var payload: UnsafeMutablePointer<UInt8> {
    (storage + CLWS_PRE).assumingMemoryBound(to: UInt8.self)
  }

  /// The most bytes that precede the payload when it is not masked.
  static let headerLimit = 10

  /// Writes the frame, whole and unmasked, to memory that has room for it (RFC 6455, section 5.2).
  ///
  /// - Returns: The bytes written.
  func write(to target: UnsafeMutablePointer<UInt8>) -> Int {
    target[0] = 0x80 | (kind == .text ? 1 : 2)
    var length = 2
    if count < 126 {
      target[1] = UInt8(count)
    } else {
      let bytes = count < 65_536 ? 2 : 8
      target[1] = bytes == 2 ? 126 : 127
      for index in 0..<bytes {
        target[2 + index] = UInt8(truncatingIfNeeded: count >> (8 * (bytes - 1 - index)))
      }
      length += bytes
    }
    memcpy(target + length, payload, count)
    return length + count
  }

  /// What the frame costs in a queue.
  var weight: Int { max(count, 1) }
}

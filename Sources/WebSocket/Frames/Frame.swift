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
  private let headerCount: Int

  init(_ bytes: some Collection<UInt8>, kind: Message.Kind) {
    self.kind = kind
    let count = bytes.count
    self.count = count
    storage = .allocate(byteCount: CLWS_PRE + count, alignment: 16)
    let target = UnsafeMutableRawBufferPointer(start: storage + CLWS_PRE, count: count)
    // An array is copied at once, where the general way first asks what it is.
    let isCopied: Void? = bytes.withContiguousStorageIfAvailable {
      target.copyMemory(from: UnsafeRawBufferPointer($0))
    }
    if isCopied == nil { target.copyBytes(from: bytes) }
    headerCount = count < 126 ? 2 : count < 65_536 ? 4 : 10
    writeHeader()
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

  /// The frame whole and unmasked, as it goes over the wire (RFC 6455, section 5.2).
  ///
  /// The header that libwebsockets may have put there for another connection is the same.
  var wire: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: payload - headerCount, count: headerCount + count)
  }

  private func writeHeader() {
    let header = payload - headerCount
    header[0] = 0x80 | (kind == .text ? 1 : 2)
    header[1] = headerCount == 2 ? UInt8(count) : headerCount == 4 ? 126 : 127
    for index in 2..<headerCount {
      header[index] = UInt8(truncatingIfNeeded: count >> (8 * (headerCount - 1 - index)))
    }
  }

  /// Copies the frame, whole and unmasked, to memory that has room for it.
  ///
  /// - Returns: The bytes written.
  func write(to target: UnsafeMutablePointer<UInt8>) -> Int {
    memcpy(target, payload - headerCount, headerCount + count)
    return headerCount + count
  }

  /// What the frame costs in a queue.
  var weight: Int { max(count, 1) }
}

/// One outgoing message as a server sends it: a whole frame, unmasked, that any number of connections
/// can share.
final class MessageFrame {
  let kind: Message.Kind
  /// The bytes of the message.
  let count: Int
  private let storage: UnsafeMutableRawBufferPointer
  private let headerCount: Int

  init(_ bytes: some Collection<UInt8>, kind: Message.Kind) {
    self.kind = kind
    let count = bytes.count
    self.count = count
    headerCount = count < 126 ? 2 : count < 65_536 ? 4 : 10
    storage = .allocate(byteCount: headerCount + count, alignment: 16)
    storage[0] = 0x80 | kind.opcode.rawValue
    storage[1] = headerCount == 2 ? UInt8(count) : headerCount == 4 ? 126 : 127
    for index in 2..<headerCount {
      storage[index] = UInt8(truncatingIfNeeded: count >> (8 * (headerCount - 1 - index)))
    }
    let target = UnsafeMutableRawBufferPointer(rebasing: storage[headerCount...])
    // An array is copied at once, where the general way first asks what it is.
    let isCopied: Void? = bytes.withContiguousStorageIfAvailable {
      target.copyMemory(from: UnsafeRawBufferPointer($0))
    }
    if isCopied == nil { target.copyBytes(from: bytes) }
  }

  deinit {
    storage.deallocate()
  }

  /// The frame as it goes over the wire.
  var wire: UnsafeRawBufferPointer { UnsafeRawBufferPointer(storage) }

  /// The message alone.
  var payload: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[headerCount...]) }

  /// The cost of the frame in a queue.
  var weight: Int { max(count, 1) }
}

extension Message.Kind {
  var opcode: Opcode { self == .text ? .text : .binary }
}

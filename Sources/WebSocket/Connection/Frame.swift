import CWebSockets

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

  /// What the frame costs in a queue.
  var weight: Int { max(count, 1) }
}

internal import PaletteCommands
internal import WebSocket

/// Puts together what a WebSocket server sends: first the head of its answer, then messages.
struct FrameReader {
  /// The kinds of input.
  enum Event: Equatable {
    case message([UInt8])
    case ping([UInt8])
    case closed
  }

  /// The first piece; as long as pieces are full, the next one is larger.
  private static let readSizes = (2 << 10, 1 << 20)

  private var readSize = Self.readSizes.0
  private var parser: FrameParser
  /// The bytes of the head so far; nil once it is whole.
  private var head: [UInt8]? = []
  private var events: ArraySlice<FrameParser.Event> = []

  init(limit: Int) {
    parser = FrameParser(messageLimit: limit, isMasked: false)
  }

  /// Takes in what `read` puts into the buffer that it is lent.
  ///
  /// - Returns: What `read` returned: a number of bytes, 0 at the end, less when it failed.
  mutating func fill(_ read: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: readSize, alignment: 1)
    defer { buffer.deallocate() }
    let count = read(buffer)
    guard count > 0 else { return count }
    if count == readSize { readSize = min(2 * readSize, Self.readSizes.1) }
    let bytes = UnsafeRawBufferPointer(rebasing: buffer.prefix(count))
    if head == nil { events += parser.read(bytes) } else { head?.append(contentsOf: bytes) }
    return count
  }

  /// The head of the answer, once it is whole.
  mutating func removeHead() -> String? {
    let end = Array("\r\n\r\n".utf8)
    guard let bytes = head, bytes.count >= 4,
      let position = (0...bytes.count - 4).first(where: { bytes[$0..<$0 + 4].elementsEqual(end) })
    else { return nil }
    head = nil
    bytes.withUnsafeBytes { events += parser.read(.init(rebasing: $0[(position + 4)...])) }
    return String(decoding: bytes[..<position], as: UTF8.self)
  }

  /// True if something is there that `next` may tell without more being read.
  var hasEvents: Bool { !events.isEmpty }

  /// The next thing that is there whole; nil when more has to be read.
  mutating func next() throws(APIError) -> Event? {
    while let event = events.popFirst() {
      switch event {
      case .message(let message): return .message(message.bytes)
      case .ping(let payload): return .ping(payload)
      case .pong: continue
      case .close: return .closed
      case .violation(.messageTooBig, _):
        throw APIError(code: "too-large", message: "the node's answer is too long")
      case .violation(_, let reason):
        throw APIError(code: "failed", message: "the node sent what is no message: \(reason)")
      }
    }
    return nil
  }
}

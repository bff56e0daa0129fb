internal import PaletteCommands

/// Puts together what a WebSocket server sends: first the head of its answer, then frames.
struct FrameReader {
  /// What came in.
  enum Event: Equatable {
    case message([UInt8])
    case ping([UInt8])
    case closed
  }

  /// The first piece; the more is held, the larger the next one.
  private static let readSize = 2 << 10

  private let limit: Int
  private var bytes: [UInt8] = []
  private var start = 0
  /// The fragments of a message so far.
  private var message: [UInt8] = []

  init(limit: Int) {
    self.limit = limit
  }

  /// Takes in what `read` puts into the buffer that it is lent.
  ///
  /// - Returns: What `read` returned: a number of bytes, 0 at the end, less when it failed.
  mutating func fill(_ read: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    if start > 0 {
      bytes.removeFirst(start)
      start = 0
    }
    var result = 0
    bytes.append(addingCapacity: max(Self.readSize, bytes.count)) { output in
      output.withUnsafeMutableBufferPointer { buffer, used in
        let rest = UnsafeMutableBufferPointer(rebasing: buffer[used...])
        result = read(UnsafeMutableRawBufferPointer(rest))
        used += max(result, 0)
      }
    }
    return result
  }

  /// The head of the answer, once it is whole.
  mutating func takeHead() -> String? {
    let end = Array("\r\n\r\n".utf8)
    guard bytes.count >= 4,
      let position = (0...bytes.count - 4).first(where: { bytes[$0..<$0 + 4].elementsEqual(end) })
    else { return nil }
    start = position + 4
    return String(decoding: bytes[..<position], as: UTF8.self)
  }

  /// The next thing that is there whole; nil when more has to be read.
  mutating func next() throws(APIError) -> Event? {
    while let frame = try frame() {
      switch frame.opcode {
      case 0, 1, 2:
        // Not held against the limit again: a frame is within it, or `frame()` throws.
        if message.isEmpty, frame.isLast { return .message(Array(frame.payload)) }
        message += frame.payload
        guard message.count <= limit else { throw Self.tooLong }
        guard frame.isLast else { continue }
        defer { message = [] }
        return .message(message)
      case 8: return .closed
      case 9: return .ping(Array(frame.payload))
      default: continue
      }
    }
    return nil
  }

  /// The next frame that is there whole, with at most as many bytes as a message may have.
  private mutating func frame() throws(APIError) -> (
    opcode: UInt8, isLast: Bool, payload: ArraySlice<UInt8>
  )? {
    let held = bytes.count - start
    guard held >= 2 else { return nil }
    let short = Int(bytes[start + 1] & 0x7F)
    let lengthBytes = short == 126 ? 2 : short == 127 ? 8 : 0
    guard held >= 2 + lengthBytes else { return nil }
    let first = start + 2
    let length =
      lengthBytes == 0
      ? UInt64(short) : bytes[first..<first + lengthBytes].reduce(0) { $0 << 8 | UInt64($1) }
    guard length <= UInt64(limit) else { throw Self.tooLong }
    let end = first + lengthBytes + Int(length)
    guard bytes.count >= end else { return nil }
    defer { start = end }
    return (bytes[start] & 0x0F, bytes[start] & 0x80 != 0, bytes[(first + lengthBytes)..<end])
  }

  private static let tooLong = APIError(code: "too-large", message: "the node's answer is too long")
}

import Testing

@testable import PaletteClient
@testable import PaletteCommands
@testable import WebSocket

struct FrameTests {
  /// Feeds bytes to a reader, a few at a time.
  private static func read(_ bytes: [UInt8], pieces: Int, limit: Int = 1 << 20) throws
    -> [FrameReader.Event]
  {
    var reader = FrameReader(limit: limit)
    var events: [FrameReader.Event] = []
    let head = Array("HTTP/1.1 101 X\r\n\r\n".utf8)
    _ = reader.fill { buffer in
      buffer.copyBytes(from: head)
      return head.count
    }
    #expect(reader.removeHead() == "HTTP/1.1 101 X")
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(pieces)
      rest = rest.dropFirst(pieces)
      #expect(
        reader.fill { buffer in
          buffer.copyBytes(from: piece)
          return piece.count
        } == piece.count
      )
      while let event = try reader.next() { events.append(event) }
    }
    return events
  }

  /// A frame as a server sends it.
  private static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
    var frame = FrameEncoder.frame(.text, payload, mask: nil)
    frame[0] = first
    return frame
  }

  @Test(arguments: [
    (0, 1), (1, 1), (125, 1), (126, 1), (126, 7), (65_535, 1_001), (65_536, 1_001),
    (65_536, 2_000),
  ])
  func readsMessagesOfAnyLength(_ length: Int, _ pieces: Int) throws {
    let payload = (0..<length).map { UInt8($0 & 0x7F) }
    #expect(try Self.read(Self.frame(0x81, payload), pieces: pieces) == [.message(payload)])
  }

  @Test func joinsFragmentsAroundAPing() throws {
    let bytes =
      Self.frame(0x01, [1, 2]) + Self.frame(0x89, [9]) + Self.frame(0x00, [])
      + Self.frame(0x80, [3])
      + Self.frame(0x8A, []) + Self.frame(0x88, [3, 0xE9])
    #expect(try Self.read(bytes, pieces: 3) == [.ping([9]), .message([1, 2, 3]), .closed])
  }

  @Test func refusesWhatIsTooLong() {
    #expect(throws: APIError.self) {
      try Self.read(Self.frame(0x81, [UInt8](repeating: 0, count: 200)), pieces: 10, limit: 199)
    }
    let halves =
      Self.frame(0x01, [UInt8](repeating: 0, count: 100))
      + Self.frame(0x80, [UInt8](repeating: 0, count: 100))
    #expect(throws: APIError.self) { try Self.read(halves, pieces: 50, limit: 199) }
  }

  @Test func findsTheEndOfTheHead() {
    var reader = FrameReader(limit: 10)
    for text in ["HTTP/1.1 101 X\r\na: b\r", "\n\r\n\u{01}"] {
      #expect(reader.removeHead() == nil)
      _ = reader.fill { buffer in
        buffer.copyBytes(from: text.utf8)
        return text.utf8.count
      }
    }
    #expect(reader.removeHead() == "HTTP/1.1 101 X\r\na: b")
  }
}

import Testing

@testable import WebSocket

struct FrameParserTests {
  /// What the bytes mean when they come in pieces of a size.
  private func events(
    _ bytes: [UInt8],
    step: Int = .max,
    limit: Int = 1 << 16
  ) -> [FrameParser.Event] {
    var parser = FrameParser(messageLimit: limit)
    var events: [FrameParser.Event] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(step))
      rest = rest.dropFirst(step)
      piece.withUnsafeBytes { events += parser.read($0) }
    }
    return events
  }

  private func failure(_ bytes: [UInt8], limit: Int = 1 << 16) -> CloseCode? {
    if case .violation(let code, _)? = events(bytes, limit: limit).last { code } else { nil }
  }

  @Test(arguments: [1, 2, 3, 7, 13, 1000, Int.max])
  func readsPiecesOfAnySize(step: Int) {
    let long = (0..<70_000).map { UInt8(truncatingIfNeeded: $0) }
    let bytes =
      RawClient.frame(1, Array("häh".utf8)) + RawClient.frame(9, [1, 2]) + RawClient.frame(2, [])
      + RawClient.frame(1, Array("g".utf8), isFinal: false) + RawClient.frame(10, [])
      + RawClient.frame(0, Array("ut".utf8)) + RawClient.frame(2, Array(long.prefix(300)))
      + RawClient.frame(2, long) + RawClient.frame(8, [3, 232, 65]) + RawClient.frame(1, [65])
    let expected: [FrameParser.Event] = [
      .message(Message(text: "häh")), .ping([1, 2]), .message(Message(kind: .binary, bytes: [])),
      .pong, .message(Message(text: "gut")),
      .message(Message(kind: .binary, bytes: Array(long.prefix(300)))),
      .message(Message(kind: .binary, bytes: long)),
      .close(CloseEvent(code: .normal, reason: "A", initiator: .remote)),
    ]
    #expect(events(bytes, step: step, limit: 70_000) == expected)
  }

  @Test func tellsEveryPing() {
    let bytes = (0..<10 as Range<UInt8>).flatMap { RawClient.frame(9, [$0]) }
    #expect(events(bytes) == (0..<10).map { .ping([$0]) })
  }

  @Test func tellsWhatCameBeforeAViolation() {
    let bytes = RawClient.frame(1, [65]) + RawClient.frame(3, []) + RawClient.frame(1, [66])
    let all = events(bytes)
    #expect(all.count == 2)
    #expect(all.first == .message(Message(text: "A")))
    #expect(failure(bytes) == .protocolError)
  }

  @Test func refusesLengthsThatCouldBeShorter() {
    let mask: [UInt8] = [0, 0, 0, 0]
    #expect(failure([0x82, 0xFE, 0, 125] + mask) == .protocolError)
    #expect(failure([0x82, 0xFE, 0, 126] + mask) == nil)
    #expect(failure([0x82, 0xFF, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF] + mask) == .protocolError)
    #expect(failure([0x82, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0] + mask) == .protocolError)
  }

  @Test func refusesWhatIsNotMasked() {
    #expect(failure([0x81, 1]) == .protocolError)
  }

  @Test func refusesTheAnnouncementOfTooMuch() {
    #expect(failure(RawClient.frame(2, [1], length: 101), limit: 100) == .messageTooBig)
    let pieces = RawClient.frame(2, [1, 2], isFinal: false) + RawClient.frame(0, [1], length: 99)
    #expect(failure(pieces, limit: 100) == .messageTooBig)
  }

  @Test func refusesTextAtItsFirstWrongByte() {
    // The frame announces more, and the character is not whole.
    #expect(failure(RawClient.frame(1, [65, 0xF4, 0x90], length: 100)) == .invalidPayload)
    #expect(failure(RawClient.frame(1, [0xC3])) == .invalidPayload)
    #expect(failure(RawClient.frame(1, [0xC3], isFinal: false)) == nil)
  }

  @Test(arguments: [1000, 1003, 1007, 1012, 1013, 1014, 3000, 4999] as [UInt16])
  func takesRegisteredCodes(code: UInt16) {
    let bytes = RawClient.frame(8, [UInt8(code >> 8), UInt8(code & 255)])
    let event = CloseEvent(code: CloseCode(rawValue: code), reason: "", initiator: .remote)
    #expect(events(bytes) == [.close(event)])
  }

  @Test(arguments: [0, 999, 1004, 1005, 1006, 1015, 2999, 5000, 65_535] as [UInt16])
  func refusesOtherCodes(code: UInt16) {
    #expect(failure(RawClient.frame(8, [UInt8(code >> 8), UInt8(code & 255)])) == .protocolError)
  }
}

import Foundation
import PalettePlatform
import Testing
import WebSocket

struct HostileFrameTests {
  /// Sends frames on a fresh connection and returns the close that comes back, if one does.
  private func close(
    after bytes: [UInt8],
    path: String = "/chat",
    _ subprotocol: String? = "chat.v1"
  ) throws -> (sent: RawClient.Frame?, event: CloseEvent) {
    var result: (RawClient.Frame?, CloseEvent)?
    try withLoop { loop in
      var last: RawClient.Frame?
      do {
        let client = try RawClient(port: loop.port)
        try client.upgrade(path, subprotocol: subprotocol)
        try client.send(bytes)
        while last?.opcode != 8, let frame = try? client.readFrame() { last = frame }
      }
      result = (last?.opcode == 8 ? last : nil, try loop.log.end())
    }
    return try #require(result)
  }

  @Test(arguments: [
    // A frame that announces too much; one byte of it is enough.
    RawClient.frame(2, [1], length: 65_537), RawClient.frame(2, [1], length: 1 << 40),
    RawClient.frame(2, [1], length: UInt64(Int64.max)),
    // Fragments that add up to too much.
    RawClient.frame(2, [UInt8](repeating: 1, count: 40_000), isFinal: false)
      + RawClient.frame(0, [UInt8](repeating: 1, count: 25_537)),
  ])
  func closesOnTooMuch(bytes: [UInt8]) throws {
    let (frame, event) = try close(after: bytes)
    #expect(frame?.closeCode == 1009)
    #expect(event == CloseEvent(code: .messageTooBig, reason: "message too big", initiator: .local))
  }

  @Test func acceptsTheLargestMessage() throws {
    try withLoop { loop in
      let client = try RawClient(port: loop.port)
      try client.upgrade()
      let bytes = [UInt8](repeating: 9, count: 65_536)
      try client.send(2, bytes)
      #expect(try client.readMessage().payload == bytes)
      try client.send(2, Array(bytes[..<30_000]), isFinal: false)
      try client.send(0, Array(bytes[30_000...]))
      #expect(try client.readMessage().payload == bytes)
    }
  }

  @Test func letsARouteTakeMore() throws {
    try withLoop { loop in
      let client = try RawClient(port: loop.port)
      try client.upgrade("/echo", subprotocol: "echo")
      try client.send(RawClient.frame(2, [1], length: 16 << 20 + 1))
      #expect(try client.readFrame().closeCode == 1009)
    }
  }

  @Test(arguments: [
    RawClient.frame(1, [0xFF]), RawClient.frame(1, [0xC3]), RawClient.frame(1, [0xED, 0xA0, 0x80]),
    RawClient.frame(1, [0xF4, 0x90, 0x80, 0x80]),
    RawClient.frame(1, [0xC3], isFinal: false) + RawClient.frame(0, [0x28]),
  ])
  func closesOnTextThatIsNone(bytes: [UInt8]) throws {
    let (frame, event) = try close(after: bytes)
    #expect(frame?.closeCode == 1007)
    #expect(event.code == .invalidPayload && event.initiator == .local)
  }

  @Test func joinsCharactersAcrossFragments() throws {
    try withLoop { loop in
      let client = try RawClient(port: loop.port)
      try client.upgrade()
      try client.send(1, [0xC3], isFinal: false)
      try client.send(0, [0xBC])
      #expect(try client.readFrame().payload == Array("ü".utf8))
    }
  }

  @Test(arguments: [
    RawClient.frame(2, [1], reserved: 4), RawClient.frame(2, [1], reserved: 1),
    RawClient.frame(3, [1]), RawClient.frame(15, [1]), RawClient.frame(0, [1]),
    RawClient.frame(2, [1], isFinal: false) + RawClient.frame(2, [1]),
    RawClient.frame(9, [1], isFinal: false),
  ])
  func closesOnBrokenFraming(bytes: [UInt8]) throws {
    let (frame, event) = try close(after: bytes)
    #expect(frame?.closeCode == 1002)
    #expect(event.code == .protocolError && event.initiator == .local)
  }

  @Test(arguments: [
    RawClient.frame(2, [1], length: UInt64(Int64.max) + 1),
    RawClient.frame(9, [UInt8](repeating: 1, count: 126)),
    RawClient.frame(8, [UInt8](repeating: 1, count: 200)),
  ])
  func hangsUpOnImpossibleLengths(bytes: [UInt8]) throws {
    _ = try close(after: bytes)
  }

  @Test(arguments: [0, 999, 1004, 1005, 1006, 1015, 1016, 2999] as [UInt16])
  func answersImpossibleCloseCodes(code: UInt16) throws {
    let (frame, event) = try close(
      after: RawClient.frame(8, [UInt8(code >> 8), UInt8(code & 255)])
    )
    #expect(frame?.closeCode == 1002)
    #expect(event.code == .protocolError)
  }

  @Test func answersAReasonThatIsNoText() throws {
    let (frame, event) = try close(after: RawClient.frame(8, [3, 232, 0xFF, 0xFE]))
    #expect(frame?.closeCode == 1007)
    #expect(event.code == .invalidPayload)
  }

  @Test func hidesNothingBehindAClose() throws {
    try withLoop { loop in
      let client = try RawClient(port: loop.port)
      try client.upgrade()
      try client.send(RawClient.frame(8, [3, 232]) + RawClient.frame(1, [65]))
      #expect(try client.readFrame().closeCode == 1000)
      #expect(try loop.log.end().code == .normal)
      #expect(!loop.log.all.contains { if case .message = $0 { true } else { false } })
    }
  }

  @Test func holdsNothingForEmptyFragments() throws {
    try withLoop { loop in
      let client = try RawClient(port: loop.port)
      try client.upgrade()
      var bytes = RawClient.frame(2, [1], isFinal: false)
      for _ in 0..<20_000 { bytes += RawClient.frame(0, [], isFinal: false) }
      try client.send(bytes + RawClient.frame(0, [2]))
      #expect(try client.readFrame().payload == [1, 2])
    }
  }

  @Test func answersOnePingAtATime() throws {
    try withLoop { loop in
      let client = try RawClient(port: loop.port)
      try client.upgrade()
      for index in 0..<5 as Range<UInt8> {
        try client.send(9, [index])
        #expect(try client.readFrame() == RawClient.Frame(opcode: 10, payload: [index]))
      }
      try client.send(10, [1])
      try client.send(1, [65])
      #expect(try client.readFrame().payload == [65])
    }
  }

  /// Whoever pings without a pause, and takes every answer, is not all that the loop serves.
  @Test func aFloodOfPingsHoldsUpNobody() throws {
    try withLoop { loop in
      let flooder = try RawClient(port: loop.port)
      try flooder.upgrade()
      let descriptor = flooder.descriptor
      let pings = [[UInt8]](repeating: RawClient.frame(9, []), count: 10_000).flatMap(\.self)
      let ended = EventLog()
      Thread.detachNewThread {
        while pings.withUnsafeBytes({
          PalettePlatform.send(descriptor, $0.baseAddress, $0.count, 0x4000)
        })
          > 0
        {}
        ended.append(.note("sent"))
      }
      Thread.detachNewThread {
        var answers = [UInt8](repeating: 0, count: 65_536)
        while PalettePlatform.recv(descriptor, &answers, answers.count, 0) > 0 {}
        ended.append(.note("read"))
      }
      defer {
        shutdown(descriptor, Int32(SHUT_RDWR))
        _ = try? ended.wait(for: "both ends") { $0.count == 2 ? true : nil }
      }
      for _ in 0..<5 {
        let other = try RawClient(port: loop.port)
        try other.upgrade()
        try other.send(1, [65])
        #expect(try other.readFrame().payload == [65])
      }
    }
  }
}

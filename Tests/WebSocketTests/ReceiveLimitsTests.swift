import Testing

@testable import WebSocket

struct ReceiveLimitsTests {
  /// Lets every connection send one message of the size, and all together so much unfinished.
  private func limiting(message: Int, unfinished: Int) -> TestHandler.Behavior {
    var behavior = TestHandler.Behavior.echo
    behavior.connected = { loop, connection in
      loop.limit(
        connection.id,
        to: ReceiveLimits(messageBytes: message, sender: "ann", unfinishedBytes: unfinished)
      )
    }
    return behavior
  }

  private func client(of loop: TestLoop) throws -> RawClient {
    let client = try RawClient(port: loop.port)
    try client.upgrade("/echo", subprotocol: "echo")
    return client
  }

  @Test func refusesWhatIsAnnouncedBeyondTheSendersLimit() throws {
    try withLoop(behavior: limiting(message: 1000, unfinished: 1 << 20)) { loop in
      let good = try client(of: loop)
      try good.send(2, [UInt8](repeating: 1, count: 1000))
      #expect(try good.readMessage().payload.count == 1000)
      // Nothing but the header is sent.
      let announced = try client(of: loop)
      try announced.send(RawClient.frame(2, [], length: 1001))
      #expect(try announced.readFrame().closeCode == 1009)
      let pieces = try client(of: loop)
      try pieces.send(2, [UInt8](repeating: 1, count: 600), isFinal: false)
      try pieces.send(RawClient.frame(0, [], length: 401))
      #expect(try pieces.readFrame().closeCode == 1009)
    }
  }

  @Test func countsUnfinishedMessagesOfASenderTogether() throws {
    try withLoop(behavior: limiting(message: 1 << 20, unfinished: 3000)) { loop in
      let half = [UInt8](repeating: 1, count: 2000)
      let first = try client(of: loop)
      try first.send(2, half, isFinal: false)
      try eventually("bytes") { try loop.onLoop { $0.unfinishedBytes(of: "ann") } == 2000 }
      let second = try client(of: loop)
      try second.send(2, half, isFinal: false)
      #expect(try second.readFrame().closeCode == 1013)
      // Whoever was first goes on, and its message counts no more once it is whole.
      try first.send(0, [2])
      #expect(try first.readMessage().payload == half + [2])
      #expect(try loop.onLoop { $0.unfinishedBytes(of: "ann") } == 0)
      let third = try client(of: loop)
      try third.send(2, half, isFinal: false)
      try third.send(0, [3])
      #expect(try third.readMessage().payload == half + [3])
    }
  }

  @Test func forgetsWhatACloserSent() throws {
    try withLoop(behavior: limiting(message: 1 << 20, unfinished: 3000)) { loop in
      do {
        let client = try client(of: loop)
        try client.send(2, [UInt8](repeating: 1, count: 2000), isFinal: false)
        try eventually("bytes") { try loop.onLoop { $0.unfinishedBytes(of: "ann") } == 2000 }
      }
      try eventually("no bytes") { try loop.onLoop { $0.unfinishedBytes(of: "ann") } == 0 }
    }
  }

  @Test func boundsWhatTheUnknownSendTogether() throws {
    var configuration = TestLoop.configuration
    configuration.unauthenticatedBytes = 3000
    try withLoop(configuration) { loop in
      let half = [UInt8](repeating: 1, count: 2000)
      let first = try RawClient(port: loop.port)
      try first.upgrade("/greet", subprotocol: "greet.v1")
      let id = try loop.log.connection().id
      try first.send(2, half, isFinal: false)
      try eventually("bytes") { try loop.onLoop { $0.unfinishedBytes(of: "") } == 2000 }
      let second = try RawClient(port: loop.port)
      try second.upgrade("/greet", subprotocol: "greet.v1")
      try second.send(2, half, isFinal: false)
      #expect(try second.readFrame().closeCode == 1013)
      // Whoever has greeted does not count.
      try loop.onLoop { $0.keep(id) }
      #expect(try loop.onLoop { $0.unfinishedBytes(of: "") } == 0)
    }
  }

  @Test func keepsOnlyWhatHasArrived() {
    var parser = FrameParser(messageLimit: 96 << 20)
    RawClient.frame(2, [1, 2, 3], length: 96 << 20).withUnsafeBytes { _ = parser.read($0) }
    #expect(parser.unfinishedBytes == 3)
    parser.stop()
    #expect(parser.unfinishedBytes == 0 && parser.isFinished)
  }
}

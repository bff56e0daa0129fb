import Testing
import WebSocket

struct KeepAliveTests {
  private static var impatient: LoopConfiguration {
    var configuration = TestLoop.configuration
    configuration.patience = Patience(
      pingAfter: .milliseconds(40),
      silenceLimit: .milliseconds(160)
    )
    return configuration
  }

  @Test func endsADeadConnection() throws {
    try withLoop(Self.impatient) { loop in
      let client = try RawClient(port: loop.port)
      try client.upgrade()
      // Pings arrive, and are not answered.
      #expect(
        try client.readFrame() == RawClient.Frame(opcode: 9, payload: [0, 0, 0, 0, 0, 0, 0, 0])
      )
      let event = CloseEvent(code: .abnormal, reason: "no answer", initiator: .local)
      #expect(try loop.log.end(seconds: 3) == event)
    }
  }

  @Test func keepsAConnectionThatAnswers() throws {
    try withLoop(Self.impatient) { loop in
      let client = try RawClient(port: loop.port)
      try client.upgrade()
      for _ in 0..<10 {
        let ping = try client.readFrame()
        #expect(ping.opcode == 9)
        try client.send(10, ping.payload)
      }
      try client.send(1, [65])
      var frame = try client.readFrame()
      while frame.opcode == 9 { frame = try client.readFrame() }
      #expect(frame.payload == [65])
    }
  }

  /// Gives `body` a loop, its connection to a server, and the server's side, which answers nothing.
  private func withImpatientClient(
    _ body: (TestLoop, ConnectionID, RawClient) throws -> Void
  ) throws {
    let server = try RawServer()
    try withLoop(Self.impatient, listener: nil) { loop in
      let id = try loop.connect(
        ConnectRequest(
          endpoint: .tcp(host: "127.0.0.1", port: server.port),
          path: "/",
          subprotocol: nil
        )
      )
      let side = try server.accept()
      try side.acceptUpgrade()
      try body(loop, id, side)
    }
  }

  @Test func asksServersToo() throws {
    try withImpatientClient { loop, id, server in
      let ping = try server.readFrame()
      #expect(ping.opcode == 9)
      #expect(try loop.log.end(of: id, seconds: 3).reason == "no answer")
    }
  }

  /// What the other side answers is not read while the connection is paused here.
  @Test func keepsAConnectionThatIsPaused() throws {
    try withImpatientClient { loop, id, server in
      #expect(try server.readFrame().opcode == 9)
      try loop.onLoop { $0.pause(id) }
      let paused = ContinuousClock.now
      while ContinuousClock.now < paused + .milliseconds(500) {
        #expect(try server.readFrame().opcode == 9)
      }
      try loop.onLoop { $0.resume(id) }
      #expect(try loop.log.end(of: id, seconds: 3).reason == "no answer")
    }
  }

  @Test func sendsNoPingWhileMessagesFlow() throws {
    var configuration = TestLoop.configuration
    configuration.patience = Patience(pingAfter: .milliseconds(200))
    try withLoop(configuration) { loop in
      let client = try RawClient(port: loop.port)
      try client.upgrade()
      for index in 0..<2000 {
        try client.send(2, [UInt8(truncatingIfNeeded: index)])
        #expect(try client.readFrame().opcode == 2)
      }
    }
  }
}

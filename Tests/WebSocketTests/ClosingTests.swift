import Testing

@testable import WebSocket

struct ClosingTests {
  private static let codes: [(UInt16, String)] = [
    (1000, ""), (1001, "going"), (1008, "policy"), (1011, "oops"), (1012, "service restart"),
    (1013, "try again later"), (4401, "who?"), (4999, String(repeating: "x", count: 123)),
  ]

  @Test(arguments: codes)
  func closesWithACode(code: UInt16, reason: String) throws {
    try withLoop { loop in
      let client = try RawClient(port: loop.port)
      try client.upgrade()
      let id = try loop.log.connection().id
      try loop.onLoop { loop in
        loop.send([65], as: .text, to: id)
        loop.close(id, code: CloseCode(rawValue: code), reason: reason)
        // Nothing follows a close.
        #expect(loop.send([66], as: .text, to: id) == .closed)
        loop.close(id, code: .normal)
      }
      #expect(try client.readFrame().payload == [65])
      let close = try client.readFrame()
      #expect(close.opcode == 8 && close.closeCode == Int(code))
      #expect(close.payload.dropFirst(2).elementsEqual(reason.utf8))
      try client.sendClose(code)
      let expected = CloseEvent(
        code: CloseCode(rawValue: code),
        reason: reason,
        initiator: .local
      )
      #expect(try loop.log.end(of: id) == expected)
      #expect(try client.readToEnd().isEmpty)
    }
  }

  @Test(arguments: codes)
  func hearsTheCode(code: UInt16, reason: String) throws {
    try withLoop { loop in
      let client = try RawClient(port: loop.port)
      try client.upgrade()
      try client.sendClose(code, reason)
      let expected = CloseEvent(
        code: CloseCode(rawValue: code),
        reason: reason,
        initiator: .remote
      )
      #expect(try loop.log.end() == expected)
    }
  }

  @Test(arguments: codes)
  func agreesWithItself(close: (code: UInt16, reason: String)) throws {
    let (code, reason) = close
    try withLoop { server in
      try withLoop(listener: nil) { client in
        for isServer in [true, false] {
          let id = try client.connect(
            ConnectRequest(
              endpoint: .tcp(host: "127.0.0.1", port: server.port),
              path: "/chat",
              subprotocol: "chat.v1"
            )
          )
          let local = isServer ? server : client
          let remote = isServer ? client : server
          let theirs = try server.log.connection(isServer ? 0 : 1).id
          _ = try client.log.connection(isServer ? 0 : 1)
          let name = isServer ? theirs : id
          try local.onLoop { $0.close(name, code: CloseCode(rawValue: code), reason: reason) }
          let code = CloseCode(rawValue: code)
          #expect(
            try local.log.end(of: isServer ? theirs : id)
              == CloseEvent(code: code, reason: reason, initiator: .local)
          )
          #expect(
            try remote.log.end(of: isServer ? id : theirs)
              == CloseEvent(code: code, reason: reason, initiator: .remote)
          )
        }
      }
    }
  }

  @Test func hearsACloseWithoutCode() throws {
    try withLoop { loop in
      let client = try RawClient(port: loop.port)
      try client.upgrade()
      try client.send(8, [])
      #expect(
        try loop.log.end() == CloseEvent(code: .noStatus, reason: "", initiator: .remote)
      )
      #expect(try client.readFrame() == RawClient.Frame(opcode: 8, payload: []))
    }
  }

  @Test func noticesABrokenConnection() throws {
    try withLoop { loop in
      do {
        let client = try RawClient(port: loop.port)
        try client.upgrade()
        _ = try loop.log.connection()
      }
      #expect(
        try loop.log.end() == CloseEvent(code: .abnormal, reason: "", initiator: .none)
      )
    }
  }

  @Test func sendsWhatWaitsBeforeTheClose() throws {
    try withLoop { loop in
      let client = try RawClient(port: loop.port, receiveBuffer: 65_536)
      try client.upgrade("/echo", subprotocol: nil)
      let id = try loop.log.connection().id
      try loop.onLoop { loop in
        for index in 0..<64 as Range<UInt8> {
          loop.send([UInt8](repeating: index, count: 100_000), as: .binary, to: id)
        }
        loop.close(id, code: .goingAway)
      }
      for index in 0..<64 as Range<UInt8> {
        #expect(try client.readMessage().payload == [UInt8](repeating: index, count: 100_000))
      }
      #expect(try client.readFrame().closeCode == 1001)
    }
  }

  /// As when it has to make room for others while its socket is being taken over.
  @Test func canEndAsSoonAsItIsOpen() throws {
    var behavior = TestHandler.Behavior()
    behavior.connected = { loop, info in
      loop.schedule(after: .zero) {
        loop.kill(info.id)
      }
    }
    try withLoop(behavior: behavior) { loop in
      let client = try RawClient(port: loop.port)
      try client.upgrade()
      #expect(try client.readToEnd().isEmpty)
      let id = try loop.log.connection().id
      #expect(try loop.log.end(of: id).code == .abnormal)
      #expect(try loop.onLoop { $0.connectionCount } == 0)
    }
  }

  @Test func givesUpOnAPeerThatDoesNotAnswer() throws {
    var configuration = TestLoop.configuration
    configuration.closeTimeout = .milliseconds(100)
    try withLoop(configuration) { loop in
      let client = try RawClient(port: loop.port)
      try client.upgrade()
      let id = try loop.log.connection().id
      try loop.onLoop { $0.close(id, code: .policyViolation, reason: "out") }
      #expect(try client.readFrame().closeCode == 1008)
      // The connection waits for the answer, and no longer than it should.
      #expect(try loop.onLoop { $0.connectionCount } == 1)
      let event = CloseEvent(code: .policyViolation, reason: "out", initiator: .local)
      #expect(try loop.log.end(of: id, seconds: 3) == event)
      #expect(try client.readToEnd().isEmpty)
    }
  }

  @Test func givesUpOnAPeerThatDoesNotRead() throws {
    var configuration = TestLoop.configuration
    configuration.closeTimeout = .milliseconds(100)
    try withLoop(configuration) { loop in
      let client = try RawClient(port: loop.port, receiveBuffer: 4096)
      try client.upgrade("/echo", subprotocol: nil)
      let id = try loop.log.connection().id
      try loop.onLoop { loop in
        for _ in 0..<160 { loop.send([UInt8](repeating: 1, count: 100_000), as: .binary, to: id) }
        loop.close(id, code: .tryAgainLater, discarding: true)
        #expect(loop.queuedBytes(of: id) <= 100_000)
      }
      let event = CloseEvent(
        code: .tryAgainLater,
        reason: "try again later",
        initiator: .local
      )
      #expect(try loop.log.end(of: id, seconds: 3) == event)
    }
  }

  @Test func cutsALongReason() throws {
    try withLoop { loop in
      let client = try RawClient(port: loop.port)
      try client.upgrade()
      let id = try loop.log.connection().id
      try loop.onLoop { $0.close(id, reason: String(repeating: "ü", count: 100)) }
      let close = try client.readFrame()
      #expect(close.payload.dropFirst(2).elementsEqual(String(repeating: "ü", count: 61).utf8))
    }
  }

  @Test func neverSendsReservedCodes() throws {
    try withLoop { loop in
      let client = try RawClient(port: loop.port)
      try client.upgrade()
      let id = try loop.log.connection().id
      try loop.onLoop { $0.close(id, code: .abnormal) }
      #expect(try client.readFrame().closeCode == 1000)
    }
  }
}

import Foundation
import Testing
import WebSocket

struct DeadlineTests {
  private static var hasty: LoopConfiguration {
    var configuration = TestLoop.configuration
    configuration.handshakeTimeout = .milliseconds(150)
    configuration.idleTimeout = .milliseconds(150)
    configuration.closeTimeout = .milliseconds(150)
    return configuration
  }

  private static let half = "GET /chat HTTP/1.1\r\nHost: localhost\r\nUpgr"

  @Test(arguments: ["", "G", half])
  func endsASilentClient(text: String) throws {
    try withLoop(Self.hasty) { loop in
      let client = try RawClient(port: loop.port)
      try client.send(text)
      #expect(try client.readToEnd().isEmpty)
      #expect(try loop.onLoop { $0.connectionCount } == 0)
    }
  }

  @Test(arguments: ["", half])
  func endsASilentNeighbour(text: String) throws {
    try withFolder { folder in
      let path = "\(folder)/s"
      let listener = ListenerConfiguration(endpoint: .unix(path: path), originPolicy: nil)
      try withLoop(Self.hasty, listener: listener) { loop in
        let client = try RawClient(path: path)
        try client.send(text)
        #expect(try client.readToEnd().isEmpty)
      }
    }
  }

  /// The first bytes of a TLS handshake, or none.
  @Test(arguments: [[], [0x16], [0x16, 3, 1, 2, 0, 1, 0, 1]] as [[UInt8]])
  func endsAClientThatNeverEncrypts(bytes: [UInt8]) throws {
    try withFolder { folder in
      let listener = ListenerConfiguration(
        endpoint: .tcp(host: "127.0.0.1", port: 0),
        identity: try TLSIdentity.makeSelfSigned(in: folder)
      )
      try withLoop(Self.hasty, listener: listener) { loop in
        let client = try RawClient(port: loop.port)
        try client.send(bytes)
        _ = try client.readToEnd()
        #expect(try loop.onLoop { $0.connectionCount } == 0)
      }
    }
  }

  @Test func endsAClientWhoseHeadersNeverEnd() throws {
    try withLoop(Self.hasty) { loop in
      let client = try RawClient(port: loop.port)
      try client.send("GET / HTTP/1.1\r\n")
      var count = 0
      while count < 100_000, (try? client.send("a: b\r\n")) != nil { count += 1 }
      #expect(count < 100_000)
    }
  }

  @Test func endsAnIdleHTTPConnection() throws {
    try withFolder { folder in
      let listener = ListenerConfiguration(endpoint: .unix(path: "\(folder)/s"))
      try withLoop(Self.hasty, listener: listener) { _ in
        let client = try RawClient(path: "\(folder)/s")
        try client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.readHead().contains("keep-alive"))
        _ = try client.readToEnd()
      }
    }
  }

  @Test func endsAClientThatDoesNotRead() throws {
    var behavior = TestHandler.Behavior()
    behavior.respond = { _ in
      HTTPResponse(status: 200, headers: [], body: [UInt8](repeating: 1, count: 30_000_000))
    }
    try withLoop(Self.hasty, behavior: behavior) { loop in
      let client = try RawClient(port: loop.port, receiveBuffer: 4096)
      try client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
      _ = try client.read(1)
      try eventually("the end of the connection") {
        try loop.onLoop { $0.connectionCount } == 0
      }
      withExtendedLifetime(client) {}
    }
  }

  @Test func wantsAGreetingWhereThereIsOne() throws {
    try withLoop(Self.hasty) { loop in
      let client = try RawClient(port: loop.port)
      try client.upgrade("/greet", subprotocol: "greet.v1")
      let close = try client.readFrame()
      #expect(close.closeCode == 1008 && close.payload.dropFirst(2).elementsEqual("too slow".utf8))
      let event = CloseEvent(code: .policyViolation, reason: "too slow", initiator: .local)
      #expect(try loop.log.end(seconds: 3) == event)
    }
  }

  @Test func keepsWhoHasGreeted() throws {
    try withLoop(Self.hasty) { loop in
      let client = try RawClient(port: loop.port)
      try client.upgrade("/greet", subprotocol: "greet.v1")
      let id = try loop.log.connection().id
      try loop.onLoop { $0.keep(id) }
      // Whoever connects later, and says nothing, ends later.
      let silent = try RawClient(port: loop.port)
      #expect(try silent.readToEnd().isEmpty)
      try client.send(1, [65])
      #expect(try client.readFrame().payload == [65])
    }
  }

  @Test func keepsAnOpenWebSocket() throws {
    try withLoop(Self.hasty) { loop in
      let client = try RawClient(port: loop.port)
      try client.upgrade()
      let silent = try RawClient(port: loop.port)
      #expect(try silent.readToEnd().isEmpty)
      try client.send(1, [65])
      #expect(try client.readFrame().payload == [65])
    }
  }
}

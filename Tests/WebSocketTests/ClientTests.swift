import PaletteTestSupport
import Testing

@testable import WebSocket

struct ClientTests {
  private static func request(
    _ port: UInt16,
    host: String = "127.0.0.1",
    path: String = "/chat",
    subprotocol: String? = "chat.v1",
    headers: [HTTPField] = [],
    timeout: Duration = .patiently(seconds: 10)
  ) -> ConnectRequest {
    ConnectRequest(
      endpoint: .tcp(host: host, port: port),
      path: path,
      subprotocol: subprotocol,
      headers: headers,
      timeout: timeout
    )
  }

  private func withPair(
    _ behavior: TestHandler.Behavior = .echo,
    _ body: (_ server: TestLoop, _ client: TestLoop) throws -> Void
  ) throws {
    try withLoop(behavior: behavior) { server in
      try withLoop(listener: nil, behavior: TestHandler.Behavior()) { client in
        try body(server, client)
      }
    }
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func exchangesMessages(host: String) throws {
    try withPair { server, client in
      let request = Self.request(server.port, host: host)
      let id = try client.connect(request)
      let info = try client.log.connection()
      #expect(info.id == id && info.role == .client && info.subprotocol == "chat.v1")
      #expect(info.peer.address == "127.0.0.1" && info.peer.port == server.port)
      #expect(try server.log.connection().headers.host == "\(host):\(server.port)")
      #expect(try server.log.connection().headers.origin == nil)
      let large = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 5) }
      try client.onLoop { loop in
        #expect(loop.send(Array("grüße".utf8), as: .text, to: id) == .queued)
        #expect(loop.send(large, as: .binary, to: id) == .queued)
      }
      #expect(try client.log.message(0) == Message(text: "grüße"))
      #expect(try client.log.message(1) == Message(kind: .binary, bytes: large))
    }
  }

  @Test func sendsHeaders() throws {
    try withPair { server, client in
      let token = String(repeating: "t", count: 500)
      _ = try client.connect(
        Self.request(
          server.port,
          headers: [HTTPField("authorization", "Bearer \(token)"), HTTPField("cookie", "a=b")]
        )
      )
      let headers = try server.log.connection().headers
      #expect(headers.authorization == "Bearer \(token)" && headers.cookie == "a=b")
    }
  }

  @Test func connectsManyTimesAtOnce() throws {
    try withPair { server, client in
      for _ in 0..<50 { _ = try client.connect(Self.request(server.port)) }
      _ = try client.log.connection(49)
      _ = try server.log.connection(49)
    }
  }

  @Test func saysThatNobodyListens() throws {
    try withLoop(listener: nil) { client in
      let unbound = try RawServer().port
      let id = try client.connect(Self.request(unbound))
      let failure = try client.log.failure(of: id)
      #expect(failure.kind == .unreachable && failure.status == nil)
    }
  }

  @Test func saysThatANameIsUnknown() throws {
    try withLoop(listener: nil) { client in
      let id = try client.connect(Self.request(1, host: "name.invalid"))
      let failure = try client.log.failure(of: id)
      #expect(failure.kind == .unreachable && failure.message.contains("name.invalid"))
    }
  }

  @Test(arguments: [401, 403, 503])
  func tellsTheStatus(status: Int) throws {
    var behavior = TestHandler.Behavior()
    behavior.admit = { _ in .reject(status: status) }
    try withPair(behavior) { server, client in
      let failure = try client.failure(connecting: Self.request(server.port))
      #expect(failure.kind == .refused && failure.status == status)
    }
  }

  @Test func givesUpInTime() throws {
    try withLoop(listener: nil) { client in
      let server = try RawServer()
      let id = try client.connect(Self.request(server.port, timeout: .milliseconds(150)))
      let connection = try server.accept()
      let failure = try client.log.failure(of: id)
      #expect(failure == ConnectFailure(kind: .unreachable, message: "timed out"))
      #expect(try connection.readHead().hasPrefix("GET /chat HTTP/1.1\r\n"))
      _ = try connection.readToEnd()
    }
  }

  @Test func canBeCancelled() throws {
    try withLoop(listener: nil) { client in
      let server = try RawServer()
      let id = try client.connect(Self.request(server.port))
      let connection = try server.accept()
      _ = try connection.readHead()
      try client.onLoop { $0.close(id, reason: "no longer wanted") }
      #expect(
        try client.log.failure(of: id)
          == ConnectFailure(kind: .cancelled, message: "no longer wanted")
      )
      #expect(try client.onLoop { $0.connectionCount } == 0)
      #expect(try connection.readToEnd().isEmpty)
    }
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Accept: AAAA\r\n\r\n",
    "SSH-2.0-OpenSSH\r\n", "",
  ])
  func refusesWhatIsNoWebSocket(answer: String) throws {
    try withLoop(listener: nil) { client in
      let server = try RawServer()
      let id = try client.connect(Self.request(server.port, timeout: .patiently(seconds: 2)))
      do {
        let connection = try server.accept()
        _ = try connection.readHead()
        try connection.send(answer)
      }
      let failure = try client.log.failure(of: id)
      #expect(failure.kind == .refused || failure.kind == .unreachable)
      #expect(client.log.all.count == 1)
    }
  }

  @Test(arguments: [nil, "other", "chat.v1, chat.v2"] as [String?])
  func insistsOnItsSubprotocol(answer: String?) throws {
    try withLoop(listener: nil) { client in
      let server = try RawServer()
      let id = try client.connect(Self.request(server.port))
      let connection = try server.accept()
      try connection.acceptUpgrade(
        extra: answer.map { "Sec-WebSocket-Protocol: \($0)\r\n" } ?? ""
      )
      #expect(try client.log.failure(of: id).kind == .refused)
    }
  }

  /// The settings of a client that soon ends what a server leaves open behind its close.
  private static var impatient: LoopConfiguration {
    var configuration = TestLoop.configuration
    configuration.closeTimeout = .milliseconds(500)
    return configuration
  }

  /// A client that is connected to a server whose bytes a test makes itself.
  private func withRawServer(
    _ configuration: LoopConfiguration = TestLoop.configuration,
    _ body: (TestLoop, ConnectionID, RawClient) throws -> Void
  ) throws {
    try withLoop(configuration, listener: nil) { client in
      let server = try RawServer()
      let request = Self.request(server.port, subprotocol: nil)
      let id = try client.connect(request)
      let connection = try server.accept()
      try connection.acceptUpgrade()
      _ = try client.log.connection()
      // Whoever speaks first waits for what the other side says then.
      try client.onLoop { #expect($0.send([72], as: .binary, to: id) == .queued) }
      #expect(try connection.readFrame().payload == [72])
      try body(client, id, connection)
    }
  }

  @Test func limitsWhatAServerSends() throws {
    var configuration = TestLoop.configuration
    configuration.closeTimeout = .milliseconds(100)
    try withRawServer(configuration) { client, id, connection in
      // An unmasked frame that announces 65,537 bytes; a part of them is enough.
      let start: [UInt8] = [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 1]
      try connection.send(start + [UInt8](repeating: 7, count: 20_000))
      let event = CloseEvent(code: .messageTooBig, reason: "message too big", initiator: .local)
      let close = try connection.readFrame()
      #expect(close.opcode == 8)
      #expect(try client.log.end(of: id) == event)
    }
  }

  @Test func checksTextFromAServer() throws {
    try withRawServer(Self.impatient) { client, id, connection in
      try connection.send([0x81, 1, 0xFF])
      #expect(try connection.readFrame().opcode == 8)
      try connection.send([0x88, 2, 3, 239])
      let event = try client.log.end(of: id)
      #expect(event.code == .invalidPayload, "\(event)")
      #expect(client.log.all.count == 2)
    }
  }

  @Test(arguments: [
    [0x83, 1, 7], [0xC2, 1, 7], [0x80, 1, 7], [0x09, 0], [0x82, 0x80, 1, 2, 3, 4],
  ])
  func tellsAServerWhatItDidWrong(bytes: [UInt8]) throws {
    try withRawServer(Self.impatient) { client, id, connection in
      try connection.send(bytes)
      let close = try connection.readFrame()
      #expect(close.opcode == 8 && close.payload.prefix(2) == [3, 234])
      try connection.send([0x88, 2, 3, 234])
      #expect(try client.log.end(of: id).code == .protocolError)
    }
  }

  @Test func answersAServer() throws {
    try withRawServer { client, id, connection in
      try connection.send([0x89, 2, 65, 66, 0x02, 1, 7, 0x80, 1, 8])
      let pong = try connection.readFrame()
      #expect(pong.opcode == 10 && pong.payload == [65, 66] && pong.isMasked)
      #expect(try client.log.message() == Message(kind: .binary, bytes: [7, 8]))
      #expect(try connection.readFrame().payload == [7, 8], "the echo")
      try connection.send([0x88, 3, 3, 232, 65])
      let close = try connection.readFrame()
      #expect(close.opcode == 8 && close.payload.prefix(2) == [3, 232] && close.isMasked)
      let event = CloseEvent(code: .normal, reason: "A", initiator: .remote)
      #expect(try client.log.end(of: id) == event)
    }
  }

  @Test(arguments: [0x81, 0x82] as [UInt8])
  func survivesWhatFollowsAViolation(opcode: UInt8) throws {
    try withRawServer(Self.impatient) { client, id, connection in
      // Too much of anything, or little enough of what is no text.
      let isText = opcode == 0x81
      let start: [UInt8] = [opcode, 127, 0, 0, 0, 0, 0, isText ? 1 : 16, 0, 0]
      try? connection.send(start + [UInt8](repeating: 0xFF, count: 1 << 20))
      try? connection.send([0x88, 2, 3, 232])
      let event = try client.log.end(of: id)
      #expect(event.code == (isText ? .invalidPayload : .messageTooBig))
      _ = try client.onLoop { $0.connectionCount }
    }
  }

  @Test func reconnectsAfterARestart() throws {
    try withLoop(listener: nil) { client in
      let first = try TestLoop()
      let port = first.port
      let id = try client.connect(Self.request(port))
      _ = try client.log.connection()
      first.stop(reason: "restart")
      #expect(
        try client.log.end(of: id)
          == CloseEvent(code: .goingAway, reason: "restart", initiator: .remote)
      )
      let gap = try client.connect(Self.request(port))
      #expect(try client.log.failure(of: gap).kind == .unreachable)
      let listener = ListenerConfiguration(endpoint: .tcp(host: "127.0.0.1", port: port))
      try withLoop(listener: listener) { _ in
        let again = try client.connect(Self.request(port))
        #expect(try client.log.connection(1).id == again)
      }
    }
  }

  @Test func connectsOverIPv6() throws {
    let listener = ListenerConfiguration(endpoint: .tcp(host: "::1", port: 0))
    guard (try? ListeningSocket(.tcp(host: "::1", port: 0))) != nil else { return }
    try withLoop(listener: listener) { server in
      try withLoop(listener: nil) { client in
        _ = try client.connect(Self.request(server.port, host: "::1"))
        #expect(try server.log.connection().headers.host == "[::1]:\(server.port)")
        #expect(try client.log.connection().peer.address == "::1")
      }
    }
  }

  @Test func writesHeaderLinesOnly() throws {
    try withPair { server, client in
      _ = try client.connect(
        Self.request(server.port, headers: [HTTPField("authorization", "a\r\ncookie: stolen")])
      )
      let headers = try server.log.connection().headers
      #expect(headers.authorization == "a  cookie: stolen" && headers.cookie == nil)
    }
  }
}

import Testing
import WebSocket

struct UpgradeTests {
  private func answer(_ loop: TestLoop, _ text: String) throws -> String {
    let client = try RawClient(port: loop.port)
    try client.send(text)
    return String(decoding: try client.readToEnd(), as: UTF8.self)
  }

  @Test func refusesHTTP2() throws {
    try withLoop { loop in
      let settings = "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n"
      for upgrade in ["h2c", "H2C", "h2", "tls/1.2", "websocket, h2c", "h2c, websocket", ""] {
        let text = """
          GET /open HTTP/1.1\r
          Host: localhost\r
          Upgrade: \(upgrade)\r
          Connection: Upgrade, HTTP2-Settings, close\r
          \(settings)\r\n
          """
        let answer = try answer(loop, text)
        #expect(!answer.contains("101"), "\(upgrade): \(answer)")
      }
      #expect(try loop.onLoop { $0.connectionCount } == 0)
    }
  }

  @Test(
    arguments: [
      (RawClient.upgrade("/chat"), 400), (RawClient.upgrade("/chat", subprotocol: "other"), 400),
      (RawClient.upgrade("/chat", subprotocol: "open.v1"), 400),
      (RawClient.upgrade("/chat", subprotocol: "open.v1, chat.v1"), 400),
      (RawClient.upgrade("/open", subprotocol: "other"), 400),
      (RawClient.upgrade("/nowhere", subprotocol: "chat.v1"), 404),
      (RawClient.upgrade("/chat%2f", subprotocol: "chat.v1"), 404),
      (RawClient.upgrade("/chat", subprotocol: String(repeating: "a,", count: 100)), 400),
      (RawClient.upgrade("/chat", subprotocol: "chat.v1", host: "evil.example"), 421),
      (RawClient.upgrade("/chat", subprotocol: "chat.v1", extra: "Origin: http://evil\r\n"), 403),
      (RawClient.upgrade("/chat", subprotocol: "chat.v1", extra: "Origin: null\r\n"), 403),
      (RawClient.upgrade("/chat", subprotocol: "chat.v1", extra: "Content-Length: -1\r\n"), 400),
      (RawClient.upgrade("/chat", subprotocol: "chat.v1", extra: "Content-Length: 9\r\n"), 400),
      (
        RawClient.upgrade("/chat", subprotocol: "chat.v1")
          .replacing("Version: 13", with: "Version: 8"), 426
      ),
      (
        RawClient.upgrade("/chat", subprotocol: "chat.v1").replacing("GET /", with: "POST /"), 400
      ),
      (
        RawClient.upgrade("/chat", subprotocol: "chat.v1").replacing("HTTP/1.1", with: "HTTP/1.0"),
        400
      ),
      (
        RawClient.upgrade("/chat", subprotocol: "chat.v1").replacing("Key: dGhl", with: "Key: !"),
        400
      ),
    ] as [(String, Int)]
  )
  func refuses(request: String, status: Int) throws {
    try withLoop { loop in
      let answer = try answer(loop, request)
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
      #expect(loop.log.all.isEmpty)
    }
  }

  @Test func asksTheHandler() throws {
    var behavior = TestHandler.Behavior.echo
    behavior.admit = { request in
      guard request.headers.authorization == "Bearer good" else {
        return .reject(status: 401, headers: [HTTPField("www-authenticate", "Bearer")])
      }
      return .accept
    }
    try withLoop(behavior: behavior) { loop in
      for extra in ["", "Authorization: Bearer bad\r\n"] {
        let text = RawClient.upgrade("/chat", subprotocol: "chat.v1", extra: extra)
        let answer = try answer(loop, text)
        #expect(answer.hasPrefix("HTTP/1.1 401 Unauthorized\r\nwww-authenticate: Bearer\r\n"))
      }
      let client = try RawClient(port: loop.port)
      let good = "Authorization: Bearer good\r\nCookie: a=1; b=2\r\n"
      try client.send(RawClient.upgrade("/chat", subprotocol: "chat.v1", extra: good))
      #expect(try client.readHead().hasPrefix("HTTP/1.1 101"))
      let info = try loop.log.connection()
      #expect(info.headers.authorization == "Bearer good" && info.headers.cookie == "a=1; b=2")
    }
  }

  @Test func negotiatesNoExtension() throws {
    try withLoop { loop in
      let client = try RawClient(port: loop.port)
      let offer = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"
      try client.send(RawClient.upgrade("/chat", subprotocol: "chat.v1", extra: offer))
      let head = try client.readHead()
      #expect(head.hasPrefix("HTTP/1.1 101") && !head.lowercased().contains("extensions"))
    }
  }

  /// libwebsockets writes its answer over some of what came with the request.
  @Test func refusesMessagesBeforeTheAnswer() throws {
    try withLoop { loop in
      let client = try RawClient(port: loop.port)
      let request = Array(RawClient.upgrade("/chat", subprotocol: "chat.v1").utf8)
      try client.send(request + RawClient.frame(1, [65]))
      #expect(try client.readHead().hasPrefix("HTTP/1.1 101"))
      #expect(try client.readFrame().closeCode == 1002)
    }
  }

  @Test func upgradesAfterARequest() throws {
    var behavior = TestHandler.Behavior.echo
    behavior.respond = { _ in HTTPResponse(status: 200, headers: [], body: [65]) }
    try withFolder { folder in
      let listener = ListenerConfiguration(endpoint: .unix(path: "\(folder)/s"))
      try withLoop(listener: listener, behavior: behavior) { _ in
        let client = try RawClient(path: "\(folder)/s")
        try client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.readResponse().body == [65])
        try client.upgrade()
        try client.send(1, [66])
        #expect(try client.readFrame().payload == [66])
      }
    }
  }

  @Test func acceptsNoSubprotocolWhereAllowed() throws {
    try withLoop { loop in
      let client = try RawClient(port: loop.port)
      let head = try client.upgrade("/open", subprotocol: nil)
      #expect(!head.lowercased().contains("protocol:"))
      #expect(try loop.log.connection().subprotocol == nil)
    }
  }

  @Test func limitsConnections() throws {
    let listener = ListenerConfiguration(
      endpoint: .tcp(host: "127.0.0.1", port: 0),
      connectionLimit: 2
    )
    try withLoop(listener: listener) { loop in
      let first = try RawClient(port: loop.port)
      try first.upgrade()
      do {
        let second = try RawClient(port: loop.port)
        try second.upgrade()
        let third = try RawClient(port: loop.port)
        #expect(try third.readToEnd().isEmpty)
        try second.sendClose(1000)
        _ = try second.readToEnd()
      }
      _ = try loop.log.end()
      let fourth = try RawClient(port: loop.port)
      try fourth.upgrade()
    }
  }
}

import PalettePlatform
import Synchronization
import Testing

@testable import WebSocket

struct HTTPTests {
  private static let large = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

  private static var behavior: TestHandler.Behavior {
    var behavior = TestHandler.Behavior.echo
    behavior.respond = { request in
      switch request.path {
      case "/": HTTPResponse(status: 200, headers: [], body: Array("home".utf8))
      case "/large": HTTPResponse(status: 200, headers: [], body: large)
      case "/tag":
        request.headers.ifNoneMatch == "\"1\""
          ? HTTPResponse(status: 304, headers: [HTTPField("etag", "\"1\"")], body: [])
          : HTTPResponse(status: 200, headers: [HTTPField("etag", "\"1\"")], body: [65])
      case "/peer":
        HTTPResponse(status: 200, headers: [], body: Array(request.peer.address.utf8))
      case "/a b/ü", "/x,y z": HTTPResponse(status: 200, headers: [], body: Array("decoded".utf8))
      default: HTTPResponse(status: 404)
      }
    }
    return behavior
  }

  private func withServer(_ body: (TestLoop) throws -> Void) throws {
    try withLoop(behavior: Self.behavior, body)
  }

  private static func request(_ line: String, _ extra: String = "") -> String {
    "\(line) HTTP/1.1\r\nHost: localhost\r\n\(extra)\r\n"
  }

  /// Serves at a Unix socket, where a connection has any number of requests.
  private func withLocalServer(_ body: (RawClient, TestLoop) throws -> Void) throws {
    try withFolder { folder in
      let listener = ListenerConfiguration(endpoint: .unix(path: folder + "/socket"))
      try withLoop(listener: listener, behavior: Self.behavior) { loop in
        try body(RawClient(path: folder + "/socket"), loop)
      }
    }
  }

  @Test func answersOneAfterTheOther() throws {
    try withLocalServer { client, _ in
      for _ in 0..<3 {
        try client.send(Self.request("GET /"))
        let home = try client.readResponse()
        #expect(home.head.hasPrefix("HTTP/1.1 200 OK\r\n") && home.body == Array("home".utf8))
        #expect(home.head.contains("connection: keep-alive"))
        try client.send(Self.request("GET /nowhere?secret=1"))
        #expect(try client.readResponse().head.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
        try client.send(Self.request("HEAD /"))
        let head = try client.readResponse(hasBody: false)
        #expect(head.head.contains("content-length: 4\r\n"))
        try client.send(Self.request("GET /a%20b/%C3%BC?x=1"))
        #expect(try client.readResponse().body == Array("decoded".utf8))
        try client.send(Self.request("GET /x&y+z"))
        #expect(try client.readResponse().body == Array("decoded".utf8))
        try client.send(Self.request("GET /tag", "If-None-Match: \"1\"\r\n"))
        #expect(try client.readHead().hasPrefix("HTTP/1.1 304 Not Modified\r\n"))
      }
    }
  }

  @Test func answersSeveralAtOnce() throws {
    try withLocalServer { client, _ in
      try client.send(String(repeating: Self.request("GET /"), count: 5))
      for _ in 0..<5 { #expect(try client.readResponse().body == Array("home".utf8)) }
    }
  }

  @Test func sendsALargeBody() throws {
    try withServer { loop in
      // A small window forces many rounds of writing.
      for _ in 0..<2 {
        let client = try RawClient(port: loop.port, receiveBuffer: 65_536)
        try client.send(Self.request("GET /large"))
        #expect(try client.readResponse().body == Self.large)
      }
    }
  }

  @Test func closesWhenAsked() throws {
    try withServer { loop in
      for extra in ["Connection: close\r\n", "Connection: Close\r\n"] {
        let client = try RawClient(port: loop.port)
        try client.send(Self.request("GET /", extra))
        let text = String(decoding: try client.readToEnd(), as: UTF8.self)
        #expect(text.contains("connection: close\r\n") && text.hasSuffix("home"))
      }
      let old = try RawClient(port: loop.port)
      try old.send("GET / HTTP/1.0\r\nHost: localhost\r\n\r\n")
      #expect(String(decoding: try old.readToEnd(), as: UTF8.self).hasSuffix("home"))
    }
  }

  @Test(arguments: [
    ("GET /", "Content-Length: 5\r\n", 413), ("GET /", "Content-Length: -1\r\n", 413),
    ("GET /", "Content-Length: 18446744073709551616\r\n", 413),
    ("GET /", "Content-Length: x\r\n", 413), ("GET /", "Transfer-Encoding: chunked\r\n", 413),
    ("POST /", "Content-Length: 5\r\n", 405), ("POST /", "Content-Length: -1\r\n", 405),
    ("POST /", "", 405), ("PUT /", "Content-Length: 1\r\n", 405), ("DELETE /", "", 405),
    ("OPTIONS /", "", 405), ("PATCH /", "", 405),
  ])
  func refusesBodies(line: String, extra: String, status: Int) throws {
    try withServer { loop in
      let client = try RawClient(port: loop.port)
      try client.send(Self.request(line, extra))
      let text = String(decoding: try client.readToEnd(), as: UTF8.self)
      #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(text)")
    }
  }

  @Test(arguments: [
    "Content-Length : 4\r\n", "Content-Length: 0\r\nContent-Length: 0\r\n",
    "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", "X: a\r\n b\r\n", "Any : x\r\n",
  ])
  func refusesAHeadThatCanBeReadInTwoWays(extra: String) throws {
    try withServer { loop in
      let hidden = Self.request("GET /hidden")
      let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\n"
      for request in [Self.request("GET /", extra), Self.request("GET /open", upgrade + extra)] {
        let client = try RawClient(port: loop.port)
        // In pieces: a head is looked at when it is whole.
        for piece in [request.prefix(20), request.dropFirst(20)] { try client.send(String(piece)) }
        try? client.send(hidden)
        let text = String(decoding: try client.readToEnd(), as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 400 ") && text.contains("connection: close"), "\(text)")
        #expect(text.split(separator: "HTTP/1.1").count == 1, "\(text)")
      }
    }
  }

  @Test func aSecondRequestNeedsAnotherConnectionWhereAProxyMayBe() throws {
    try withServer { loop in
      let client = try RawClient(port: loop.port)
      try client.send(Self.request("GET /") + Self.request("GET /tag"))
      let text = String(decoding: try client.readToEnd(), as: UTF8.self)
      #expect(text.contains("connection: close") && text.hasSuffix("home"), "\(text)")
    }
  }

  /// Looking at a head takes the longer the more pieces it came in.
  @Test func whoSendsAHeadByteByByteIsSentAway() throws {
    var configuration = TestLoop.configuration
    configuration.handshakeTimeout = .seconds(300)
    try withLoop(configuration, behavior: Self.behavior) { loop in
      let client = try RawClient(port: loop.port)
      client.sendsAtOnce()
      let end = ContinuousClock.now + .seconds(60)
      // A piece that the system sends again on a busy machine counts too, so fewer may do.
      for _ in 0..<HeldSocket.pieceLimit where !client.canRead {
        let before = SocketOptions.acknowledgedBytes(client.descriptor)
        try client.send("a")
        // What is not acknowledged would be sent together with the next.
        while !client.canRead, SocketOptions.acknowledgedBytes(client.descriptor) == before {
          try #require(ContinuousClock.now < end)
          sched_yield()
        }
      }
      let text = String(decoding: try client.readToEnd(), as: UTF8.self)
      #expect(text.hasPrefix("HTTP/1.1 400 "), "\(text)")
    }
  }

  @Test func aRequestWaitsForWhatIsBeingFetched() throws {
    var configuration = TestLoop.configuration
    configuration.handshakeTimeout = .seconds(300)
    configuration.fetchTimeout = .seconds(200)
    var behavior = Self.behavior
    let asked = Mutex(0)
    behavior.isFetching = { loop, target in
      guard target == "/tag" else { return false }
      loop.schedule(after: .milliseconds(1)) { loop.passFetched() }
      return asked.withLock { count in
        count += 1
        return count <= 3
      }
    }
    try withLoop(configuration, behavior: behavior) { loop in
      let waiting = try RawClient(port: loop.port)
      try waiting.send(Self.request("GET /tag"))
      #expect(String(decoding: try waiting.readToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 200 "))
      #expect(asked.withLock { $0 } == 4)
    }
  }

  @Test func aRequestWaitsOnlySoLong() throws {
    var configuration = TestLoop.configuration
    configuration.fetchTimeout = .milliseconds(20)
    var behavior = Self.behavior
    behavior.isFetching = { _, _ in true }
    try withLoop(configuration, behavior: behavior) { loop in
      // Who goes away meanwhile is in nobody's way.
      try RawClient(port: loop.port).send(Self.request("GET /tag"))
      let client = try RawClient(port: loop.port)
      try client.send(Self.request("GET /tag"))
      #expect(String(decoding: try client.readToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test func whoSendsHalfAHeadIsSentAway() throws {
    var configuration = TestLoop.configuration
    configuration.handshakeTimeout = .milliseconds(200)
    try withLoop(configuration, behavior: Self.behavior) { loop in
      let client = try RawClient(port: loop.port)
      try client.send("GET / HTTP/1.1\r\nHost: localhost\r\n")
      #expect(try client.readToEnd().isEmpty)
    }
  }

  @Test func acceptsAnEmptyBody() throws {
    try withServer { loop in
      let client = try RawClient(port: loop.port)
      try client.send(Self.request("GET /", "Content-Length: 0\r\n"))
      #expect(try client.readResponse().body == Array("home".utf8))
    }
  }

  @Test(arguments: [
    ("evil.example", "", 421), ("localhost", "Origin: http://evil.example\r\n", 403),
    ("localhost:1", "Origin: http://localhost:2\r\n", 403),
    ("localhost", "Host: evil.example\r\n", 421),
  ])
  func refusesForeigners(host: String, extra: String, status: Int) throws {
    try withServer { loop in
      let client = try RawClient(port: loop.port)
      try client.send("GET / HTTP/1.1\r\nHost: \(host)\r\n\(extra)\r\n")
      let text = String(decoding: try client.readToEnd(), as: UTF8.self)
      #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(text)")
    }
  }

  @Test func refusesNoHost() throws {
    try withServer { loop in
      let client = try RawClient(port: loop.port)
      try client.send("GET / HTTP/1.1\r\n\r\n")
      let text = String(decoding: try client.readToEnd(), as: UTF8.self)
      #expect(text.hasPrefix("HTTP/1.1 400 "))
    }
  }

  @Test func takesTheCheckOfABalancer() throws {
    try withServer { loop in
      for (extra, status) in [("", 200), ("Origin: https://evil.example\r\n", 400)] {
        let client = try RawClient(port: loop.port)
        try client.send("GET / HTTP/1.0\r\n\(extra)\r\n")
        let text = String(decoding: try client.readToEnd(), as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(text)")
      }
    }
  }

  @Test(arguments: [
    "BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET /%00x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "\0\0\0\0\0\0\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + String(repeating: "x", count: 20_000) + "\r\n\r\n",
  ])
  func survivesNonsense(text: String) throws {
    try withServer { loop in
      let client = try RawClient(port: loop.port)
      try client.send(text)
      let answer = String(decoding: try client.readToEnd(), as: UTF8.self)
      #expect(!answer.contains("200 OK") && !answer.contains("101"), "\(answer)")
      let other = try RawClient(port: loop.port)
      try other.send(Self.request("GET /"))
      #expect(try other.readResponse().body == Array("home".utf8))
    }
  }

  /// libwebsockets would mix up a request that arrives while the answer to the last one is leaving.
  @Test func survivesImpatience() throws {
    try withServer { loop in
      let client = try RawClient(port: loop.port, receiveBuffer: 65_536)
      let impatient = Self.request("GET /", "Connection: close\r\n")
      try client.send(Self.request("GET /large") + impatient)
      #expect(try client.readResponse().body == Self.large)
      let rest = (try? client.readToEnd()) ?? []
      #expect(rest.isEmpty || rest.suffix(4) == Array("home".utf8))
      let other = try RawClient(port: loop.port)
      try other.send(Self.request("GET /"))
      #expect(try other.readResponse().body == Array("home".utf8))
    }
  }

  @Test func staysInsideTheRoot() throws {
    try withLocalServer { client, _ in
      for path in ["/a/../", "/./", "//", "/%2e%2e/", "/../../"] {
        try client.send(Self.request("GET \(path)"))
        #expect(try client.readResponse().body == Array("home".utf8), "\(path)")
      }
    }
  }
}

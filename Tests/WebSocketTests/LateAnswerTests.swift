import Dispatch
import Testing
import WebSocket

/// Requests whose answers are made beside the loop.
struct LateAnswerTests {
  private let gate = DispatchSemaphore(value: 0)

  private func withServer(_ body: (TestLoop) throws -> Void) throws {
    var behavior = TestHandler.Behavior.echo
    behavior.pathBeside = "/slow"
    behavior.respond = { _ in HTTPResponse(status: 200, headers: [], body: Array("quick".utf8)) }
    behavior.respondBeside = { [gate] in
      gate.wait()
      return HTTPResponse(status: 200, headers: [], body: Array("slow".utf8))
    }
    try withLoop(behavior: behavior, body)
  }

  private static func request(_ line: String, _ extra: String = "") -> String {
    "\(line) HTTP/1.1\r\nHost: localhost\r\n\(extra)\r\n"
  }

  private func expectQuickAnswer(_ client: RawClient) throws {
    try client.send(Self.request("GET /"))
    #expect(try client.readResponse().body == Array("quick".utf8))
  }

  @Test func othersAreAnsweredMeanwhile() throws {
    try withServer { loop in
      let waiting = try RawClient(port: loop.port)
      try waiting.send(Self.request("GET /slow"))
      try expectQuickAnswer(try RawClient(port: loop.port))
      gate.signal()
      let response = try waiting.readResponse()
      #expect(response.body == Array("slow".utf8))
      gate.signal()
      let other = try RawClient(port: loop.port)
      try other.send(Self.request("HEAD /slow", "Connection: close\r\n"))
      let head = String(decoding: try other.readToEnd(), as: UTF8.self)
      #expect(head.contains("content-length: 4\r\n") && head.hasSuffix("\r\n\r\n"))
    }
  }

  /// libwebsockets would mix up the two.
  @Test func whoAsksAgainBeforeTheAnswerIsDisconnectedAtMost() throws {
    try withServer { loop in
      let hasty = try RawClient(port: loop.port)
      try hasty.send(Self.request("GET /slow") + Self.request("GET /slow"))
      try expectQuickAnswer(try RawClient(port: loop.port))
      for _ in 0..<2 { gate.signal() }
      try expectQuickAnswer(try RawClient(port: loop.port))
    }
  }

  @Test func whoHasLeftIsNotAnswered() throws {
    try withServer { loop in
      do {
        let client = try RawClient(port: loop.port)
        try client.send(Self.request("GET /slow"))
        try expectQuickAnswer(try RawClient(port: loop.port))
      }
      gate.signal()
      try expectQuickAnswer(try RawClient(port: loop.port))
    }
  }
}

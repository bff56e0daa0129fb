import Testing

@testable import WebSocket

struct HTTPExchangeTests {
  private static func parts(_ exchange: HTTPExchange, limit: Int) -> [[UInt8]] {
    var exchange = exchange
    var parts: [[UInt8]] = []
    while !exchange.isFinished { parts.append(exchange.next(upTo: limit)) }
    return parts
  }

  @Test func splitsABody() {
    let body = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
    let response = HTTPResponse(status: 200, headers: [HTTPField("a", "b")], body: body)
    let head = Array(
      "HTTP/1.1 200 OK\r\na: b\r\ncontent-length: 1000\r\nconnection: keep-alive\r\n\r\n".utf8
    )
    let parts = Self.parts(
      HTTPExchange(response, keepsAlive: true, includesBody: true),
      limit: 300
    )
    #expect(parts.flatMap { $0 } == head + body)
    #expect(parts.allSatisfy { $0.count <= 300 })
  }

  @Test func leavesTheBodyOut() {
    let response = HTTPResponse(status: 200, body: [1, 2, 3])
    let parts = Self.parts(
      HTTPExchange(response, keepsAlive: false, includesBody: false),
      limit: 300
    )
    let head = "HTTP/1.1 200 OK\r\ncontent-length: 3\r\nconnection: close\r\n\r\n"
    #expect(parts == [Array(head.utf8)])
  }

  @Test(arguments: [204, 304])
  func hasNoBodyWhereNoneMayBe(status: Int) {
    let response = HTTPResponse(status: status, headers: [], body: [1])
    let parts = Self.parts(
      HTTPExchange(response, keepsAlive: true, includesBody: true),
      limit: 300
    )
    let text = String(decoding: parts.flatMap { $0 }, as: UTF8.self)
    #expect(text.hasSuffix("\r\n\r\n") && !text.contains("content-length"))
  }

  @Test func keepsFieldsInOneLine() {
    let field = HTTPField("x\r\ny", "a\r\nset-cookie: b\u{0}")
    #expect(field == HTTPField("x  y", "a  set-cookie: b "))
  }
}

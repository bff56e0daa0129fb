import Testing

@testable import WebSocket

struct RequestHeadTests {
  private static func verdict(_ headers: String) -> RequestHead.Verdict {
    RequestHead.verdict(on: Array(("GET / HTTP/1.1\r\nHost: a\r\n" + headers).utf8))
  }

  @Test(arguments: [
    "\r\n", "Content-Length: 0\r\n\r\n", "X-Any_Name.1~: x: y\r\n\r\n", "Empty:\r\n\r\n",
    "Transfer-Encoding: chunked\r\n\r\n", "Content-Length: 4\r\n\r\n a :b\r\n\r\n",
    "Content-Lengths: 4\r\nContent-Length: 4\r\n\r\n",
  ])
  func oneWayToReadAHeadIsFine(headers: String) {
    #expect(Self.verdict(headers) == .clear)
  }

  @Test(arguments: [
    "Content-Length : 40\r\n\r\n", "Content-Length\t: 40\r\n\r\n", "Any : x\r\n\r\n",
    "Content-Length: 4\r\nContent-Length: 4\r\n\r\n",
    "content-length: 4\r\nCONTENT-LENGTH: 5\r\n\r\n",
    "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n",
    "X: a\r\n b\r\n\r\n", "X: a\r\n\tContent-Length: 4\r\n\r\n", "no colon\r\n\r\n", ": x\r\n\r\n",
    "X: a\rContent-Length: 4\r\n\r\n",
  ])
  func whatProxiesReadInAnotherWayIsNot(headers: String) {
    #expect(Self.verdict(headers) == .ambiguous)
  }

  @Test func aPartTellsNothingYet() {
    let head = Array("GET / HTTP/1.1\r\nContent-Length : 4\r\n\r\n".utf8)
    for count in head.indices {
      #expect(RequestHead.verdict(on: Array(head[..<count])) == .incomplete)
    }
    #expect(RequestHead.verdict(on: head) == .ambiguous)
  }
}

import Testing

@testable import WebSocket

struct RequestHeadTests {
  private static func verdict(_ headers: String) -> RequestHead.Verdict {
    var head = RequestHead()
    return head.verdict(on: Array(("GET / HTTP/1.1\r\nHost: a\r\n" + headers).utf8))
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
    let bytes = Array("GET / HTTP/1.1\r\nContent-Length : 4\r\n\r\n".utf8)
    var growing = RequestHead()
    for count in bytes.indices {
      var head = RequestHead()
      #expect(head.verdict(on: bytes[..<count]) == .incomplete)
      #expect(growing.verdict(on: bytes[..<count]) == .incomplete)
    }
    #expect(growing.verdict(on: bytes) == .ambiguous)
  }

  @Test func eachByteIsReadOnce() {
    let bytes = Array(("GET / HTTP/1.1\r\nCookie: " + String(repeating: "x", count: 4_000)).utf8)
    var head = RequestHead()
    var reads = 0
    for count in 1...bytes.count {
      #expect(head.verdict(on: CountingBytes(bytes[..<count]) { reads += 1 }) == .incomplete)
    }
    #expect(reads <= 2 * bytes.count)
  }
}

/// Bytes that tell how often one of them is read.
private struct CountingBytes: RandomAccessCollection {
  private let bytes: ArraySlice<UInt8>
  private let tell: () -> Void

  init(_ bytes: ArraySlice<UInt8>, _ tell: @escaping () -> Void) {
    self.bytes = bytes
    self.tell = tell
  }

  var startIndex: Int { bytes.startIndex }
  var endIndex: Int { bytes.endIndex }

  subscript(position: Int) -> UInt8 {
    tell()
    return bytes[position]
  }
}

import Testing

@testable import WebSocket

struct CloseEventTests {
  @Test(
    arguments: [
      ([], 1005, ""), ([3], 1005, ""), ([3, 232], 1000, ""), ([15, 160, 104, 105], 4000, "hi"),
      ([3, 234] + Array("try again later".utf8), 1013, "try again later"),
      ([3, 234] + Array("service restart".utf8), 1012, "service restart"),
      ([3, 234] + Array("bad frame".utf8), 1002, "bad frame"),
      ([3, 232] + Array("try again later".utf8), 1000, "try again later"),
    ] as [([UInt8], Int, String)]
  )
  func readsThePayload(payload: [UInt8], code: Int, reason: String) {
    let event = payload.withUnsafeBytes { CloseEvent.remote(payload: $0) }
    #expect(Int(event.code.rawValue) == code && event.reason == reason)
    #expect(event.initiator == .remote)
  }
}

import Testing

@testable import WebSocket

struct UpgradeCheckTests {
  private let check = UpgradeCheck(routes: TestLoop.routes)

  private static func head(_ change: (inout UpgradeHead) -> Void = { _ in }) -> UpgradeHead {
    var head = UpgradeHead()
    head.path = "/chat"
    head.upgrade = "websocket"
    head.version = "13"
    head.key = "dGhlIHNhbXBsZSBub25jZQ=="
    head.subprotocols = "chat.v1"
    change(&head)
    return head
  }

  private func subprotocol(_ path: String, _ offers: String?) -> String? {
    let head = Self.head {
      $0.path = path
      $0.subprotocols = offers
    }
    return if case .accept(_, let name) = check.verdict(on: head) { name ?? "" } else { nil }
  }

  @Test(
    arguments: [
      ("/chat", "chat.v1", "chat.v1"), ("/chat", "chat.v2", "chat.v2"),
      ("/chat", "chat.v2, chat.v1", "chat.v2"), ("/chat", "other , chat.v1", "chat.v1"),
      ("/chat", "chat.v1,token.AbC-_9", "chat.v1"), ("/open", nil, ""), ("/open", "", ""),
      ("/open", "open.v1", "open.v1"), ("/chat", nil, nil), ("/chat", "", nil),
      ("/chat", "other", nil), ("/chat", "CHAT.V1", nil), ("/chat", "open.v1, chat.v1", nil),
      ("/open", "other", nil), ("/chat", "(none)", nil), ("/chat", "chat.v1,", nil),
      ("/chat", "chat v1", nil), ("/chat", "chat.v1\u{0}", nil), ("/nowhere", "chat.v1", nil),
      ("/chat/", "chat.v1", nil), ("/chat", String(repeating: "a", count: 127), nil),
    ] as [(String, String?, String?)]
  )
  func agreesToSubprotocols(path: String, offers: String?, agreed: String?) {
    #expect(subprotocol(path, offers) == agreed)
  }

  @Test func refusesWhatIsNoUpgrade() {
    let changes: [((inout UpgradeHead) -> Void, Int)] = [
      ({ $0.upgrade = "h2c" }, 400), ({ $0.upgrade = nil }, 400),
      ({ $0.upgrade = "websocket, h2c" }, 400), ({ $0.isGet = false }, 400),
      ({ $0.isHTTP11 = false }, 400), ({ $0.hasBody = true }, 400), ({ $0.version = nil }, 426),
      ({ $0.version = "8" }, 426), ({ $0.version = "013" }, 426), ({ $0.key = nil }, 400),
      ({ $0.key = "short" }, 400), ({ $0.key = "dGhlIHNhbXBsZSBub25jZQ=!" }, 400),
      ({ $0.path = "/nowhere" }, 404),
    ]
    for (index, (change, expected)) in changes.enumerated() {
      guard case .reject(let status, _) = check.verdict(on: Self.head(change)) else {
        Issue.record("change \(index) was accepted")
        continue
      }
      #expect(status == expected, "change \(index)")
    }
  }

  @Test func ignoresTheCaseOfWebSocket() {
    let head = Self.head { $0.upgrade = "WebSocket" }
    #expect(check.verdict(on: head) == .accept(TestLoop.routes[0], subprotocol: "chat.v1"))
  }
}

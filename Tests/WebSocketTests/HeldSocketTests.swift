import PalettePlatform
import Testing

@testable import WebSocket

@Suite struct HeldSocketTests {
  private let held: HeldSocket
  private let client: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Platform.streamSocket, 0, &ends) == 0)
    (held, client) = (HeldSocket(ends[0]), ends[1])
  }

  private func send(_ text: String) throws {
    try #require(write(client, text, text.utf8.count) == text.utf8.count)
  }

  /// What came while the last event was handled has an event of its own behind it.
  @Test func anEventWithNothingNewIsNotTheEnd() throws {
    defer { close(client) }
    try send("GET / HTTP/1.1\r\nHost: localhost\r\n")
    #expect(held.look(isLast: false) == .wait)
    #expect(held.look(isLast: false) == .wait)
    try send("Content-Length : 4\r\n\r\n")
    #expect(held.look(isLast: false) == .refuse)
  }

  @Test func whatIsIncompleteIsPassedOnWhenNothingMoreComes() throws {
    try send("GET / HTTP/1.1\r\n")
    #expect(held.look(isLast: false) == .wait)
    close(client)
    #expect(held.look(isLast: true) == .pass)
  }
}

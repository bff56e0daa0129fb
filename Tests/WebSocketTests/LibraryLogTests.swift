import CWebSockets
import Synchronization
import Testing

@testable import WebSocket

/// What libwebsockets says goes to one place, however much it is.
struct LibraryLogTests {
  @Test func howeverManyMessagesThereWereTheNextOneTakesNoLonger() {
    let count = Mutex(0)
    LibraryLog.setSink { _, line in if line == "test" { count.withLock { $0 += 1 } } }
    defer { LibraryLog.setSink(nil) }
    for _ in 0..<50_000 { LibraryLog.emit(LLL_WARN, "test") }
    #expect(count.withLock { $0 } == 50_000)
  }
}

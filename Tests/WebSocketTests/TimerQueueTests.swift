import PaletteTestSupport
import Testing

@testable import WebSocket

struct TimerQueueTests {
  @Test(arguments: TestSeeds.some(of: 20))
  func runsInOrder(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var queue = TimerQueue()
    var expected: [(due: Int64, index: Int)] = []
    var ran: [Int] = []
    var ids: [TimerID] = []
    for index in 0..<500 {
      let due = Int64.random(in: 0..<100, using: &random)
      expected.append((due, index))
      ids.append(queue.schedule(at: due) { ran.append(index) })
    }
    for index in 0..<500 where Bool.random(using: &random) {
      queue.cancel(ids[index])
      expected.removeAll { $0.index == index }
    }
    expected.sort { ($0.due, $0.index) < ($1.due, $1.index) }
    let first = queue.nextDue()
    #expect(first == expected.first?.due, "replay with seed \(seed)")
    while let action = queue.popDue(at: 99) { action() }
    #expect(ran == expected.map(\.index), "replay with seed \(seed)")
    #expect(queue.count == 0)
  }

  @Test func keepsWhatIsNotDue() {
    var queue = TimerQueue()
    let id = queue.schedule(at: 10) {}
    let early = queue.popDue(at: 9)
    #expect(early == nil)
    let due = queue.nextDue()
    #expect(due == 10)
    queue.cancel(id)
    queue.cancel(id)
    let cancelled = queue.popDue(at: 10)
    #expect(cancelled == nil)
  }
}

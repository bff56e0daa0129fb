import Testing

@testable import PalettePeers

struct FairQueueTests {
  private typealias Queue = FairQueue<String, Int>

  private static let limits = FairLimits(perSecond: 100, burst: 200)

  private func drain(_ queue: inout Queue, at time: Int64) -> [(String, Int)] {
    var done: [(String, Int)] = []
    while let next = queue.next(at: time) { done.append((next.session, next.work)) }
    return done
  }

  @Test func sessionsTakeTurnsAndKeepTheirOrder() {
    var queue = Queue(limits: Self.limits)
    for number in 0..<4 { queue.add(number, cost: 1, from: "a", at: 0) }
    for number in 0..<2 { queue.add(number, cost: 1, from: "b", at: 0) }
    let done = drain(&queue, at: 0)
    #expect(done.map(\.0) == ["a", "b", "a", "b", "a", "a"])
    #expect(done.filter { $0.0 == "a" }.map(\.1) == [0, 1, 2, 3])
    #expect(queue.isEmpty && queue.delayMilliseconds(at: 0) == nil)
  }

  @Test func whatIsPutBackComesFirstAndKeepsItsSessionsTurn() {
    var queue = Queue(limits: Self.limits)
    for number in 0..<2 { queue.add(number, cost: 1, from: "a", at: 0) }
    queue.add(0, cost: 1, from: "b", at: 0)
    #expect(queue.next(at: 0)?.work == 0)
    queue.putBack(9, from: "a", at: 0)
    queue.putBack(8, from: "c", at: 0)
    let done = drain(&queue, at: 0)
    #expect(done.map(\.0) == ["b", "a", "c", "a"])
    #expect(done.filter { $0.0 == "a" }.map(\.1) == [9, 1])
  }

  @Test func whoHadItsShareComesWhenNobodyElseWantsAnything() {
    var queue = Queue(limits: Self.limits)
    for number in 0..<3 { queue.add(number, cost: 1, from: "member", at: 0) }
    func next() -> String? {
      queue.next(at: 0, where: { _ in true }, preferring: { $0 != "member" })?.session
    }
    #expect(next() == "member")
    queue.add(0, cost: 1, from: "owner", at: 0)
    #expect([next(), next(), next(), next()] == ["owner", "member", "member", nil])
  }

  @Test func whoIsNotReadyHoldsNobodyUp() {
    var queue = Queue(limits: Self.limits)
    for session in ["a", "b"] { queue.add(1, cost: 1, from: session, at: 0) }
    #expect(queue.next(at: 0, where: { $0 == "b" })?.session == "b")
    #expect(queue.next(at: 0, where: { $0 == "b" }) == nil)
    #expect(queue.delayMilliseconds(at: 0, least: { $0 == "a" ? 7 : 0 }) == 7)
    #expect(queue.next(at: 0)?.session == "a")
  }

  @Test func whoAsksForTooMuchWaitsAndTheOthersDoNot() {
    var queue = Queue(limits: Self.limits)
    for number in 0..<1_000_000 { queue.add(number, cost: 1, from: "flood", at: 0) }
    queue.add(7, cost: 1, from: "calm", at: 0)
    let first = drain(&queue, at: 0)
    #expect(first.prefix(2).map(\.0) == ["flood", "calm"])
    #expect(first.count == 201)
    #expect(queue.count(of: "flood") == 1_000_000 - 200)
    #expect(queue.delayMilliseconds(at: 0) == 1)
    queue.add(8, cost: 1, from: "calm", at: 1)
    let next = drain(&queue, at: 1)
    #expect(next.map(\.0) == ["flood", "calm"])
    // A second later it may do what a second allows, and in order.
    let later = drain(&queue, at: 1_000)
    #expect(later.map(\.1) == Array(201..<300))
  }

  @Test func somethingLargeIsDoneAndPaidForAfterwards() {
    var queue = Queue(limits: Self.limits)
    queue.add(1, cost: 1_200, from: "a", at: 0)
    queue.add(2, cost: 1, from: "a", at: 0)
    let done1 = drain(&queue, at: 0)
    #expect(done1.map(\.1) == [1])
    #expect(queue.delayMilliseconds(at: 0) == 10_001)
    let done2 = drain(&queue, at: 10_000)
    #expect(done2.isEmpty)
    let done3 = drain(&queue, at: 10_001)
    #expect(done3.map(\.1) == [2])
  }

  @Test func aClockThatGoesBackGivesAndTakesNothing() {
    var queue = Queue(limits: Self.limits)
    queue.add(1, cost: 201, from: "a", at: 5_000)
    queue.add(2, cost: 1, from: "a", at: 5_000)
    let done4 = drain(&queue, at: 5_000)
    #expect(done4.map(\.1) == [1])
    let done5 = drain(&queue, at: 1_000)
    #expect(done5.isEmpty)
    let done6 = drain(&queue, at: 1_020)
    #expect(done6.map(\.1) == [2])
  }

  @Test func anEndedSessionLeavesNothing() {
    var queue = Queue(limits: Self.limits)
    queue.add(1, cost: 1, from: "a", at: 0)
    queue.add(2, cost: 1, from: "b", at: 0)
    queue.remove("a")
    let done7 = drain(&queue, at: 0)
    #expect(done7.map(\.1) == [2])
    #expect(queue.count(of: "a") == 0)
  }

  @Test func whatIsKeptOfAnEndedSessionIsDone() {
    var queue = Queue(limits: Self.limits)
    for number in 1...4 { queue.add(number, cost: 1, from: "a", at: 0) }
    queue.remove("a") { $0.isMultiple(of: 2) }
    #expect(queue.count(of: "a") == 2)
    let done8 = drain(&queue, at: 0)
    #expect(done8.map(\.1) == [2, 4])
    queue.remove("a") { _ in true }
    let done9 = drain(&queue, at: 0)
    #expect(done9.isEmpty)
  }
}

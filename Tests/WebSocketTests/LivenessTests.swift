import PaletteTestSupport
import Testing

@testable import WebSocket

/// When a silent connection is asked, and when it is given up.
struct LivenessTests {
  private static let second: Int64 = 1_000_000
  private let patience = Patience(pingAfter: .milliseconds(2_500), silenceLimit: .seconds(9))

  @Test func whoeverIsSilentIsAskedAndThenGivenUp() {
    var liveness = Liveness(patience, at: 0)
    var asked: [Int64] = []
    var now: Int64 = 0
    loop: while true {
      switch liveness.verdict(at: now) {
      case .ask: asked.append(now)
      case .lost: break loop
      case .fine: break
      }
      now += Self.second / 2
    }
    #expect(asked == [5, 10, 15].map { $0 * Self.second / 2 })
    #expect(now == 9 * Self.second)
  }

  /// However it answers, it is never given up; nor asked while it speaks by itself.
  @Test(arguments: TestSeeds.some(of: 20))
  func whoeverAnswersStays(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var liveness = Liveness(patience, at: 0)
    var answers: Int64?
    for step in 1..<1_000 as Range<Int64> {
      let now = step * Self.second / 2
      if let time = answers, time <= now {
        liveness.hear(at: now)
        answers = nil
      }
      switch liveness.verdict(at: now) {
      case .ask: answers = answers ?? now + Int64.random(in: 0..<6 * Self.second, using: &random)
      case .lost: Issue.record("replay with seed \(seed)")
      case .fine: break
      }
    }
  }

  @Test func aDoubtIsShort() {
    var liveness = Liveness(patience, at: 0)
    liveness.doubt(at: Self.second, within: 4 * Self.second)
    // Doubting again does not give it more time, nor less.
    liveness.doubt(at: 2 * Self.second, within: Self.second)
    #expect(liveness.verdict(at: 4 * Self.second) == .ask)
    #expect(liveness.verdict(at: 5 * Self.second) == .lost)
    liveness.hear(at: 5 * Self.second)
    #expect(liveness.verdict(at: 6 * Self.second) == .fine)
  }

  @Test func silenceWhileNobodyListenedSaysNothing() {
    var liveness = Liveness(patience, at: 0)
    liveness.excuse(at: 60 * Self.second)
    #expect(liveness.verdict(at: 60 * Self.second) == .ask)
    #expect(liveness.verdict(at: 66 * Self.second) == .ask)
    #expect(liveness.verdict(at: 67 * Self.second) == .lost)
  }

  @Test func checksEndWhenNobodyIsLookedAfter() {
    var table = KeepAlive()
    let id = ConnectionID(rawValue: 1)
    #expect(table.add(id, patience, at: 0) == true)
    #expect(table.add(ConnectionID(rawValue: 2), patience, at: 0) == false)
    let interval = patience.checkInterval.microseconds
    #expect(table.check(patience, at: interval)?.wasAway == false)
    #expect(table.check(patience, at: 4 * interval)?.wasAway == true)
    table.remove(id, patience)
    #expect(table.check(patience, at: 5 * interval)?.members == [ConnectionID(rawValue: 2)])
    table.remove(ConnectionID(rawValue: 2), patience)
    #expect(table.check(patience, at: 6 * interval) == nil)
    #expect(table.add(id, patience, at: 7 * interval) == true)
  }
}

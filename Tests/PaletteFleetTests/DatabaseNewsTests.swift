import Testing

@testable import PaletteFleet

/// The lines of a hub about a database that does not answer.
struct DatabaseNewsTests {
  private let away = SharedLogError(.notDone, .away, "no route")
  private var news = DatabaseNews()

  @Test mutating func anOutageIsToldOnceAMinuteAndItsEnd() {
    let lines = (0..<150).filter { news.failed(away, at: Double($0)) != nil }
    #expect(lines == [3, 63, 123])
    #expect(news.reason == .away)
    #expect(news.answered(at: 150) == "the database answers again")
    #expect(news.reason == nil)
    #expect(news.answered(at: 151) == nil)
  }

  @Test mutating func theLineSaysWhyButTheStateTellsNothingOfTheServer() {
    let refused = SharedLogError(.notDone, .forbidden, "FATAL: no password for hued at 10.0.0.5")
    _ = news.failed(refused, at: 0)
    #expect(
      news.failed(refused, at: 4)
        == "the database refuses this hub: FATAL: no password for hued at 10.0.0.5"
    )
    #expect(news.reason?.hindrance == "the database refuses this hub")
  }

  @Test mutating func anotherOutageOfTheSameMinuteIsToldToo() {
    var lines: [Int] = []
    for second in 0..<70 {
      let isAway = (0..<10).contains(second) || (25..<35).contains(second)
      let time = Double(second)
      let line = isAway ? news.failed(away, at: time) : news.answered(at: time)
      if line != nil { lines.append(second) }
    }
    #expect(lines == [3, 10, 28, 35])
  }

  @Test func aNoticeKeepsWhatIsToBeLookedAt() {
    let kept = LostEnd.kept(file: "/caches/aside-1").words(for: "sea")
    let lacking = LostEnd.lacking.words(for: "sea")
    #expect(LostEnd.notice(kept, after: nil) == kept)
    let both = LostEnd.notice(lacking, after: kept)
    #expect(both == "\(kept); \(lacking)")
    #expect(LostEnd.notice(lacking, after: both) == both)
  }

  @Test mutating func connectionsThatAreCutAgainAndAgainAreNoFlood() {
    var lines = 0
    for second in 0..<600 {
      if second.isMultiple(of: 5) {
        lines += news.answered(at: Double(second)) == nil ? 0 : 1
      } else {
        lines += news.failed(away, at: Double(second)) == nil ? 0 : 1
      }
    }
    #expect((2...20).contains(lines))
    news = DatabaseNews()
    for second in 0..<600 {
      #expect(news.failed(away, at: Double(second)) == nil)
      #expect(news.answered(at: Double(second)) == nil)
    }
  }
}

import Testing

@testable import PalettePeers

struct LoopBudgetTests {
  private static let second: Int64 = 1_000_000

  @Test func whoHadItsShareWaitsUntilThatIsLongAgo() {
    var budget = LoopBudget()
    budget.pay(.member(1), microseconds: 50_000, at: 0)
    #expect(!budget.isOver(.member(1), at: 0))
    budget.pay(.member(1), microseconds: 25_000, at: 0)
    #expect(budget.isOver(.member(1), at: 0))
    // 50 milliseconds a second: half a second later the 25 that were too much are paid.
    #expect(budget.isOver(.member(1), at: Self.second / 2 - 100))
    #expect(!budget.isOver(.member(1), at: Self.second / 2))
    #expect(!budget.isOver(.member(2), at: 0))
  }

  @Test func whoSpendsItsShareEverySecondNeverWaits() {
    var budget = LoopBudget()
    for second in 0..<100 {
      budget.pay(.member(1), microseconds: 50_000, at: Int64(second) * Self.second)
      #expect(!budget.isOver(.member(1), at: Int64(second) * Self.second))
    }
  }

  @Test func theOwnerNeverWaits() {
    var budget = LoopBudget()
    budget.pay(.owner, microseconds: 10 * Self.second, at: 0)
    #expect(!budget.isOver(.owner, at: 0))
  }

  @Test func allStrangersOfAnAddressShare() {
    var budget = LoopBudget()
    for _ in 0..<3 { budget.pay(.stranger("a"), microseconds: 20_000, at: 0) }
    #expect(budget.isOver(.stranger("a"), at: 0) && !budget.isOver(.stranger("b"), at: 0))
  }

  @Test func nobodyWaitsForMinutesBecauseOfOnePiece() {
    var budget = LoopBudget()
    for _ in 0..<3 { budget.pay(.member(1), microseconds: .max, at: 0) }
    #expect(budget.isOver(.member(1), at: 8 * Self.second))
    #expect(!budget.isOver(.member(1), at: 10 * Self.second))
  }

  @Test func aClockThatGoesBackGivesNothing() {
    var budget = LoopBudget()
    budget.pay(.member(1), microseconds: 60_000, at: Self.second)
    #expect(budget.isOver(.member(1), at: 0))
  }

  @Test func debtsOutliveAnyNumberOfPassersBy() {
    var budget = LoopBudget()
    budget.pay(.member(1), microseconds: 400_000, at: 0)
    for number in 0..<5_000 { budget.pay(.stranger("\(number)"), microseconds: 1, at: Self.second) }
    #expect(budget.isOver(.member(1), at: Self.second))
  }

  @Test func aClockThatStandsStillMeasuresNothing() {
    let time = LoopTime()
    for _ in 0..<10 { time.spend(for: .member(1)) {} }
    #expect(!time.isOver(.member(1)))
  }

  @Test func workForSeveralIsPaidByEachForItsShare() {
    var now: Int64 = 0
    let time = LoopTime { now }
    time.share(among: [.member(1): 30, .member(2): 10, .owner: 60]) {
      now += 70_000
      // What is done for somebody alone is paid once.
      time.spend(for: .member(2)) { now += 1_000 }
      now += 30_000
    }
    let spent = Dictionary(uniqueKeysWithValues: time.accounts.map { ($0.payer, $0.spent) })
    #expect(spent[.member(1)]?.microseconds == 30_000)
    #expect(spent[.member(2)]?.microseconds == 11_000)
    #expect(spent[.owner]?.microseconds == 60_000)
    time.share(among: [:]) { now += 90_000 }
    #expect(!time.isOver(.member(1)) && !time.isOver(.member(2)))
  }

  @Test func aMemberIsHeldBackWhereOthersWantSomething() {
    var now: Int64 = 0
    let time = LoopTime { now }
    time.spend(for: .member(1)) { now += 10_000 }
    #expect(!time.isHeldBack(.member(1)))
    time.spend(for: .member(2)) { now += 90_000 }
    // Those who had their share do not count.
    #expect(!time.isHeldBack(.member(1)) && time.isHeldBack(.member(2)))
    time.spend(for: .owner) { now += 1_000 }
    #expect(time.isHeldBack(.member(1)) && !time.isHeldBack(.owner) && !time.isHeldBack(.peer("a")))
    now += 1_000_000
    #expect(!time.isHeldBack(.member(1)) && !time.isHeldBack(.member(2)))
  }

  @Test func onlySomeHaveNumbersOfTheirOwn() {
    var now: Int64 = 0
    let time = LoopTime { now }
    for number in 0..<150 as Range<Int64> { time.spend(for: .member(number)) { now += 10 } }
    time.spend(for: .stranger("a")) { now += 10 }
    #expect(time.accounts.count == 100)
    #expect(time.accounts.allSatisfy { $0.spent.microseconds == 10 })
    #expect(time.spentForOthers.microseconds == 510)
  }
}

/// The time of one loop, and for whom it was spent.
package final class LoopTime {
  /// The time spent for one payer.
  package struct Spent {
    /// The time, in microseconds.
    package fileprivate(set) var microseconds: Int64 = 0
    /// The number of times that it waited behind others.
    package fileprivate(set) var waits = 0
  }

  /// The most payers that have numbers of their own, and those that stand for all the others.
  private static let payerLimit = 100

  /// True if somebody waits for an answer who has not had its share: those who had leave it at
  /// that.
  package var isNeeded = false

  private let now: () -> Int64
  private var budget = LoopBudget()
  private var spent: [Payer: Spent] = [:]
  /// The time that was spent for somebody, in microseconds.
  private var total: Int64 = 0
  /// The time spent for payers without numbers of their own: strangers, and members beyond the
  /// limit.
  package private(set) var spentForOthers = Spent()

  /// - Parameter now: A clock that never goes back, in microseconds; one that stands still measures nothing,
  ///   and then nobody ever waits.
  package init(now: @escaping () -> Int64 = { 0 }) {
    self.now = now
  }

  /// The moment, in microseconds.
  package var microseconds: Int64 { now() }

  /// Spends time for a payer: what `body` takes beyond what it spends for somebody itself.
  package func spend<Result, Failure: Error>(
    for payer: Payer,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (start, before) = (now(), total)
    defer { pay(payer, takeRest(since: start, before), at: now()) }
    return try body()
  }

  /// Spends time for several: each pays its share of what `body` takes beyond what it spends for somebody
  /// itself.
  ///
  /// - Parameters:
  ///   - shares: How much of it was whose, asked for afterwards; where it was nobody's, nobody pays.
  ///   - body: What takes time.
  /// - Returns: What `body` returns.
  package func share<Result>(among shares: @autoclosure () -> [Payer: Int], _ body: () -> Result)
    -> Result
  {
    let (start, before) = (now(), total)
    defer {
      let rest = takeRest(since: start, before)
      let shares = shares()
      let sum = Int64(shares.values.reduce(0, +))
      for (payer, share) in shares where share > 0 {
        pay(payer, rest / sum * Int64(share) + rest % sum * Int64(share) / sum, at: now())
      }
    }
    return body()
  }

  /// The time since a moment that nobody has paid for, which counts as paid from now on.
  private func takeRest(since start: Int64, _ before: Int64) -> Int64 {
    let passed = max(0, now() - start)
    let rest = max(0, passed - (total - before))
    total = before + max(passed, total - before)
    return rest
  }

  private func pay(_ payer: Payer, _ microseconds: Int64, at end: Int64) {
    budget.pay(payer, microseconds: microseconds, at: end)
    count(payer) { $0.microseconds += microseconds }
  }

  /// Returns whether a payer is to wait behind everybody else.
  package func isOver(_ payer: Payer) -> Bool { budget.isOver(payer, at: now()) }

  /// Returns whether what is done for a payer is done in small steps: somebody else, who has some of its
  /// share left, is likely to want something.
  ///
  /// Waiting work is paid when it is done, so what was paid until then does not say how long it takes.
  package func isHeldBack(_ payer: Payer) -> Bool {
    switch payer {
    case .owner, .peer: false
    case .member, .stranger: budget.isWanted(besides: payer, at: now())
    }
  }

  /// Counts that a payer had to wait behind others.
  package func countWait(of payer: Payer) { count(payer) { $0.waits += 1 } }

  /// The time spent for each payer that has numbers of its own.
  package var accounts: [(payer: Payer, spent: Spent)] { spent.map { ($0.key, $0.value) } }

  private func count(_ payer: Payer, _ change: (inout Spent) -> Void) {
    if case .stranger = payer { return change(&spentForOthers) }
    guard spent[payer] != nil || spent.count < Self.payerLimit else {
      return change(&spentForOthers)
    }
    change(&spent[payer, default: Spent()])
  }
}

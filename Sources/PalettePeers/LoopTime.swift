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

  /// Spends time for a payer: what `body` takes.
  package func spend<Result, Failure: Error>(
    for payer: Payer,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = now()
    defer {
      let end = now()
      budget.pay(payer, microseconds: end - start, at: end)
      count(payer) { $0.microseconds += max(0, end - start) }
    }
    return try body()
  }

  /// Returns whether a payer is to wait behind everybody else.
  package func isOver(_ payer: Payer) -> Bool { budget.isOver(payer, at: now()) }

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

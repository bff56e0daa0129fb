/// A party for whom the loop works: its time, and what else it may cause, is counted over all its connections.
package enum Payer: Hashable, Sendable {
  /// Whoever can open the socket in the home.
  case owner
  /// A member, over all its connections.
  case member(Int64)
  /// A node that this library joined, by its URL.
  case peer(String)
  /// All at one address who have not shown who they are.
  case stranger(String)
}

/// Counts the loop's time for each payer: a share in the long run, and that of a second at once.
///
/// It only tells who is to wait behind everybody else; where nobody else wants anything, they need not
/// wait. Times are in microseconds, of a clock that never goes back.
package struct LoopBudget {
  private struct Account {
    var debt: Int64
    var updated: Int64

    func debt(at now: Int64) -> Int64 {
      max(0, debt - max(0, now - updated) / LoopBudget.reciprocalShare)
    }
  }

  /// The time that one payer has of each second before it waits, in milliseconds.
  package static let millisecondsPerSecond: Int64 = 50

  private static let reciprocalShare = 1_000 / millisecondsPerSecond
  private static let limit = millisecondsPerSecond * 1_000
  /// The largest debt of a payer, so that one piece of work makes nobody wait for minutes.
  private static let largestDebt: Int64 = 500_000
  /// The number of accounts that are kept before those are removed that owe nothing.
  private static let accountLimit = 1_024
  /// The time for which whoever wanted something is likely to want more.
  private static let moment: Int64 = 1_000_000

  private var accounts: [Payer: Account] = [:]

  package init() {}

  /// Counts time of the loop that was spent for a payer.
  package mutating func pay(_ payer: Payer, microseconds: Int64, at now: Int64) {
    switch payer {
    case .owner:
      accounts[payer] = Account(debt: 0, updated: now)
      return
    // What this library joined a node for is taken as fast as it comes.
    case .peer: return
    case .member, .stranger: break
    }
    if accounts.count >= Self.accountLimit, accounts[payer] == nil {
      accounts = accounts.filter { $0.key == .owner || $0.value.debt(at: now) > 0 }
    }
    let before = accounts[payer]?.debt(at: now) ?? 0
    let debt = min(before + min(max(0, microseconds), Self.largestDebt), Self.largestDebt)
    accounts[payer] = Account(debt: debt, updated: now)
  }

  /// Returns whether a payer had more than its share, so that it waits behind everybody else.
  package func isOver(_ payer: Payer, at now: Int64) -> Bool {
    guard let account = accounts[payer] else { return false }
    return account.debt(at: now) > Self.limit
  }

  /// Returns whether somebody else, who has some of its share left, wanted something a moment ago.
  package func isWanted(besides payer: Payer, at now: Int64) -> Bool {
    accounts.contains { other, account in
      other != payer && now - account.updated < Self.moment && account.debt(at: now) <= Self.limit
    }
  }
}

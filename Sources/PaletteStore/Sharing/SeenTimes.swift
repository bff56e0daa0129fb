import PaletteMerge
import PaletteModel

/// The times at which members were there last: to the minute, or to the hour where a log keeps each commit.
final class SeenTimes {
  private let database: StoreDatabase
  private let transactions: Transactions
  private let clock: StoreClock
  /// The times that go along with the next commit of a library with a log.
  private var waiting: [Int64: Int64] = [:]

  init(_ database: StoreDatabase, _ transactions: Transactions, _ clock: StoreClock) {
    self.database = database
    self.transactions = transactions
    self.clock = clock
    transactions.writeAlong = { [unowned self] () throws(StoreError) in
      guard !waiting.isEmpty else { return }
      let times = waiting
      waiting = [:]
      for (member, time) in times { try write(member, at: time) }
    }
  }

  /// Records that a member was there, and gives it as it is recorded then.
  func record(_ member: Member) throws(StoreError) -> Member {
    guard !isRecent(member) else { return member }
    let now = clock.nowMilliseconds
    if transactions.isLogged, let seen = member.lastSeenMilliseconds,
      (0..<86_400_000).contains(now - seen)
    {
      waiting[member.id] = now
      return member
    }
    try transactions.write { () throws(StoreError) in try write(member.id, at: now) }
    var member = member
    member.lastSeenMilliseconds = now
    return member
  }

  private func isRecent(_ member: Member) -> Bool {
    let milliseconds: Int64 = transactions.isLogged ? 3_600_000 : 60_000
    return member.lastSeenMilliseconds.map {
      (0..<milliseconds).contains(clock.nowMilliseconds - $0)
    } ?? false
  }

  private func write(_ member: Int64, at milliseconds: Int64) throws(StoreError) {
    let update = try database.prepare("UPDATE member SET seen = ?2 WHERE id = ?1")
    try update.bind(member, at: 1)
    try update.bind(milliseconds, at: 2)
    try update.run()
  }
}

/// One round of attempts at a peer's addresses.
///
/// Attempts start shortly after each other and run in parallel, so that an address that never answers
/// costs little; the first success ends the round.
struct DialRace {
  /// The start of the round.
  let begunMilliseconds: Int64
  /// The addresses that are not tried yet.
  private var waiting: ArraySlice<String>
  private var underway: [String] = []
  private var started = 0
  private var failed = 0
  private let stagger: Int64

  /// The time that an address has before the next one is tried too.
  static let staggerMilliseconds: Int64 = 250
  /// The latest start of the last of many addresses: an edit without a node waits two seconds.
  static let lastStartMilliseconds: Int64 = 1_250

  init(_ addresses: [String], at now: Int64) {
    begunMilliseconds = now
    waiting = addresses[...]
    // An old library may have stored more addresses than a code may contain today.
    stagger = max(
      1,
      min(Self.staggerMilliseconds, Self.lastStartMilliseconds / Int64(max(1, addresses.count - 1)))
    )
  }

  /// True if every address was tried in vain.
  var isOver: Bool { waiting.isEmpty && underway.isEmpty }

  /// The addresses that are to be tried now.
  mutating func start(at now: Int64) -> [String] {
    let elapsed = now - begunMilliseconds
    // A clock that went back must not hold up the rest.
    let inTime = elapsed < 0 ? waiting.count : Int(clamping: elapsed / stagger)
    // Where one has failed, the next one need not wait.
    let due = waiting.prefix(max(0, 1 + failed + inTime - started))
    waiting.removeFirst(due.count)
    started += due.count
    underway += due
    return Array(due)
  }

  /// An address has failed; false when it was not being tried.
  mutating func fail(_ address: String) -> Bool {
    guard let index = underway.firstIndex(of: address) else { return false }
    underway.remove(at: index)
    failed += 1
    return true
  }
}

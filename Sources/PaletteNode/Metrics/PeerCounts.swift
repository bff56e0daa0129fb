/// The amounts that wait between this library and its peers.
///
/// Counting reads a row for each palette with changes of this library's own, so it is done again only
/// when that costs half a percent of the time at most: what is told may be as old as that.
struct PeerCounts {
  /// The changes that wait for one peer, or from it.
  struct Count: Equatable {
    let pending: Int
    let withheld: Int
    let lag: Int
  }

  private static let share = 200

  private(set) var counts: [String: Count] = [:]
  private var next: ContinuousClock.Instant?

  /// Counts again where that is due.
  ///
  /// - Parameters:
  ///   - now: The time, before counting and after it.
  ///   - count: Counts, by the URL of the peer.
  mutating func refresh(
    now: () -> ContinuousClock.Instant = { .now },
    _ count: () -> [String: Count]
  ) {
    let start = now()
    if let next, start < next { return }
    counts = count()
    let end = now()
    next = end + start.duration(to: end) * Self.share
  }
}

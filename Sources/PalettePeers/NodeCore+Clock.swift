internal import PaletteModel
internal import PaletteStore
internal import PaletteSync

/// A clock that is wrong is noticed by its peers' and put right for stamps.
extension NodeCore {
  /// Beyond this the clock counts as wrong.
  static let clockToleranceMilliseconds: Int64 = 300_000
  /// Corrections that differ by less are the same.
  private static let clockStepMilliseconds: Int64 = 60_000
  /// No honest clock is further off than this, so whoever says so is not believed.
  private static let clockLimitMilliseconds: Int64 = 100 * 365 * 86_400_000
  /// No clock shows this time or a later one: stamps have 48 bits for it.
  private static let endOfTime: UInt64 = 1 << 48

  /// Takes a reading of a peer's clock.
  package func noteClock(_ theirs: UInt64, _ sent: UInt64?, _ id: LinkID) {
    guard theirs < Self.endOfTime else { return }
    let offset = Int64(theirs) - store.nowMilliseconds
    guard let link = links[id], abs(offset) <= Self.clockLimitMilliseconds else { return }
    if let sent {
      let elapsed = store.correctedMilliseconds - Int64(min(sent, Self.endOfTime))
      if (0...Self.clockToleranceMilliseconds).contains(elapsed) {
        updateDialer(id) { $0.roundTripMilliseconds = elapsed }
      }
      guard link.clock.read(offset: offset, roundTrip: elapsed) else { return }
    } else {
      link.clock.greet(offset: offset)
    }
    updateDialer(id) { $0.clockOffsetMilliseconds = link.clock.offset }
    hasClockNews = true
  }

  /// What all peers together say that this node's clock lacks; nil when they say nothing.
  private var agreedOffset: Int64? {
    let known = links.values.filter {
      $0.peer != nil && $0.clockOffsetMilliseconds != nil && $0.trust.votesOnClock
    }
    let dialing = Set(known.filter { $0.url == nil }.compactMap(\.peer?.node))
    let heard = known.filter { link in
      // Two that dial each other must not take each other's time in turn.
      guard link.url != nil, let peer = link.peer?.node else { return true }
      return !dialing.contains(peer) || store.node > peer
    }
    // A library has one vote, however many connections it makes.
    let votes = Dictionary(grouping: heard) { $0.peer?.library }.values.compactMap { links in
      links.compactMap(\.clockOffsetMilliseconds).min { abs($0) < abs($1) }
    }
    let offsets = votes.sorted()
    guard offsets.count > 1 else {
      // One machine that connected does not move the clock of its hub, but it can confirm it.
      return heard.first { link in
        link.url != nil
          || abs(link.clockOffsetMilliseconds ?? .max) <= Self.clockToleranceMilliseconds
      }?.clockOffsetMilliseconds
    }
    let (low, high) = (offsets[(offsets.count - 1) / 2], offsets[offsets.count / 2])
    return abs(low) < abs(high) ? low : high
  }

  /// Corrects the clock when it is far from the peers', and the stamps of what never left.
  package func adjustClock() throws {
    defer { isFirstContact = false }
    guard hasClockNews else { return }
    hasClockNews = false
    guard let offset = agreedOffset else { return }
    let wanted = abs(offset) > Self.clockToleranceMilliseconds ? offset : 0
    let kept = store.clockOffsetMilliseconds
    guard abs(wanted - kept) > Self.clockStepMilliseconds else { return }
    try store.keep(clockOffsetMilliseconds: wanted)
    effects.append(.log(.clock, isProblem: wanted != 0, Self.clockText(wanted)))
    effects.append(.peersChanged)
    // Once a connection gives changes away they have left: only before that they can be changed.
    guard isFirstContact else { return }
    let shift = StampShift(
      milliseconds: wanted - kept,
      nowMilliseconds: store.correctedMilliseconds
    )
    for (palette, reissue) in try store.restamping(shift) where reissues[palette] == nil {
      reissues[palette] = reissue
    }
  }

  private static func clockText(_ offset: Int64) -> String {
    if offset == 0 { return "the clock is right again" }
    let (seconds, way) = (abs(offset) / 1_000, offset > 0 ? "behind" : "ahead of")
    return "the clock is \(seconds) s \(way) the peers': changes are stamped with theirs"
  }
}

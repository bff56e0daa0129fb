internal import PaletteModel
internal import PaletteStore
internal import PaletteSync

/// The readings of connected peers' clocks, and their common verdict on this node's.
final class PeerClocks {
  /// The clock of one connection.
  private struct Clock {
    let node: NodeID
    let library: RecordID
    /// True if this node dialed the peer.
    let isDialed: Bool
    var readings = ClockReadings()
  }

  /// Beyond this the clock counts as wrong.
  static let toleranceMilliseconds: Int64 = 300_000
  /// No honest clock is further off than this, so whoever says so is not believed.
  private static let limitMilliseconds: Int64 = 100 * 365 * 86_400_000
  /// No clock shows this time or a later one: stamps have 48 bits for it.
  private static let endOfTime: UInt64 = 1 << 48

  /// The clocks that have a vote.
  private var clocks: [PeerConnectionID: Clock] = [:]
  /// True if one was read since the own one was last compared.
  private var hasNews = false
  /// True if a peer was greeted since then, and there was no other.
  private var isFirstContact = false

  /// Adds the clock of a peer that was greeted just now and has a vote.
  func add(_ connection: PeerConnectionID, of peer: SyncPeer, isDialed: Bool) {
    clocks[connection] = Clock(node: peer.node, library: peer.library, isDialed: isDialed)
  }

  func remove(_ connection: PeerConnectionID) { clocks[connection] = nil }

  /// A peer is greeted; whether there is no other.
  func beginContact(isFirst: Bool) { isFirstContact = isFirst }

  /// Returns whether a peer was greeted since this was last asked, and there was no other.
  func removeFirstContact() -> Bool {
    defer { isFirstContact = false }
    return isFirstContact
  }

  /// Reads a peer's clock.
  ///
  /// - Parameters:
  ///   - theirs: What it shows.
  ///   - now: This machine's clock.
  ///   - elapsed: The time since it was asked; nil where that is not known.
  ///   - connection: The connection.
  /// - Returns: How far it is off, where this counts as a reading.
  func read(
    _ theirs: UInt64,
    at now: Int64,
    elapsed: Int64?,
    on connection: PeerConnectionID
  ) -> Int64? {
    guard theirs < Self.endOfTime else { return nil }
    let offset = Int64(theirs) - now
    guard clocks[connection] != nil, abs(offset) <= Self.limitMilliseconds else { return nil }
    if let elapsed {
      guard clocks[connection]?.readings.read(offset: offset, roundTrip: elapsed) == true else {
        return nil
      }
    } else {
      clocks[connection]?.readings.greet(offset: offset)
    }
    hasNews = true
    return clocks[connection]?.readings.offset
  }

  /// The correction of this node's clock, if there was a reading since the last call.
  func correction(for node: NodeID) -> Int64? {
    guard hasNews else { return nil }
    hasNews = false
    return agreedOffset(for: node)
  }

  /// The offset of this node's clock on which all peers agree; nil if they do not.
  private func agreedOffset(for node: NodeID) -> Int64? {
    let known = clocks.values.filter { $0.readings.offset != nil }
    let dialing = Set(known.filter { !$0.isDialed }.map(\.node))
    let heard = known.filter { clock in
      // Two nodes that dial each other must not follow each other's clocks in turn.
      !clock.isDialed || !dialing.contains(clock.node) || node > clock.node
    }
    // A library has one vote, however many connections it makes.
    let votes = Dictionary(grouping: heard, by: \.library).values.compactMap { clocks in
      clocks.compactMap(\.readings.offset).min { abs($0) < abs($1) }
    }
    let offsets = votes.sorted()
    guard offsets.count > 1 else {
      // One machine that connected does not move the clock of its hub, but it can confirm it.
      return heard.first { clock in
        clock.isDialed || abs(clock.readings.offset ?? .max) <= Self.toleranceMilliseconds
      }?.readings.offset
    }
    let (low, high) = (offsets[(offsets.count - 1) / 2], offsets[offsets.count / 2])
    return abs(low) < abs(high) ? low : high
  }
}

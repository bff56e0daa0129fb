/// The readings of a peer's clock, taken together.
///
/// A reading is off by up to half its round trip, so the one with the least round trip counts, and one
/// that took too long says nothing.
struct ClockReadings {
  private struct Reading {
    let offset: Int64
    let roundTrip: Int64

    /// Returns whether both can be true of clocks that nobody has set in between.
    func agrees(with other: Reading) -> Bool {
      abs(offset - other.offset) <= (roundTrip + other.roundTrip) / 2 + ClockReadings.drift
    }
  }

  /// The longest round trip of a usable reading.
  static let roundTripLimit: Int64 = 2_000
  /// The number of readings that count: a few minutes' worth.
  static let count = 8
  /// The drift of clocks against each other in that time, the rounding of readings included.
  private static let drift: Int64 = 50

  private var readings: [Reading] = []
  /// From a greeting, of which nobody knows how long it was on its way.
  private var rough: Int64?

  /// The peer's clock minus ours; nil before there is a reading.
  var offset: Int64? { readings.min { $0.roundTrip < $1.roundTrip }?.offset ?? rough }

  /// Adds what a greeting said; it counts until there is a reading.
  mutating func greet(offset: Int64) { rough = offset }

  /// Adds a reading, as the peer's clock minus ours at the moment of its arrival.
  ///
  /// - Returns: Whether it is one.
  mutating func read(offset: Int64, roundTrip: Int64) -> Bool {
    // A negative round trip means that the clock was set meanwhile.
    guard (0...Self.roundTripLimit).contains(roundTrip) else { return false }
    let reading = Reading(offset: offset + roundTrip / 2, roundTrip: roundTrip)
    // Where one of the clocks was set, what was read before is over.
    readings.removeAll { !$0.agrees(with: reading) }
    readings.append(reading)
    if readings.count > Self.count { readings.removeFirst() }
    return true
  }
}

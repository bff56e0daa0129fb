extension PlaceGenerator {
  /// How many places one counter value is good for.
  static let runLength = (0xFFFE - Place.firstOrdinal) / Place.ordinalStep + 1

  /// The next places of one of our runs, if the new ones would stand beside it.
  ///
  /// After it and before it they are ``Place/ordinalStep`` apart; between two of its own, they divide
  /// the ordinals evenly.
  func continuation(count: Int, after: Place?, before: Place?) -> [Place]? {
    let ownAfter = after.flatMap { $0.belongs(to: tag) ? $0 : nil }
    let ownBefore = before.flatMap { $0.belongs(to: tag) ? $0 : nil }
    if let ownAfter, let ownBefore, ownAfter.sharesRun(with: ownBefore) {
      let room = ownBefore.ordinal - ownAfter.ordinal
      guard room > count else { return nil }
      return ownAfter.run((1...count).map { ownAfter.ordinal + room * $0 / (count + 1) })
    }
    if let ownAfter,
      let places = ownAfter.run((1...count).map { ownAfter.ordinal + Place.ordinalStep * $0 }),
      isAscending(places.last, before)
    {
      return places
    }
    if let ownBefore,
      let places = ownBefore.run(
        (1...count).map { ownBefore.ordinal - Place.ordinalStep * (count + 1 - $0) }
      ),
      isAscending(after, places.first)
    {
      return places
    }
    return nil
  }

  /// Up to `count` places that share a midpoint and a tag, under as many counters as they need.
  mutating func newRuns(
    of count: Int,
    at midpoint: [UInt8],
    using random: inout some RandomNumberGenerator
  ) -> [Place] {
    let counters = min(255, (count + Self.runLength - 1) / Self.runLength)
    if Int(counter) + counters > 255 { renewTag(using: &random) }
    var places: [Place] = []
    for _ in 0..<counters {
      let prefix = midpoint + tag.bytes + [nextCounter()]
      for index in 0..<min(Self.runLength, count - places.count) {
        let ordinal = Place.firstOrdinal + Place.ordinalStep * index
        places.append(Place(prefix: prefix, ordinal: ordinal))
      }
    }
    return places
  }

  /// Whether two places are in order; a missing one is beyond its end of the palette.
  private func isAscending(_ left: Place?, _ right: Place?) -> Bool {
    guard let left, let right else { return true }
    return left < right
  }
}

/// Makes the places at which a node inserts.
///
/// A place is a midpoint between its neighbours, then the node's ``RunTag``, a counter byte and a
/// 16-bit ordinal. Next to a place of its own run, the node only counts the ordinal on, so a run
/// keeps together whoever else inserts at the same spot, and its places do not grow.
///
/// The node stores tag and counter and writes them back before it uses the places: losing them
/// makes places grow, and two nodes that share a tag could make equal ones.
package struct PlaceGenerator: Hashable, Sendable {
  /// The tag of the runs that are begun now.
  package private(set) var tag: RunTag
  /// The counter of the newest run of the tag, 0 before the first one.
  package private(set) var counter: UInt8

  /// Creates a generator from what the node stored.
  package init(tag: RunTag, counter: UInt8) {
    self.tag = tag
    self.counter = counter
  }

  /// Creates a generator for a node that made no place yet.
  package init(using random: inout some RandomNumberGenerator) {
    self.init(tag: RunTag(using: &random), counter: 0)
  }

  /// Returns whether there is room behind a place at the end of the palette, whatever was put
  /// there.
  package static func hasRoom(after place: Place) -> Bool {
    let gap = PlaceGap(lower: place.bytes, upper: nil)
    guard let midpoint = gap.midpoint(newer: .after) else { return false }
    return midpoint.count + Place.runSuffixLength <= Place.maximumLength
  }

  /// A place strictly between two neighbours, either of which may be missing.
  ///
  /// `newer` is the neighbour with the later stamp; only inside a gap it makes a difference. Nil when
  /// there is no room: the neighbours' places are equal, or the new one would exceed
  /// ``Place/maximumLength``. Then the caller also re-places a neighbour.
  package mutating func place(
    after: Place?,
    before: Place?,
    newer: PlaceNeighbour,
    using random: inout some RandomNumberGenerator
  ) -> Place? {
    places(count: 1, after: after, before: before, newer: newer, using: &random)?.first
  }

  /// Ascending places for colors that are added together, all strictly between two neighbours.
  ///
  /// Up to half a million of them share one midpoint, so that they stay together. Nil as for
  /// ``place(after:before:newer:using:)``.
  package mutating func places(
    count: Int,
    after: Place?,
    before: Place?,
    newer: PlaceNeighbour,
    using random: inout some RandomNumberGenerator
  ) -> [Place]? {
    if let after, let before, after >= before { return nil }
    guard count > 0 else { return [] }
    if let places = continuation(count: count, after: after, before: before) { return places }
    var places: [Place] = []
    while places.count < count {
      // What did not fit the first time follows its own last place, at a new midpoint.
      let last = places.last
      let gap = PlaceGap(lower: (last ?? after)?.bytes ?? [], upper: before?.bytes)
      guard let midpoint = gap.midpoint(newer: last == nil ? newer : .after),
        midpoint.count + Place.runSuffixLength <= Place.maximumLength
      else { return nil }
      places += newRuns(of: count - places.count, at: midpoint, using: &random)
    }
    return places
  }

  /// Begins a new tag, because the counters of the present one are used up.
  private mutating func renewTag(using random: inout some RandomNumberGenerator) {
    tag = RunTag(using: &random)
    counter = 0
  }

  /// Takes the next counter, which must be left.
  private mutating func nextCounter() -> UInt8 {
    counter += 1
    return counter
  }

  /// The number of places one counter value is good for.
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
  private mutating func newRuns(
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

  /// Returns whether two places are in order; a missing one is beyond its end of the palette.
  private func isAscending(_ left: Place?, _ right: Place?) -> Bool {
    guard let left, let right else { return true }
    return left < right
  }
}

/// One of the two neighbours of a new place.
package enum PlaceNeighbour: Hashable, Sendable {
  /// The one that the new place comes after.
  case after
  /// The one that the new place comes before.
  case before
}

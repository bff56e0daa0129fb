import PaletteTestSupport
import Testing

@testable import PaletteMerge

/// A habit of inserting, by one node or by several in turn.
struct InsertionPattern: CustomTestStringConvertible {
  enum Spot {
    case front
    case end
    case afterFirst
    case beforeLast
    case anywhere
  }

  let spot: Spot
  let nodes: Int
  /// How many insertions a node makes in turn.
  var turn = 1
  let longest: Int

  var testDescription: String { "\(nodes) at \(spot), \(turn) each in turn" }
}

struct PlaceGrowthTests {
  @Test(arguments: [
    InsertionPattern(spot: .front, nodes: 1, longest: 9),
    InsertionPattern(spot: .end, nodes: 1, longest: 9),
    InsertionPattern(spot: .afterFirst, nodes: 1, longest: 24),
    InsertionPattern(spot: .beforeLast, nodes: 1, longest: 24),
    InsertionPattern(spot: .anywhere, nodes: 1, longest: 99),
    InsertionPattern(spot: .front, nodes: 2, longest: 9),
    InsertionPattern(spot: .end, nodes: 2, longest: 9),
    InsertionPattern(spot: .afterFirst, nodes: 2, longest: 40),
    InsertionPattern(spot: .beforeLast, nodes: 2, longest: 40),
    InsertionPattern(spot: .anywhere, nodes: 2, longest: 99),
    InsertionPattern(spot: .front, nodes: 2, turn: 20, longest: 9),
    InsertionPattern(spot: .end, nodes: 2, turn: 20, longest: 9),
    InsertionPattern(spot: .afterFirst, nodes: 2, turn: 20, longest: 40),
    InsertionPattern(spot: .beforeLast, nodes: 3, turn: 20, longest: 40),
  ])
  func staysShort(pattern: InsertionPattern) throws {
    var random = SeededRandom(seed: 5)
    var generators = (0..<pattern.nodes).map { _ in PlaceGenerator(using: &random) }
    var owner = PlaceGenerator(using: &random)
    var places = try #require(
      owner.places(count: 2, after: nil, before: nil, newer: .after, using: &random)
    )
    var ages = [-2, -1]
    var longest = 0
    for step in 0..<10_000 {
      let node = step / pattern.turn % pattern.nodes
      // A process that starts for every single insertion knows no more than what was stored.
      let stored = generators[node]
      generators[node] = PlaceGenerator(tag: stored.tag, counter: stored.counter)
      let index = index(for: pattern.spot, count: places.count, using: &random)
      let after = index > 0 ? places[index - 1] : nil
      let before = index < places.count ? places[index] : nil
      let isAfterNewer = index > 0 && (index == places.count || ages[index - 1] > ages[index])
      let place = generators[node].place(
        after: after,
        before: before,
        newer: isAfterNewer ? .after : .before,
        using: &random
      )
      guard let place else {
        Issue.record("no room at insertion \(step)")
        return
      }
      places.insert(place, at: index)
      ages.insert(step, at: index)
      longest = max(longest, place.bytes.count)
    }
    #expect(zip(places, places.dropFirst()).allSatisfy(<))
    #expect(longest <= pattern.longest)
  }

  private func index(
    for spot: InsertionPattern.Spot,
    count: Int,
    using random: inout SeededRandom
  ) -> Int {
    switch spot {
    case .front: 0
    case .end: count
    case .afterFirst: 1
    case .beforeLast: count - 1
    case .anywhere: Int.random(in: 0...count, using: &random)
    }
  }
}

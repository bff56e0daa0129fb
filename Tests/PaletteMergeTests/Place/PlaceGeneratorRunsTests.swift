import PaletteTestSupport
import Testing

@testable import PaletteMerge

struct PlaceGeneratorRunsTests {
  @Test(arguments: [0, 1, 2, 100, 2_048, 2_049, 5_000])
  func makesAscendingPlacesInsideTheGap(count: Int) throws {
    var random = SeededRandom(seed: 3)
    var stranger = PlaceGenerator(using: &random)
    let ends = try #require(
      stranger.places(count: 2, after: nil, before: nil, newer: .after, using: &random)
    )
    for (after, before) in [(nil, nil), (ends[0], ends[1]), (ends[1], nil), (nil, ends[0])] {
      var node = PlaceGenerator(using: &random)
      let places = try #require(
        node.places(count: count, after: after, before: before, newer: .after, using: &random)
      )
      let all = (after.map { [$0] } ?? []) + places + (before.map { [$0] } ?? [])
      #expect(places.count == count)
      #expect(zip(all, all.dropFirst()).allSatisfy(<))
      #expect(places.allSatisfy { $0.bytes.count < 30 })
    }
  }

  @Test func continuesAndDividesItsOwnRun() throws {
    var random = SeededRandom(seed: 3)
    var node = PlaceGenerator(using: &random)
    let first = try #require(
      node.places(count: 3, after: nil, before: nil, newer: .after, using: &random)
    )
    let next = try #require(
      node.places(count: 3, after: first[2], before: nil, newer: .after, using: &random)
    )
    let earlier = try #require(
      node.places(count: 3, after: nil, before: first[0], newer: .after, using: &random)
    )
    let inside = try #require(
      node.places(count: 3, after: first[0], before: first[1], newer: .after, using: &random)
    )
    let tooMany = try #require(
      node.places(count: 16, after: first[1], before: first[2], newer: .after, using: &random)
    )
    let all =
      earlier + [first[0]] + inside + [first[1]] + tooMany + [first[2]] + next
    #expect(zip(all, all.dropFirst()).allSatisfy(<))
    #expect((first + next + earlier + inside).allSatisfy { $0.sharesRun(with: first[0]) })
    #expect(node.counter == 2)
  }

  /// Half a million places exhaust the counters; the rest follows at another midpoint.
  @Test func goesOnBeyondAllCounters() throws {
    var random = SeededRandom(seed: 3)
    var node = PlaceGenerator(using: &random)
    let count = 255 * PlaceGenerator.runLength + 5
    let places = try #require(
      node.places(count: count, after: nil, before: nil, newer: .after, using: &random)
    )
    #expect(places.count == count)
    #expect(zip(places, places.dropFirst()).allSatisfy(<))
  }

  /// Two people add at the same spot without seeing each other: after the merge, the colors of each
  /// stand together.
  @Test(arguments: TestSeeds.some(of: 48))
  func keepsTheRunsOfTwoPeopleApart(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var stranger = PlaceGenerator(using: &random)
    let ends = try #require(
      stranger.places(count: 2, after: nil, before: nil, newer: .after, using: &random)
    )
    let spots = [(nil, nil), (ends[0], ends[1]), (ends[1], nil), (nil, ends[0])]
    let (after, before) = spots[Int(seed % 4)]
    let newer: PlaceNeighbour = Bool.random(using: &random) ? .after : .before
    var merged: [(place: Place, node: Int)] = []
    for name in 0..<2 {
      var node = PlaceGenerator(using: &random)
      var own: [Place] = []
      for _ in 0..<Int.random(in: 5...60, using: &random) {
        // Each color goes right after, or right before, some color of the same person, or into one
        // import.
        let index = own.isEmpty ? 0 : Int.random(in: 0...own.count, using: &random)
        let count = Int.random(in: 0..<10, using: &random) == 0 ? 5 : 1
        let places = try #require(
          node.places(
            count: count,
            after: index > 0 ? own[index - 1] : after,
            before: index < own.count ? own[index] : before,
            newer: own.isEmpty ? newer : .after,
            using: &random
          )
        )
        own.insert(contentsOf: places, at: index)
      }
      merged += own.map { ($0, name) }
    }
    merged.sort { $0.place < $1.place }
    let switches = zip(merged, merged.dropFirst()).filter { $0.node != $1.node }.count
    #expect(switches == 1, "replay with seed \(seed)")
  }
}

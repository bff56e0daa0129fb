import PaletteTestSupport
import Testing

@testable import PaletteMerge

struct PlaceGeneratorTests {
  private let tag = RunTag(bytes: [7, 8, 9])

  private func generator(counter: UInt8 = 0) throws -> PlaceGenerator {
    PlaceGenerator(tag: try #require(tag), counter: counter)
  }

  @Test func countsARunOn() throws {
    var random = SeededRandom(seed: 1)
    var node = try generator()
    let first = node.place(after: nil, before: nil, newer: .after, using: &random)
    #expect(first?.description == "800000070809018000")
    let next = node.place(after: first, before: nil, newer: .after, using: &random)
    #expect(next?.description == "800000070809018010")
    let earlier = node.place(after: nil, before: first, newer: .before, using: &random)
    #expect(earlier?.description == "800000070809017ff0")
    let between = node.place(after: first, before: next, newer: .after, using: &random)
    #expect(between?.description == "800000070809018008")
    #expect(node.counter == 1)
  }

  @Test func leavesTheRunsOfOthersAlone() throws {
    var random = SeededRandom(seed: 1)
    var node = try generator()
    let foreign = Place("800000010203018000")
    #expect(
      node.place(after: foreign, before: nil, newer: .after, using: &random)?.description
        == "800001070809018000"
    )
    #expect(
      node.place(after: nil, before: foreign, newer: .before, using: &random)?.description
        == "7fffff070809028000"
    )
  }

  @Test func nestsWhereARunIsFull() throws {
    var random = SeededRandom(seed: 1)
    var node = try generator()
    let left = try #require(Place("800000070809018000"))
    let right = try #require(Place("800000070809018001"))
    let place = try #require(node.place(after: left, before: right, newer: .after, using: &random))
    #expect(left < place && place < right)
    #expect(place.bytes.count > left.bytes.count)
    let last = Place("80000007080901fff0")
    let beyond = node.place(after: last, before: nil, newer: .after, using: &random)
    #expect(beyond?.description == "800001070809028000")
  }

  @Test func beginsANewTagAfterTheLastCounter() throws {
    var random = SeededRandom(seed: 1)
    var node = try generator(counter: 254)
    let other = Place("800000010203018000")
    let last = node.place(after: other, before: nil, newer: .after, using: &random)
    #expect(last?.description == "800001070809ff8000")
    let next = node.place(after: other, before: nil, newer: .after, using: &random)
    #expect(node.tag != tag)
    #expect(node.counter == 1)
    #expect(next?.bytes.suffix(6) == node.tag.bytes + [1, 0x80, 0])
  }

  @Test(arguments: [("80", "80"), ("81", "80"), ("80", "8000")])
  func findsNoRoom(after: String, before: String) throws {
    var random = SeededRandom(seed: 1)
    var node = try generator()
    #expect(
      node.place(after: Place(after), before: Place(before), newer: .after, using: &random) == nil
    )
  }

  @Test func refusesToGrowBeyondTheLimit() throws {
    var random = SeededRandom(seed: 1)
    var node = try generator()
    let after = Place(bytes: [UInt8](repeating: 0x80, count: 1020))
    let before = Place(bytes: [UInt8](repeating: 0x80, count: 1020) + [1])
    #expect(node.place(after: after, before: before, newer: .after, using: &random) == nil)
    let end = Place(bytes: [UInt8](repeating: 0xFF, count: 1024))
    #expect(node.place(after: end, before: nil, newer: .after, using: &random) == nil)
  }

  /// Always between the last two insertions, by nodes that forget their runs: the worst habit.
  @Test func staysInOrderUntilThereIsNoRoom() throws {
    var random = SeededRandom(seed: 1)
    var node = PlaceGenerator(using: &random)
    var pair = try #require(
      node.places(count: 2, after: nil, before: nil, newer: .after, using: &random)
    )
    for insertion in 0..<3_000 {
      node = PlaceGenerator(using: &random)
      let place = node.place(
        after: pair[0],
        before: pair[1],
        newer: insertion.isMultiple(of: 2) ? .before : .after,
        using: &random
      )
      guard let place else {
        #expect(insertion > 500)
        return
      }
      try #require(pair[0] < place && place < pair[1])
      try #require(place.bytes.count <= Place.maximumLength)
      pair[insertion % 2] = place
    }
    Issue.record("a place of 1 KiB cannot hold 3,000 gaps")
  }
}

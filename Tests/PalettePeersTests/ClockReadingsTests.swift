import PaletteTestSupport
import Testing

@testable import PalettePeers

/// What readings of a peer's clock are believed.
struct ClockReadingsTests {
  @Test func whatTookTooLongIsNoReading() {
    var clock = ClockReadings()
    #expect(clock.read(offset: 0, roundTrip: 19_000) == false)
    #expect(clock.read(offset: 0, roundTrip: -1) == false)
    #expect(clock.offset == nil)
    #expect(clock.read(offset: -1_000, roundTrip: ClockReadings.roundTripLimit) == true)
    #expect(clock.offset == 0)
    #expect(clock.read(offset: 5_000, roundTrip: ClockReadings.roundTripLimit + 1) == false)
    #expect(clock.offset == 0)
  }

  @Test func theGreetingCountsUntilThereIsAReading() {
    var clock = ClockReadings()
    clock.greet(offset: -9_000)
    #expect(clock.offset == -9_000)
    #expect(clock.read(offset: -5, roundTrip: 10) == true)
    #expect(clock.offset == 0)
    clock.greet(offset: -9_000)
    #expect(clock.offset == 0)
  }

  /// Whatever share of the round trip the answer took, the best reading is as close as half of it.
  @Test(arguments: TestSeeds.some(of: 50))
  func theLeastRoundTripCounts(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var clock = ClockReadings()
    let truth = Int64.random(in: -1_000_000...1_000_000, using: &random)
    var trips: [Int64] = []
    for _ in 0..<ClockReadings.count {
      let roundTrip = Int64.random(in: 0...4_000, using: &random)
      let back = Int64.random(in: 0...roundTrip, using: &random)
      if clock.read(offset: truth - back, roundTrip: roundTrip) { trips.append(roundTrip) }
    }
    guard let least = trips.min() else { return #expect(clock.offset == nil) }
    #expect(abs(try #require(clock.offset) - truth) <= least / 2 + 1, "replay with seed \(seed)")
  }

  @Test func aClockThatWasSetIsBelievedAtOnce() {
    var clock = ClockReadings()
    for _ in 0..<20 { #expect(clock.read(offset: -1, roundTrip: 2) == true) }
    #expect(clock.read(offset: 86_400_000 - 100, roundTrip: 200) == true)
    #expect(clock.offset == 86_400_000)
  }

  @Test func whatWasReadLongAgoIsForgotten() {
    var clock = ClockReadings()
    #expect(clock.read(offset: 0, roundTrip: 0) == true)
    for _ in 0..<ClockReadings.count { #expect(clock.read(offset: 0, roundTrip: 100) == true) }
    #expect(clock.offset == 50)
  }
}

import PalettePeers
import PaletteStore
import PaletteTestSupport
import Testing

/// Fleets that live through whatever goes wrong, each from a seed.
@Suite(.timeLimit(.minutes(15 * TestPatience.factor)))
struct FleetSimulationTests {
  @Test(arguments: TestSeeds.some(of: 16))
  func noAcknowledgedEditIsLostAndNoneIsThereTwice(seed: UInt64) throws {
    let world = try FleetWorld(seed: seed)
    try world.run(seconds: 120, faults: 2.5)
    try world.finish()
    #expect(world.counts.edits > 30 && world.counts.reads > 10, "\(world.counts), \(world.story)")
  }

  @Test(arguments: TestSeeds.some(of: 16))
  func theOwnerGivesBackWhatTheDatabaseLost(seed: UInt64) throws {
    let world = try FleetWorld(seed: seed)
    try world.run(seconds: 10, faults: .infinity)
    for _ in 0..<3 {
      try world.loseTail(seconds: 2)
      try world.run(seconds: 12, faults: .infinity)
    }
    try world.run(seconds: 30, faults: 2)
    try world.finish()
    #expect(world.counts.told > 0, "\(world.counts), \(world.story)")
  }

  /// The owner was lost with what it had: those who made the edits still have them.
  @Test func whatOthersShowThatTheDatabaseLostIsTold() throws {
    let world = try FleetWorld(seed: 1)
    try world.run(seconds: 15, faults: .infinity)
    let hub = try world.showForgotten()
    #expect(!hub.told.contains(.lostTail))
    try world.run(seconds: 2, faults: .infinity)
    #expect(hub.told.count { $0 == .lostTail } == 1)
    #expect(hub.stores.values.contains { $0.notice?.contains("gives them back") == true })
  }
}

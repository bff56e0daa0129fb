import PaletteMerge
import PaletteModel
import PalettePeers
import PaletteStore
import PaletteSync
import PaletteTestSupport
import Testing

/// Clocks that are wrong by years: everything syncs, and stamps are put right where that is possible.
struct ClockTests {
  static let palette = PaletteID(RecordID(high: 1, low: 1))
  private static let year: Int64 = 365 * 86_400_000
  private let record = RecordID(high: 7, low: 1)

  private func add() -> [Edit] {
    [
      .add(Self.palette.record, [.name: RegisterValue(text: "P")]),
      .add(
        record,
        [
          .name: RegisterValue(text: "first"), .color: RegisterValue(color: Color(.srgb, 0, 0, 1)),
          .place: RegisterValue(placeBytes: [9]),
        ]
      ),
    ]
  }

  private func rename(_ name: String, at member: Int, of fleet: CoreFleet) throws {
    try fleet.act([.set(record, [.name: RegisterValue(text: name)])], in: Self.palette, at: member)
  }

  private func expectEqual(_ fleet: CoreFleet, name: String) throws {
    #expect(try Set(fleet.members.map { try $0.store.digest() }).count == 1)
    for member in fleet.members {
      #expect(try member.store.record(record, in: Self.palette)?.name == name)
      #expect(try member.store.record(record, in: Self.palette)?.conflicts == [])
      #expect(try member.store.verify(Self.palette) == [])
      for url in member.core.peers.keys {
        #expect(try member.store.pending(of: Self.palette, at: [url]) == 0)
      }
    }
  }

  /// The stamps of a member's changes, as distances from the fleet's time.
  private func distances(_ fleet: CoreFleet, of member: Int) throws -> [Int64] {
    let store = fleet.members[member].store
    return try (try store.changes(of: Self.palette) ?? []).map {
      let change = try Change(decoding: $0, in: Self.palette)
      return abs(change.stamp.milliseconds - fleet.clock.milliseconds)
    }
  }

  @Test(arguments: [-1_690_000_000_000, 315_360_000_000, -400_000, 400_000] as [Int64])
  func aNodeWhoseClockIsWrongTakesTheTimeOfTheOneThatListens(skew: Int64) throws {
    let fleet = try CoreFleet(count: 2, seed: 1)
    fleet.members[1].skew.milliseconds = skew
    try fleet.act(add(), in: Self.palette, at: 1)
    let node = fleet.members[1].store.node
    try fleet.join(1, to: 0, role: .editor)
    try fleet.settle()
    try expectEqual(fleet, name: "first")
    #expect(abs(fleet.members[1].store.clockOffsetMilliseconds + skew) < 1_000)
    #expect(fleet.members[0].store.clockOffsetMilliseconds == 0)
    // What had never left was stamped again, under an id of its own.
    #expect(fleet.members[1].store.node != node)
    #expect(try fleet.members[0].store.frontier(of: Self.palette)[node] == nil)
    #expect(try distances(fleet, of: 0).allSatisfy { $0 < 3_600_000 })
    #expect(fleet.problems.contains { $0.contains("the clock is") })
    let offset = try #require(fleet.members[1].core.dialers["member-0"]?.clockOffsetMilliseconds)
    #expect(abs(offset + skew) < 1_000)

    // Whoever saw the other's edit wins, whatever the clocks say.
    for (number, member) in [0, 1, 0, 1].enumerated() {
      try rename("n\(number)", at: member, of: fleet)
      try fleet.settle()
      try expectEqual(fleet, name: "n\(number)")
    }
    // The correction outlives the process, and the repair of the clock ends it.
    try fleet.restart(1)
    #expect(abs(fleet.members[1].store.clockOffsetMilliseconds + skew) < 1_000)
    fleet.members[1].skew.milliseconds = 0
    try fleet.settle()
    #expect(fleet.members[1].store.clockOffsetMilliseconds == 0)
    try rename("last", at: 1, of: fleet)
    try fleet.settle()
    try expectEqual(fleet, name: "last")
    #expect(try distances(fleet, of: 0).allSatisfy { $0 < 36_000_000 })
  }

  @Test func aHubWhoseClockIsWrongIsOutvotedAndAClientIsNot() throws {
    let fleet = try CoreFleet(count: 4, seed: 2)
    try fleet.act(add(), in: Self.palette, at: 0)
    for member in 1..<4 { try fleet.join(member, to: 0) }
    try fleet.settle()
    fleet.members[2].skew.milliseconds = -20 * Self.year
    try rename("away", at: 2, of: fleet)
    try fleet.settle()
    try expectEqual(fleet, name: "away")
    #expect(fleet.members[0].store.clockOffsetMilliseconds == 0)
    #expect(fleet.members[2].store.clockOffsetMilliseconds > 19 * Self.year)
    #expect(fleet.members[1].store.clockOffsetMilliseconds == 0)
  }

  @Test(arguments: TestSeeds.some(of: 6))
  func clocksThatStepBackAndForthSyncEverything(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let fleet = try CoreFleet(count: 3, seed: seed)
    try fleet.act(add(), in: Self.palette, at: 0)
    try fleet.join(1, to: 0)
    try fleet.join(2, to: 0, role: .editor)
    try fleet.settle()
    for round in 0..<6 {
      let member = Int.random(in: 0..<3, using: &random)
      let steps = [-1_690_000_000_000, 10 * Self.year, -60_000, 0, -3_600_000]
      fleet.members[member].skew.milliseconds = steps.randomElement(using: &random) ?? 0
      if random.chance(0.5) { try fleet.cut(member) }
      if random.chance(0.3) { try fleet.restart(member) }
      try rename("r\(round)", at: member, of: fleet)
      try fleet.settle()
      try expectEqual(fleet, name: "r\(round)")
      try rename("s\(round)", at: (member + 1) % 3, of: fleet)
      try fleet.settle()
      try expectEqual(fleet, name: "s\(round)")
    }
  }

  @Test func theEndOfTimeIsNoClock() throws {
    let fleet = try CoreFleet(count: 2, seed: 1)
    try fleet.act(add(), in: Self.palette, at: 1)
    try fleet.join(1, to: 0)
    try fleet.settle()
    let connection = try #require(try fleet.connection(of: 1))
    let core = fleet.members[1].core
    for time in [.max, 0, UInt64(Int64.max), 1 << 48, .max, 0, (1 << 48) - 1, 0] as [UInt64] {
      for sent in [nil, 0, .max] as [UInt64?] {
        fleet.clock.milliseconds += 1_000
        core.readClock(time, sent, connection)
        try core.adjustClock()
        try rename("at \(time)", at: 1, of: fleet)
      }
    }
    // Beyond a century nobody is believed.
    #expect(abs(fleet.members[1].store.clockOffsetMilliseconds) <= 100 * Self.year)
  }

  @Test func whatHasLeftKeepsItsStamp() throws {
    let fleet = try CoreFleet(count: 2, seed: 3)
    try fleet.act(add(), in: Self.palette, at: 1)
    try fleet.join(1, to: 0)
    try fleet.settle()
    let node = fleet.members[1].store.node
    let before = try fleet.members[1].store.frontier(of: Self.palette)[node]
    try fleet.cut(1)
    // The battery of the clock dies while the node is away.
    fleet.members[1].skew.milliseconds = -30 * Self.year
    fleet.isReachable = false
    try rename("offline", at: 1, of: fleet)
    fleet.isReachable = true
    try fleet.settle()
    try expectEqual(fleet, name: "offline")
    #expect(try fleet.members[0].store.frontier(of: Self.palette)[node] == before)
    #expect(try distances(fleet, of: 0).allSatisfy { $0 < 36_000_000 })
  }
}

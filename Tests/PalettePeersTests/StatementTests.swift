import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

@testable import PalettePeers

/// What peers are known to hold when they come back.
struct StatementTests {
  private static func palette(_ number: Int) -> PaletteID {
    PaletteID(RecordID(high: 1, low: UInt64(number)))
  }

  private func name(_ palette: PaletteID, _ text: String, at member: Int, _ fleet: CoreFleet) throws
  {
    let edit = Edit.set(palette.record, [.name: RegisterValue(text: text)])
    try fleet.act([edit], in: palette, at: member)
  }

  @Test(arguments: [Role.relay, .editor])
  func whoComesBackWithNothingNewIsKnownToHoldAll(role: Role) throws {
    let fleet = try CoreFleet(count: 2, seed: 5)
    for number in 0..<40 { try name(Self.palette(number), "P\(number)", at: 1, fleet) }
    try fleet.join(1, to: 0, role: role)
    try fleet.settle(rounds: 4)
    // A restart opens the library anew.
    var store: ChangeStore { fleet.members[1].store }
    #expect(try store.peers.palettesStatedOtherwise(by: "member-0").isEmpty)
    func pending() throws -> Int {
      try (0..<40).reduce(0) { try $0 + store.pending(of: Self.palette($1), at: ["member-0"]) }
    }
    #expect(try pending() == 0)
    // What was said of one palette got lost; the digests are equal all the same.
    try store.peers.record([
      HeldReport(url: "member-0", palette: Self.palette(7), held: [:], isWhole: true)
    ])
    #expect(try store.peers.palettesStatedOtherwise(by: "member-0") == [Self.palette(7)])
    #expect(try pending() == 1)
    try fleet.restart(1)
    try fleet.settle(rounds: 4)
    #expect(try fleet.members[1].store.peers.palettesStatedOtherwise(by: "member-0").isEmpty)
    // One palette differs; of the others nothing has to be said.
    try name(Self.palette(3), "new", at: 0, fleet)
    try fleet.cut(1)
    try fleet.settle(rounds: 4)
    #expect(try fleet.members[1].store.peers.palettesStatedOtherwise(by: "member-0").isEmpty)
    #expect(fleet.problems == [])
  }

  @Test func changesOfOthersThatCannotBeGivenAreCountedAfterAReturn() throws {
    let fleet = try CoreFleet(count: 3, seed: 6)
    for number in 0..<5 { try name(Self.palette(number), "P\(number)", at: 0, fleet) }
    // An editor of two hubs that do not know each other.
    try fleet.join(1, to: 0, role: .editor)
    try fleet.settle(rounds: 4)
    try fleet.cut(1)
    try fleet.settle(rounds: 4)
    #expect(try fleet.members[1].core.withheld(at: "member-0") == 0)
    try fleet.join(1, to: 2, role: .editor)
    try fleet.settle(rounds: 4)
    try name(Self.palette(3), "elsewhere", at: 2, fleet)
    try fleet.settle(rounds: 4)
    #expect(try fleet.members[1].store.summary(of: Self.palette(3))?.name == "elsewhere")
    #expect(try fleet.members[1].core.withheld(at: "member-0") == 1)
  }

  @Test func whatAPeerGivesAfterAReturnMakesNothingElseMissingThere() throws {
    let fleet = try CoreFleet(count: 3, seed: 9)
    try name(Self.palette(0), "P", at: 0, fleet)
    for member in 1...2 { try fleet.join(member, to: 0, role: .editor) }
    try fleet.settle(rounds: 4)
    try name(Self.palette(0), "another's", at: 2, fleet)
    try fleet.settle(rounds: 4)
    try fleet.cut(1)
    try fleet.settle(rounds: 4)
    try name(Self.palette(0), "the hub's", at: 0, fleet)
    try fleet.settle(rounds: 4)
    #expect(try fleet.members[1].store.summary(of: Self.palette(0))?.name == "the hub's")
    #expect(try fleet.members[1].core.withheld(at: "member-0") == 0)
  }

  /// What is found equal counts as held up to what was committed since, in however many batches.
  @Test func changesThatAreToldTogetherAreAllCountedAfterAReturn() throws {
    let fleet = try CoreFleet(count: 3, seed: 8)
    try name(Self.palette(0), "P", at: 0, fleet)
    try fleet.join(1, to: 0, role: .editor)
    try fleet.join(2, to: 1)
    try fleet.settle(rounds: 4)
    try fleet.cut(1)
    try fleet.settle(rounds: 4)
    let (store, core) = (fleet.members[1].store, fleet.members[1].core)
    fleet.flushes = false
    try name(Self.palette(0), "another's", at: 2, fleet)
    try fleet.deliver(limit: 1_000)
    try store.act(
      [.set(Self.palette(0).record, [.note: RegisterValue(text: "own")])],
      in: Self.palette(0)
    )
    try fleet.carryOut(core.flush(), of: 1)
    #expect(try store.summary(of: Self.palette(0))?.name == "another's")
    #expect(try core.withheld(at: "member-0") == 1)
  }
}

import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteSync
import PaletteTestSupport
import Testing

@testable import PalettePeers

/// What others write waits where there is no room for it, and is not lost.
struct QuotaTests {
  private static let palette = PaletteID(RecordID(high: 1, low: 1))

  private func edit(_ number: UInt64) -> Edit {
    .add(
      RecordID(high: 7, low: number),
      [
        .name: RegisterValue(text: String(repeating: "c", count: 500)),
        .color: RegisterValue(color: Color(.srgb, 0, 0, 1)),
        .place: RegisterValue(placeBytes: [9]),
      ]
    )
  }

  private func fleet(role: Role) throws -> CoreFleet {
    let fleet = try CoreFleet(count: 2, seed: 1)
    let name = RegisterValue(text: "P")
    try fleet.act([.add(Self.palette.record, [.name: name])], in: Self.palette, at: 0)
    fleet.members[0].core.quotaBytes = 4_000
    try fleet.join(1, to: 0, role: role, palette: role == .editor ? Self.palette : nil)
    try fleet.settle()
    return fleet
  }

  private func count(_ fleet: CoreFleet, _ member: Int) throws -> Int {
    try fleet.members[member].store.colors(of: Self.palette).count
  }

  private func pending(_ fleet: CoreFleet) throws -> Int {
    try fleet.members[1].store.pending(of: Self.palette, at: ["member-0"])
  }

  private func error(_ fleet: CoreFleet) -> PeerError? {
    fleet.members[1].core.dialers["member-0"]?.error
  }

  @Test func whoHasWrittenItsShareWaits() throws {
    let fleet = try fleet(role: .editor)
    for number in 0..<20 {
      try fleet.act([edit(UInt64(number))], in: Self.palette, at: 1)
      try fleet.settle(rounds: 1)
    }
    try fleet.settle()
    let taken = try count(fleet, 0)
    // What was under way when the share was used up came in still.
    #expect((7...19).contains(taken))
    #expect(try pending(fleet) == 20 - taken)
    #expect(error(fleet)?.code == "over-quota")
    let member = try #require(try fleet.members[0].store.members.grants().first?.member)
    let line = "\(member.title) has written its quota, and its edits wait"
    #expect(member.title.hasPrefix("member \(member.uid)") && fleet.problems.contains(line))
    // It reads on.
    try fleet.act([edit(100)], in: Self.palette, at: 0)
    try fleet.settle()
    #expect(try count(fleet, 1) == 21)
    // Also when the hub was started anew, until there is room.
    try fleet.carryOut(fleet.members[0].core.handle(.draining), of: 0)
    try fleet.restart(0)
    fleet.members[0].core.quotaBytes = 4_000
    try fleet.settle()
    #expect(try count(fleet, 0) == taken + 1)
    #expect(error(fleet)?.code == "over-quota")
    try fleet.restart(0)
    try fleet.settle()
    #expect(try count(fleet, 0) == 21 && pending(fleet) == 0)
    #expect(error(fleet) == nil)
  }

  @Test func machinesOfTheSamePeopleHaveNoShare() throws {
    let fleet = try fleet(role: .relay)
    for number in 0..<20 { try fleet.act([edit(UInt64(number))], in: Self.palette, at: 1) }
    try fleet.settle()
    #expect(try count(fleet, 0) == 20)
  }

  @Test func guestsHaveAShareToo() throws {
    let fleet = try fleet(role: .editor)
    let hub = fleet.members[0]
    let secret = [UInt8](repeating: 7, count: 32)
    let member = try hub.store.members.makeMember(.script, secret: secret, grant: Grant(.editor))
      .member
    #expect(try !hub.core.hasToWait(member.id))
    for number in 0..<8 {
      try fleet.act([edit(UInt64(number))], in: Self.palette, at: 0, by: AuthorID(member))
    }
    #expect(try hub.core.hasToWait(member.id))
    // What is counted anew is what is there.
    try fleet.carryOut(hub.core.handle(.draining), of: 0)
    let counted = try hub.store.members.written.count(of: member.id)
    #expect(counted > 4_000)
    try hub.store.members.written.recount()
    hub.core.forgetQuotas()
    #expect(try (4_000...counted).contains(hub.store.members.written.count(of: member.id)))
    #expect(try hub.core.hasToWait(member.id))
  }

  @Test func editsThatChangeNothingCountToo() throws {
    let hub = try fleet(role: .editor).members[0]
    let secret = [UInt8](repeating: 7, count: 32)
    let member = try hub.store.members.makeMember(.script, secret: secret, grant: Grant(.editor))
      .member
    let answer = [UInt8](repeating: 0, count: 500)
    for number in 0..<8 as Range<UInt64> {
      _ = hub.core.flush(with: {
        let id = RecordID(high: 1, low: number)
        _ = try? hub.store.remember(id, by: AuthorID(member)) { answer }
        _ = try? hub.store.remember(id, by: .library) { answer }
      })
      #expect(try hub.core.hasToWait(member.id) == (number == 7))
    }
    try hub.store.members.written.recount()
    hub.core.forgetQuotas()
    #expect(try hub.core.hasToWait(member.id))
  }

  @Test func whatAChangeSaysToHaveSeenAndIsNotHereCounts() throws {
    let fleet = try fleet(role: .editor)
    try fleet.act([edit(1)], in: Self.palette, at: 1)
    try fleet.settle()
    #expect(error(fleet) == nil)
    // Of what others made, an editor may push nothing; that it dropped all of it is its own change.
    for node in 100..<150 as Range<UInt64> {
      let change = Edit.add(RecordID(high: 8, low: node), [.note: RegisterValue(text: "x")]).change(
        dot: Dot(NodeID(node), 1),
        stamp: Stamp(milliseconds: 1, counter: 0),
        previous: 0,
        frontier: [:],
        state: RecordState(),
        proof: { _ in 0 }
      )
      try fleet.members[1].store.write { transaction throws(StoreError) in
        _ = try transaction.palette(beginning: Self.palette).merge(change.encoded)
      }
    }
    try fleet.act([.drop(Self.palette)], in: Self.palette, at: 1)
    try fleet.settle()
    #expect(error(fleet)?.code == "over-quota")
  }

  @Test(arguments: [0, 1])
  func aFullDiskTakesNothingOfOthers(_ full: Int) throws {
    let fleet = try fleet(role: .relay)
    try fleet.carryOut(fleet.members[full].core.handle(.room(false)), of: full)
    try fleet.settle()
    try fleet.act([edit(1)], in: Self.palette, at: 1 - full)
    try fleet.settle()
    #expect(try count(fleet, 1 - full) == 1 && count(fleet, full) == 0)
    #expect(error(fleet)?.code == "over-quota")
    try fleet.carryOut(fleet.members[full].core.handle(.room(true)), of: full)
    try fleet.settle()
    #expect(try count(fleet, full) == 1)
    #expect(error(fleet) == nil)
  }

  @Test func nobodyHasMoreConnectionsThanAreForOne() throws {
    let fleet = try fleet(role: .editor)
    let (hub, member) = (fleet.members[0].core, fleet.members[1])
    let hello = Hello(
      node: member.store.node,
      library: member.store.library,
      milliseconds: 0,
      secret: try #require(member.core.peers["member-0"]?.secret)
    )
    var refusals = 0
    for number in 0..<UInt64(hub.connectionsOfMember + 4) {
      let connection = PeerConnectionID(rawValue: 10_000 + number)
      _ = try hub.handle(.accepted(connection))
      let effects = try hub.handle(.received(connection, Frame.hello(hello).encoded))
      for case .close(connection, SyncProtocol.CloseCode.overBudget.rawValue, _) in effects {
        refusals += 1
      }
    }
    // One is the member's own.
    #expect(refusals == 5)
  }
}

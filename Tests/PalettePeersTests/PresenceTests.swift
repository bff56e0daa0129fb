import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteSync
import PaletteTestSupport
import Testing

@testable import PalettePeers

/// Who looks at what, between nodes.
struct PresenceTests {
  private static let palette = PaletteID(RecordID(high: 1, low: 1))
  private static let other = PaletteID(RecordID(high: 2, low: 2))

  private func fleet(_ roles: [(role: Role, palette: PaletteID?)]) throws -> CoreFleet {
    let fleet = try CoreFleet(count: roles.count + 1, seed: 5)
    for palette in [Self.palette, Self.other] {
      let named = Edit.add(palette.record, [.name: RegisterValue(text: "P")])
      try fleet.act([named], in: palette, at: 0)
    }
    for (index, entry) in roles.enumerated() {
      try fleet.join(index + 1, to: 0, role: entry.role, palette: entry.palette)
    }
    try fleet.settle()
    return fleet
  }

  /// Lets what was stated reach everyone.
  private func spread(_ fleet: CoreFleet) throws {
    for _ in 0..<3 {
      fleet.clock.milliseconds += 250
      for member in fleet.members.indices { try fleet.tick(member) }
      try fleet.deliver(limit: 1_000)
    }
  }

  private func names(_ fleet: CoreFleet, at member: Int, of palette: PaletteID) -> [String] {
    fleet.members[member].core.presence.views(of: palette).map(\.name)
  }

  @Test func aHubPassesItOnAndTakesItBack() throws {
    let fleet = try fleet([(.relay, nil), (.relay, nil)])
    fleet.members[1].core.state(7, name: "ann", at: Self.palette)
    try spread(fleet)
    for member in 0..<3 { #expect(names(fleet, at: member, of: Self.palette) == ["ann"]) }
    // The latest wins.
    fleet.members[1].core.state(7, name: "ann", at: Self.other)
    try spread(fleet)
    #expect(names(fleet, at: 2, of: Self.palette) == [])
    #expect(names(fleet, at: 2, of: Self.other) == ["ann"])
    // What a session told of ends with it.
    try fleet.cut(1)
    for _ in 0..<2 {
      fleet.clock.milliseconds += 1
      try fleet.tick(0)
      try fleet.tick(2)
      try fleet.deliver(limit: 1_000)
    }
    #expect(names(fleet, at: 2, of: Self.other) == [])
    #expect(fleet.problems == [])
  }

  @Test func onlyThoseInScopeLearnOfIt() throws {
    let fleet = try fleet([(.relay, nil), (.viewer, Self.palette)])
    fleet.members[1].core.state(7, name: "ann", at: Self.other)
    try spread(fleet)
    #expect(fleet.members[2].core.presence.present.isEmpty)
    fleet.members[1].core.state(7, name: "ann", at: Self.palette)
    try spread(fleet)
    #expect(names(fleet, at: 2, of: Self.palette) == ["ann"])
    fleet.members[1].core.state(7, name: "ann", at: Self.other)
    try spread(fleet)
    #expect(fleet.members[2].core.presence.present.isEmpty)
    // Whoever only reads is seen as well, and no one else through it.
    fleet.members[2].core.state(1, name: "vic", at: Self.palette)
    let stranger = Presence.Who(node: fleet.members[0].store.node, session: 9)
    fleet.members[2].core.presence.update(
      with: Presence(who: stranger, name: "eve", milliseconds: 1, palette: Self.palette),
      from: nil,
      at: fleet.clock.milliseconds
    )
    try spread(fleet)
    #expect(names(fleet, at: 1, of: Self.palette) == ["vic"])
  }

  /// Somebody who hears of an id before its first change could claim it where it is not known yet, and
  /// write in its name.
  @Test func noMemberLearnsOfAnIDThatCanBeClaimed() throws {
    let fleet = try fleet([(.editor, nil), (.editor, nil)])
    let late = try fleet.addMember()
    try fleet.join(late, to: 2, role: .editor)
    try fleet.settle()
    fleet.members[1].core.state(7, name: "ann", at: Self.palette)
    try spread(fleet)
    // The hub knows whose the id is; its editor does not, and tells nobody.
    #expect(names(fleet, at: 2, of: Self.palette) == ["ann"])
    #expect(names(fleet, at: late, of: Self.palette) == [])
    // Nor does it tell those who watch there.
    let ann = Presence.Who(node: fleet.members[1].store.node, session: 7)
    #expect(fleet.members[0].core.shown(ann) == ann)
    #expect(fleet.members[2].core.shown(ann).node != ann.node)
    let other = Edit.set(Self.palette.record, [.name: RegisterValue(text: "Q")])
    try fleet.act([other], in: Self.palette, at: 1)
    try spread(fleet)
    fleet.clock.milliseconds += PresenceTable.refreshMilliseconds
    try spread(fleet)
    #expect(names(fleet, at: late, of: Self.palette) == ["ann"])
    #expect(fleet.members[2].core.shown(ann) == ann)
    fleet.members[1].core.state(7, name: "ann", at: nil)
    try spread(fleet)
    #expect(names(fleet, at: late, of: Self.palette) == [])
  }

  /// A hub that wrote nothing, as most do not, says who it is in its welcome.
  @Test func aHubsOwnViewsReachTheMembersOfItsEditors() throws {
    let fleet = try fleet([(.editor, nil), (.viewer, nil)])
    for hub in 1...2 {
      let member = try fleet.addMember()
      try fleet.join(member, to: hub, role: .editor)
    }
    try fleet.settle()
    try fleet.members[0].store.adoptNewNode()
    try fleet.cut(0)
    try fleet.settle()
    fleet.members[0].core.state(7, name: "page", at: Self.palette)
    try spread(fleet)
    for member in 1...4 { #expect(names(fleet, at: member, of: Self.palette) == ["page"]) }
  }

  @Test func itStaysWhileItIsStatedAndNoLonger() throws {
    let fleet = try fleet([(.relay, nil)])
    fleet.members[1].core.state(7, name: "ann", at: Self.palette)
    for _ in 0..<10 {
      fleet.clock.milliseconds += 15_000
      for member in 0..<2 { try fleet.tick(member) }
      try fleet.deliver(limit: 1_000)
    }
    #expect(names(fleet, at: 0, of: Self.palette) == ["ann"])
    for _ in 0..<5 {
      fleet.clock.milliseconds += 15_000
      try fleet.tick(0)
    }
    #expect(names(fleet, at: 0, of: Self.palette) == [])
  }

  @Test func itGoesOnUnderAnotherNodeID() throws {
    let fleet = try fleet([(.relay, nil)])
    fleet.members[1].core.state(7, name: "ann", at: Self.palette)
    try spread(fleet)
    try fleet.members[1].store.adoptNewNode()
    try spread(fleet)
    try fleet.settle()
    #expect(names(fleet, at: 0, of: Self.palette) == ["ann"])
    #expect(names(fleet, at: 1, of: Self.palette) == ["ann"])
    fleet.members[1].core.state(7, name: "ann", at: nil)
    try spread(fleet)
    #expect(names(fleet, at: 0, of: Self.palette) == [])
  }

  @Test func theEndOfTimeIsNoTime() {
    let table = PresenceTable()
    let who = Presence.Who(node: NodeID(1), session: 1)
    for time in [.max, PresenceTable.endOfTime] {
      let last = Presence(who: who, name: "ann", milliseconds: time, palette: Self.palette)
      table.hear(last, from: PeerConnectionID(rawValue: 1), of: .member(1), at: 0)
      #expect(table.present.isEmpty)
    }
    let late = Presence(
      who: who,
      name: "ann",
      milliseconds: PresenceTable.endOfTime - 1,
      palette: Self.palette
    )
    table.hear(late, from: PeerConnectionID(rawValue: 1), of: .member(1), at: 0)
    #expect(table.present == [late])
    table.end(PeerConnectionID(rawValue: 1), at: 0)
    #expect(table.present.isEmpty)
  }

  @Test func itGoesInNoCircles() {
    let table = PresenceTable()
    let who = Presence.Who(node: NodeID(1), session: 1)
    let first = Presence(who: who, name: "ann", milliseconds: 5, palette: Self.palette)
    table.update(with: first, from: PeerConnectionID(rawValue: 1), at: 0)
    #expect(table.removeNews().count == 1)
    // The same again, or an older one, by another way.
    table.update(with: first, from: PeerConnectionID(rawValue: 2), at: 0)
    table.update(with: first.gone(milliseconds: 4), from: PeerConnectionID(rawValue: 2), at: 0)
    #expect(table.removeNews().isEmpty)
    #expect(table.views(of: Self.palette) == [first])
    for number in 0..<11_000 as Range<UInt64> {
      let crowd = Presence.Who(node: NodeID(2), session: number)
      let view = Presence(who: crowd, name: "x", milliseconds: 1, palette: Self.palette)
      table.update(with: view, from: nil, at: 0)
    }
    #expect(table.present.count == PresenceTable.limit)
  }

  /// States views of a party, each connection its own ones.
  private func state(
    _ count: UInt64,
    of party: Payer,
    node: UInt64,
    connections: UInt64 = 1,
    in table: PresenceTable
  ) {
    for number in 0..<count {
      let who = Presence.Who(node: NodeID(node), session: number)
      let view = Presence(who: who, name: "x", milliseconds: 1, palette: Self.palette)
      let connection = PeerConnectionID(rawValue: node << 8 | number % connections)
      table.hear(view, from: connection, of: party, at: 0)
    }
  }

  private func count(of node: UInt64, in views: [Presence]) -> Int {
    views.count { $0.who.node == NodeID(node) }
  }

  @Test func oneMemberDoesNotTakeTheRoomOfOthersOverManyConnections() {
    let table = PresenceTable()
    state(10_000, of: .member(1), node: 1, connections: 22, in: table)
    state(3, of: .member(3), node: 3, in: table)
    let views = table.present
    #expect(count(of: 1, in: views) == PresenceTable.partyLimit)
    #expect(count(of: 3, in: views) == 3)
    // Watchers are told of a bounded number, of those who state few as well.
    let shown = table.shownViews(of: Self.palette)
    #expect(shown.count == PresenceTable.shownLimit)
    #expect(count(of: 3, in: shown) == 3)
  }

  @Test func aViewThatEndedMakesRoomForOneOfItsMember() {
    let table = PresenceTable()
    state(300, of: .member(1), node: 1, in: table)
    table.end(PeerConnectionID(rawValue: 1 << 8), at: 1)
    #expect(table.present.isEmpty)
    state(300, of: .member(1), node: 2, in: table)
    #expect(count(of: 2, in: table.present) == PresenceTable.partyLimit)
  }

  @Test func whoHasMostGivesUpAViewWhenAllIsFull() {
    let table = PresenceTable()
    for party in 1...45 as ClosedRange<UInt64> {
      state(256, of: .member(Int64(party)), node: party, in: table)
    }
    #expect(table.present.count == PresenceTable.limit)
    state(2, of: .peer("https://hub"), node: 99, in: table)
    #expect(table.present.count == PresenceTable.limit)
    for party in [1, 39, 99] as [UInt64] {
      #expect(count(of: party, in: table.present) >= (party == 99 ? 2 : 200))
    }
  }
}

import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteSync
import PaletteTestSupport
import Testing

@testable import PalettePeers

/// Several grants of one hub, their ends, and what a peer may not cause.
struct MembershipTests {
  private static let first = PaletteID(RecordID(high: 1, low: 1))
  private static let second = PaletteID(RecordID(high: 2, low: 2))

  private func named(_ palette: PaletteID, _ name: String = "P") -> Edit {
    .add(palette.record, [.name: RegisterValue(text: name)])
  }

  private func color(_ number: UInt64) -> Edit {
    .add(
      RecordID(high: 7, low: number),
      [
        .name: RegisterValue(text: "c\(number)"),
        .color: RegisterValue(color: Color(.srgb, 0, 0, 1)), .place: RegisterValue(placeBytes: [9]),
      ]
    )
  }

  /// A hub with two palettes, and whoever joins it.
  private func fleet(_ count: Int = 2, seed: UInt64 = 1) throws -> CoreFleet {
    let fleet = try CoreFleet(count: count, seed: seed)
    for palette in [Self.first, Self.second] {
      try fleet.act([named(palette)], in: palette, at: 0)
    }
    return fleet
  }

  private func count(_ fleet: CoreFleet, _ member: Int, _ palette: PaletteID) throws -> Int {
    try fleet.members[member].store.colors(of: palette).count
  }

  @Test func aSecondPaletteAddsToTheMembership() throws {
    let fleet = try fleet()
    try fleet.join(1, to: 0, role: .editor, palette: Self.first)
    try fleet.settle()
    #expect(try fleet.members[1].store.palettes().map(\.id) == [Self.first])
    try fleet.join(1, to: 0, role: .viewer, palette: Self.second)
    try fleet.settle()
    let core = fleet.members[1].core
    #expect(core.peers.count == 1 && core.connections.count == 1)
    #expect(
      core.peers["member-0"]?.grants == [
        Grant(.editor, on: Self.first), Grant(.viewer, on: Self.second),
      ]
    )
    // Edits of the first still leave, those of the second arrive.
    try fleet.act([color(1)], in: Self.first, at: 1)
    try fleet.act([color(2)], in: Self.second, at: 0)
    try fleet.settle()
    #expect(try count(fleet, 0, Self.first) == 1 && count(fleet, 1, Self.second) == 1)
    #expect(try fleet.members[1].store.pending(of: Self.first, at: ["member-0"]) == 0)
    #expect(
      try Set(fleet.members[0].store.members.grants().compactMap { $0.member?.id }).count == 1
    )
  }

  @Test func aPaletteIsGivenBackAndTheOtherStays() throws {
    let fleet = try fleet()
    for palette in [Self.first, Self.second] {
      try fleet.join(1, to: 0, role: .editor, palette: palette)
      try fleet.settle()
    }
    let core = fleet.members[1].core
    try fleet.carryOut(core.handle(.left(url: "member-0", palette: Self.second)), of: 1)
    try fleet.settle()
    let live = try fleet.members[0].store.members.grants().filter { !$0.grant.isRevoked }
    #expect(live.map(\.grant.grant) == [Grant(.editor, on: Self.first)])
    #expect(core.dialers["member-0"]?.state == .live)
    try fleet.act([color(1)], in: Self.first, at: 1)
    try fleet.act([color(2)], in: Self.second, at: 0)
    try fleet.settle()
    #expect(try count(fleet, 0, Self.first) == 1 && count(fleet, 1, Self.second) == 0)
    // With the last one the membership ends.
    try fleet.carryOut(core.handle(.left(url: "member-0", palette: Self.first)), of: 1)
    try fleet.settle()
    #expect(core.peers.isEmpty && core.connections.ids.isEmpty)
    #expect(try fleet.members[0].store.members.grants().allSatisfy(\.grant.isRevoked))
  }

  @Test(arguments: [false, true])
  func aPaletteIsGivenBackWhenTheHubIsThereAgain(startsAnew: Bool) throws {
    let fleet = try fleet()
    for palette in [Self.first, Self.second] {
      try fleet.join(1, to: 0, role: .editor, palette: palette)
      try fleet.settle()
    }
    fleet.isReachable = false
    try fleet.cut(1)
    let left = NodeEvent.left(url: "member-0", palette: Self.second)
    try fleet.carryOut(fleet.members[1].core.handle(left), of: 1)
    if startsAnew { try fleet.restart(1) }
    fleet.isReachable = true
    try fleet.settle()
    let core = fleet.members[1].core
    #expect(core.dialers["member-0"]?.state == .live)
    let live = try fleet.members[0].store.members.grants().filter { !$0.grant.isRevoked }
    #expect(live.map(\.grant.grant) == [Grant(.editor, on: Self.first)])
    #expect(core.peers["member-0"]?.givenBack == [])
    // It can be had again.
    try fleet.join(1, to: 0, role: .viewer, palette: Self.second)
    try fleet.settle()
    try fleet.act([color(1)], in: Self.second, at: 0)
    try fleet.settle()
    #expect(try count(fleet, 1, Self.second) == 1)
  }

  @Test func aRightEndsInALiveSession() throws {
    let fleet = try fleet()
    let hub = fleet.members[0].store
    let code = [UInt8](repeating: 5, count: 32)
    let end = hub.nowMilliseconds + 30_000
    let grant = Grant(.editor, on: Self.first, expiresMilliseconds: end)
    try hub.members.offer(grant, code: code, codeExpiresMilliseconds: nil)
    let ticket = JoinTicket(
      addresses: ["member-0"],
      code: code,
      grant: Grant(.editor, on: Self.first)
    )
    try fleet.carryOut(fleet.members[1].core.handle(.joined(ticket)), of: 1)
    try fleet.deliver(limit: 1_000)
    let core = fleet.members[1].core
    #expect(core.dialers["member-0"]?.state == .live)
    fleet.clock.milliseconds = end - 1
    try fleet.tick(0)
    try fleet.deliver(limit: 1_000)
    #expect(core.dialers["member-0"]?.state == .live)
    fleet.clock.milliseconds = end + 1_000
    try fleet.tick(0)
    try fleet.deliver(limit: 1_000)
    #expect(core.dialers["member-0"]?.state == .refused)
    #expect(core.dialers["member-0"]?.error?.code == "expired")
  }

  @Test func whoHasOtherRightsLeftComesBackWithThem() throws {
    let fleet = try fleet()
    for palette in [Self.first, Self.second] {
      try fleet.join(1, to: 0, role: .editor, palette: palette)
      try fleet.settle()
    }
    let hub = fleet.members[0].store
    let second = try #require(
      try hub.members.grants().first { $0.grant.grant.palette == Self.second }?.grant.uid
    )
    #expect(try hub.members.revokeGrant(second))
    try fleet.settle()
    let core = fleet.members[1].core
    #expect(core.dialers["member-0"]?.state == .live)
    #expect(core.connections.all.first?.connection.trust.scope == .palettes([Self.first]))
    try fleet.act([color(2)], in: Self.second, at: 0)
    try fleet.settle()
    #expect(try count(fleet, 1, Self.second) == 0)
  }

  /// A session of a member with a hub that says what the test wants.
  private func welcome(_ grants: [Grant], agreed: Grant) throws -> (NodeCore, [NodeEffect]) {
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder)
    let core = try NodeCore(store, random: SeededRandom(seed: 1))
    let connection = PeerConnectionID(rawValue: 1)
    _ = try core.handle(.joined(JoinTicket(addresses: ["hub"], code: [1], grant: agreed)))
    _ = try core.handle(.dialed(connection, url: "hub", address: "hub"))
    let welcome = Welcome(
      version: 1,
      node: NodeID(9),
      library: RecordID(high: 9, low: 9),
      grants: grants,
      milliseconds: 0
    )
    let effects = try core.handle(.received(connection, Frame.welcome(welcome).encoded))
    return (core, effects)
  }

  @Test(arguments: [
    [Grant(.editor)], [Grant(.relay, on: first)], [Grant(.editor, on: second)],
    [Grant(.editor, on: first), Grant(.viewer, on: second)],
  ])
  func aWelcomeThatGrantsMoreIsRefused(grants: [Grant]) throws {
    let (core, effects) = try welcome(grants, agreed: Grant(.editor, on: Self.first))
    #expect(core.dialers["hub"]?.state == .refused)
    #expect(core.dialers["hub"]?.error?.code == "scope-changed")
    // Nothing was exchanged, and nothing of it is kept.
    #expect(
      !effects.contains {
        if case .send = $0 { true } else if case .sendShared = $0 { true } else { false }
      }
    )
    #expect(core.peers["hub"]?.grants == [Grant(.editor, on: Self.first)])
    #expect(core.peers["hub"]?.code == [1])
  }

  @Test func aWelcomeMayGrantLess() throws {
    let less = [Grant(.viewer, on: Self.first, expiresMilliseconds: 1 << 50)]
    let (core, _) = try welcome(less, agreed: Grant(.editor))
    #expect(core.dialers["hub"]?.state == .live)
    #expect(core.connections.all.first?.connection.trust == .hub(less))
  }

  @Test func aClockOfWhoMayNotVoteChangesNothing() throws {
    for role in [Role.viewer, .editor] {
      let fleet = try fleet(4)
      for member in 1...3 {
        fleet.members[member].skew.milliseconds = 200 * 365 * 86_400_000
        try fleet.join(member, to: 0, role: role)
      }
      try fleet.settle()
      #expect(fleet.members[0].store.clockOffsetMilliseconds == 0)
    }
  }

  @Test func aLibraryHasOneVoteOnTheClock() throws {
    let fleet = try fleet(3)
    for member in 1...2 { try fleet.join(member, to: 0, role: .relay) }
    try fleet.settle()
    // Many connections of the one whose clock is wrong do not outvote the other.
    let core = fleet.members[0].core
    let wrong = fleet.members[1].store
    for number in 0..<5 as Range<UInt64> {
      let connection = PeerConnectionID(rawValue: 1_000 + number)
      _ = try core.handle(.accepted(connection))
      let hello = Hello(
        node: wrong.node,
        library: wrong.library,
        milliseconds: UInt64(fleet.clock.milliseconds + 10 * 365 * 86_400_000),
        secret: try #require(fleet.members[1].core.peers["member-0"]?.secret)
      )
      _ = try core.handle(.received(connection, Frame.hello(hello).encoded))
    }
    #expect(fleet.members[0].store.clockOffsetMilliseconds == 0)
  }

  /// Whose ids a member knows: nobody but the hub says so of itself.
  private func libraries(boundAt member: Int, _ fleet: CoreFleet) throws -> Set<RecordID> {
    Set(try fleet.members[member].store.bindings.all().map(\.library))
  }

  @Test func idsAreToldAmongMachinesOfTheSamePeople() throws {
    let fleet = try fleet(4)
    // 0 and 1 are hubs that know each other; 2 is a member of both, and 3 sees none of it.
    try fleet.join(1, to: 0, role: .relay)
    try fleet.join(3, to: 0, role: .editor, palette: Self.first)
    try fleet.join(2, to: 0, role: .editor, palette: Self.first)
    try fleet.settle()
    try fleet.act([color(1)], in: Self.first, at: 2)
    try fleet.settle()
    let node = fleet.members[2].store.node
    try fleet.join(2, to: 1, role: .editor, palette: Self.first)
    try fleet.settle()
    #expect(fleet.members[2].store.node == node)
    try fleet.act([color(2)], in: Self.first, at: 2)
    try fleet.settle()
    #expect(try count(fleet, 1, Self.first) == 2)
    #expect(try libraries(boundAt: 3, fleet) == [fleet.members[0].store.library])
  }

  @Test func whatAMemberClaimsIsNoMoreThanThat() throws {
    let fleet = try fleet(4)
    // 0 and 1 are hubs that know each other; 2 edits at 1, and 3 at 0, where it says to be 2.
    try fleet.join(1, to: 0, role: .relay)
    try fleet.join(2, to: 1, role: .editor, palette: Self.first)
    try fleet.settle()
    try fleet.join(2, to: 1, role: .editor, palette: Self.first)
    try fleet.join(3, to: 0, role: .editor, palette: Self.first)
    try fleet.settle()
    let (hub, victim, liar) = (fleet.members[0].store, fleet.members[2], fleet.members[3])
    let node = victim.store.node
    #expect(try hub.bindings.claim([node], for: liar.store.library) == [node])
    let before = try #require(fleet.members[3].core.connections.ids.first)
    try fleet.act([color(1)], in: Self.first, at: 2)
    try fleet.settle()
    #expect(try hub.bindings.library(of: node) == victim.store.library)
    #expect(try count(fleet, 0, Self.first) == 1 && count(fleet, 3, Self.first) == 1)
    #expect(fleet.members[3].core.connections[before] == nil)
    // Once something stands under an id, what relays say of it changes nothing.
    try hub.bindings.learn([(node, liar.store.library)])
    #expect(try hub.bindings.library(of: node) == victim.store.library)
  }

  @Test func anIDThatARelayToldOfIsTheConnectedMembers() throws {
    let fleet = try fleet(3)
    try fleet.join(1, to: 0, role: .relay)
    try fleet.join(2, to: 0, role: .editor)
    try fleet.settle()
    let core = fleet.members[0].core
    func connection(to member: Int) throws -> PeerConnectionID {
      let library = fleet.members[member].store.library
      return try #require(core.connections.all.first { $0.connection.peer?.library == library }).id
    }
    let editor = try connection(to: 2)
    let binding = Frame.Binding(node: NodeID(99), library: fleet.members[2].store.library)
    let told = Frame.bindings([binding]).encoded
    try fleet.carryOut(core.handle(.received(connection(to: 1), told)), of: 0)
    #expect(core.connections[editor]?.trust.isBound(NodeID(99)) == true)
  }

  @Test func aFailedLookAtRightsLetsNobodyStay() throws {
    let fleet = try fleet()
    try fleet.join(1, to: 0, role: .editor)
    try fleet.settle()
    let (core, hub) = (fleet.members[0].core, fleet.members[0].store)
    let path = fleet.members[0].library.folder.databasePath
    let other = try DatabaseConnection(path: path, mode: .readWrite(create: false))
    let grant = try #require(try hub.members.grants().first?.grant.uid)
    #expect(try hub.members.revokeGrant(grant))
    // The grants cannot be read for a moment.
    try other.execute("ALTER TABLE granted RENAME TO away")
    #expect(throws: StoreError.self) { try core.checkRights() }
    try other.execute("ALTER TABLE away RENAME TO granted")
    #expect(core.connections.count == 1)
    fleet.clock.milliseconds += 2_000
    try fleet.tick(0)
    #expect(core.connections.all.allSatisfy { $0.connection.peer == nil })
  }

  @Test func anIDThatACopyOfTheLibraryBroughtIsTheEditorsToo() throws {
    let fleet = try fleet()
    try fleet.join(1, to: 0, role: .editor)
    try fleet.settle()
    let (core, hub) = (fleet.members[0].core, fleet.members[0].store)
    let library = fleet.members[1].store.library
    let editor = try #require(core.connections.all.first { $0.connection.peer?.library == library })
      .id
    // The copy named it in its hello, on a connection of its own.
    #expect(try hub.bindings.claim([NodeID(99)], for: library) == [NodeID(99)])
    let told = Frame.bindings([Frame.Binding(node: NodeID(99), library: library)]).encoded
    try fleet.carryOut(core.handle(.received(editor, told)), of: 0)
    #expect(core.connections[editor]?.trust.isBound(NodeID(99)) == true)
  }

  @Test func whoEditsThroughAnEditorsNodeIsLetIn() throws {
    let fleet = try fleet(3)
    // More than a hello names, and one who comes while the connection lasts.
    for author in 1...70 {
      try fleet.act([named(Self.first)], in: Self.first, at: 1, by: AuthorID(Int64(author)))
    }
    try fleet.join(1, to: 0, role: .editor, palette: Self.first)
    try fleet.join(2, to: 0, role: .viewer, palette: Self.first)
    try fleet.settle()
    let held = try fleet.members[0].store.frontier(of: Self.first)
    #expect(fleet.members[1].store.identities.dropFirst().allSatisfy { held[$0] != nil })
    let connections = fleet.members[1].core.connections.ids
    try fleet.act([color(1)], in: Self.first, at: 1, by: AuthorID(71))
    try fleet.deliver(limit: 10_000)
    #expect(try count(fleet, 0, Self.first) == 1)
    #expect(fleet.members[1].core.connections.ids == connections)
    #expect(fleet.problems.isEmpty)
    #expect(try libraries(boundAt: 2, fleet) == [fleet.members[0].store.library])
  }

  @Test func whoEndsIsLeftAloneForAsLongAsItAsks() throws {
    let fleet = try fleet()
    try fleet.join(1, to: 0)
    try fleet.settle()
    let core = fleet.members[1].core
    try fleet.carryOut(fleet.members[0].core.handle(.draining), of: 0)
    try fleet.deliver(limit: 1_000)
    let dialer = try #require(core.dialers["member-0"])
    #expect(dialer.state == .offline)
    #expect(dialer.nextAttemptMilliseconds >= fleet.members[1].store.nowMilliseconds + 1_000)
    // Nobody is believed who asks for longer than a peer waits anyway.
    #expect(DialBook.backoffMilliseconds.upperBound < 600_000)
  }

  @Test func anIDTakenWhileGreetingIsToldToo() throws {
    let fleet = try fleet()
    try fleet.join(1, to: 0, role: .editor, palette: Self.first)
    try fleet.settle()
    try fleet.cut(1)
    fleet.clock.milliseconds += 40_000
    try fleet.tick(1)
    try fleet.act([color(1)], in: Self.first, at: 1, by: AuthorID(71))
    try fleet.deliver(limit: 10_000)
    #expect(try count(fleet, 0, Self.first) == 1)
    #expect(fleet.problems.isEmpty)
  }

  @Test func nobodyTakesMoreIDsThanAreLetInAtATime() throws {
    let fleet = try fleet(3)
    try fleet.join(1, to: 0, role: .editor, palette: Self.first)
    try fleet.join(2, to: 0, role: .viewer, palette: Self.first)
    try fleet.settle()
    let hub = fleet.members[0].store
    let (own, viewer) = (fleet.members[1].store.library, fleet.members[2].store.library)
    let taken = NodeID(77)
    func tell(_ library: RecordID, _ ids: ClosedRange<UInt64>, from member: Int) throws {
      let peer = fleet.members[member].store.node
      let connections = fleet.members[0].core.connections.all
      let connection = try #require(connections.first { $0.connection.peer?.node == peer }?.id)
      let bindings = ids.map { Frame.Binding(node: NodeID($0), library: library) }
      let frame = Frame.bindings(bindings).encoded
      try fleet.carryOut(fleet.members[0].core.handle(.received(connection, frame)), of: 0)
    }
    // Not those of others, nor as a viewer, nor the hub's own.
    try tell(viewer, 77...77, from: 1)
    try tell(viewer, 77...77, from: 2)
    #expect(try hub.bindings.all().allSatisfy { $0.node != taken })
    try tell(own, hub.node.rawValue...hub.node.rawValue, from: 1)
    #expect(try hub.bindings.all().allSatisfy { $0.node != hub.node })
    try tell(own, 77...77, from: 1)
    #expect(try hub.bindings.all().contains { $0.node == taken && $0.library == own })
    let before = try hub.bindings.all().count
    for first in stride(from: UInt64(1_000), to: 2_000, by: 50) {
      try tell(own, first...first + 49, from: 1)
    }
    #expect(try hub.bindings.all().count <= before + BindingTable.unusedBindings)
  }
}

import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteSync
import PaletteTestSupport
import Testing

@testable import PalettePeers

/// What a core commits together, and whose turn it is.
struct CommittingTests {
  private static let palette = PaletteID(RecordID(high: 1, low: 1))

  private func color(_ number: Int, of author: UInt64) -> Edit {
    .add(
      RecordID(high: 10 + author, low: UInt64(number)),
      [
        .name: RegisterValue(text: "c\(number)"),
        .color: RegisterValue(color: Color(.srgb, 0, 0, 1)),
        .place: RegisterValue(placeBytes: [UInt8(1 + number % 200)]),
      ]
    )
  }

  private func fleet(count: Int) throws -> CoreFleet {
    let fleet = try CoreFleet(count: count, seed: 11)
    let named = Edit.add(Self.palette.record, [.name: RegisterValue(text: "P")])
    try fleet.act([named], in: Self.palette, at: 0)
    for member in 1..<count { try fleet.join(member, to: 0) }
    try fleet.settle()
    return fleet
  }

  @Test func whatPeersHoldGoesAlongWithCommits() throws {
    let fleet = try fleet(count: 2)
    let store = fleet.members[1].store
    let before = store.commitCount
    for number in 0..<50 {
      try fleet.act([color(number, of: 1)], in: Self.palette, at: 1)
      try fleet.deliver(limit: 1_000)
    }
    // The clock stands still, so no acknowledgement is worth a transaction of its own.
    #expect(store.commitCount == before + 50)
    #expect(try store.pending(of: Self.palette, at: ["member-0"]) == 50)
    fleet.clock.milliseconds += HeldReportBuffer.delayMilliseconds
    try fleet.tick(1)
    #expect(store.commitCount == before + 51)
    #expect(try store.pending(of: Self.palette, at: ["member-0"]) == 0)
  }

  @Test func snapshotsThatCameTogetherShareACommit() throws {
    let fleet = try CoreFleet(count: 2, seed: 12)
    let palettes = (1...20).map { PaletteID(RecordID(high: 2, low: $0)) }
    let hub = fleet.members[0].store
    for palette in palettes {
      try fleet.act([.add(palette.record, [.name: RegisterValue(text: "A")])], in: palette, at: 0)
      try fleet.act([.set(palette.record, [.name: RegisterValue(text: "B")])], in: palette, at: 0)
      // So the log has a hole, and only a snapshot has what a new peer lacks.
      _ = try hub.compact(palette, beforeMilliseconds: .max)
    }
    let member = fleet.members[1]
    fleet.flushes = false
    try fleet.join(1, to: 0)
    // The hub has its turns, and the member none.
    for _ in 0..<8 {
      try fleet.deliver(limit: 1_000)
      try fleet.carryOut(fleet.members[0].core.flush(), of: 0)
    }
    let before = member.store.commitCount
    #expect(member.core.nextFlushMilliseconds == 0)
    try fleet.carryOut(member.core.flush(), of: 1)
    #expect(member.store.commitCount == before + 1)
    #expect(try member.store.digest() == hub.digest())
    fleet.flushes = true
    try fleet.settle()
    #expect(fleet.problems.isEmpty)
    #expect(try member.store.summary(of: palettes[7])?.name == "B")
  }

  @Test func editsAndChangesOfPeersShareACommit() throws {
    let fleet = try fleet(count: 3)
    let hub = fleet.members[0]
    let before = hub.store.commitCount
    fleet.flushes = false
    try fleet.act([color(1, of: 1)], in: Self.palette, at: 1)
    try fleet.act([color(2, of: 2)], in: Self.palette, at: 2)
    try fleet.deliver(limit: 1_000)
    let (effects, failure) = hub.core.flush {
      #expect(throws: Never.self) {
        try hub.store.act([color(3, of: 3)], in: Self.palette)
        try hub.store.act([color(4, of: 3)], in: Self.palette)
      }
    }
    #expect(failure == nil)
    #expect(hub.store.commitCount == before + 1)
    try fleet.carryOut(effects, of: 0)
    fleet.flushes = true
    try fleet.settle()
    for member in fleet.members {
      #expect(try member.store.colors(of: Self.palette).count == 4)
      #expect(try member.store.digest() == hub.store.digest())
    }
  }

  @Test func mergingIsPaidByThoseWhoSentWhatIsMerged() throws {
    let fleet = try fleet(count: 2)
    let editor = try fleet.addMember()
    try fleet.join(editor, to: 0, role: .editor)
    try fleet.settle()
    let hub = fleet.members[0]
    fleet.flushes = false
    try fleet.act([color(1, of: 1), color(2, of: 1)], in: Self.palette, at: 1)
    try fleet.act((3...5).map { color($0, of: 2) }, in: Self.palette, at: editor)
    try fleet.deliver(limit: 1_000)
    let outcome = hub.core.flush {
      #expect(throws: Never.self) { try hub.store.act([color(9, of: 3)], in: Self.palette) }
    }
    try fleet.carryOut(outcome.effects, of: 0)
    let library = fleet.members[editor].store.library
    let members = try hub.store.members.grants().compactMap(\.member)
    let id = try #require(members.first { $0.library == library }?.id)
    // What a machine of the same people carries is nobody's share.
    #expect(hub.core.workload.shares == [.owner: 2, .member(id): 3])
    #expect(hub.core.workload.changesMadeHere == 1)
    _ = hub.core.flush()
    #expect(hub.core.workload.shares.isEmpty)
    fleet.flushes = true
    try fleet.settle()
  }

  @Test func whatSharesACommitAllReachesAPeerThatTakesNoMoreForNow() throws {
    let fleet = try fleet(count: 3)
    let hub = fleet.members[0]
    for connection in hub.core.connections.ids {
      try fleet.carryOut(hub.core.handle(.congested(connection)), of: 0)
    }
    fleet.flushes = false
    try fleet.act([color(1, of: 1)], in: Self.palette, at: 1)
    try fleet.deliver(limit: 1_000)
    let (effects, _) = hub.core.flush {
      #expect(throws: Never.self) { try hub.store.act([color(2, of: 3)], in: Self.palette) }
    }
    try fleet.carryOut(effects, of: 0)
    fleet.flushes = true
    for connection in hub.core.connections.ids {
      try fleet.carryOut(hub.core.handle(.drained(connection)), of: 0)
    }
    try fleet.settle()
    for member in fleet.members {
      #expect(try member.store.digest() == hub.store.digest())
    }
  }

  @Test func whatWasDecidedBeforeAFailureIsDone() throws {
    let fleet = try fleet(count: 3)
    let hub = fleet.members[0]
    let path = hub.library.folder.databasePath
    let other = try DatabaseConnection(path: path, mode: .readWrite(create: false))
    let grant = try #require(try hub.store.members.grants().first?.grant.uid)
    #expect(try hub.store.members.revokeGrant(grant))
    try hub.store.act([color(1, of: 3)], in: Self.palette)
    // Peers are told of the color, and then the grants cannot be read for a moment.
    try other.execute("ALTER TABLE granted RENAME TO away")
    fleet.clock.milliseconds += 2_000
    #expect(throws: StoreError.self) { try fleet.tick(0) }
    try other.execute("ALTER TABLE away RENAME TO granted")
    try fleet.tick(0)
    try fleet.deliver(limit: 1_000)
    let counts = try fleet.members.map { try $0.store.colors(of: Self.palette).count }
    #expect(counts.count(where: { $0 == 1 }) >= 2)
  }

  @Test func sessionsBeginAnewWhereTheLibraryFailsThem() throws {
    let fleet = try fleet(count: 3)
    let hub = fleet.members[0]
    try hub.store.act([color(1, of: 3)], in: Self.palette)
    // Nobody is told of it.
    _ = hub.store.removeCommitted()
    hub.core.orBeginAnew { throw StoreError(code: .inputOutput, message: "a read failed") }
    #expect(hub.core.connections.count == 0)
    try fleet.settle()
    #expect(fleet.problems.contains { $0.contains("a read failed") })
    for member in fleet.members {
      #expect(try member.store.digest() == hub.store.digest())
    }
  }

  @Test func aLongCatchUpSharesACommit() throws {
    let fleet = try fleet(count: 2)
    try fleet.cut(0)
    for number in 0..<2_000 {
      try fleet.members[1].store.act([color(number, of: 1)], in: Self.palette)
      try fleet.members[0].store.act([color(number, of: 2)], in: Self.palette)
    }
    let before = fleet.members.map(\.store.commitCount)
    try fleet.settle()
    for (member, before) in zip(fleet.members, before) {
      // What was written beside: that the peer is there, and what it said to hold.
      #expect(member.store.commitCount - before < 12)
      #expect(try member.store.digest() == fleet.members[0].store.digest())
      #expect(try member.store.colors(of: Self.palette).count == 4_000)
    }
  }

  @Test func whatIsPushedLeavesBeforeALongMerge() throws {
    let fleet = try fleet(count: 2)
    let hub = fleet.members[0]
    try fleet.cut(1)
    let counts = (own: 9_000, peers: 2 * MergeBatcher.longCount)
    try fleet.act((0..<counts.own).map { color($0, of: 1) }, in: Self.palette, at: 0)
    try fleet.act((0..<counts.peers).map { color($0, of: 2) }, in: Self.palette, at: 1)
    fleet.flushes = false
    _ = try fleet.connection(of: 1)
    // The peer sends all that it has, and all of it arrives.
    repeat {
      try fleet.deliver(limit: 1_000)
      try fleet.carryOut(fleet.members[1].core.flush(), of: 1)
    } while fleet.members[1].core.isPushing
    try fleet.deliver(limit: 1_000)
    var pushes = 0
    while hub.core.isPushing {
      pushes += 1
      try fleet.carryOut(hub.core.flush(), of: 0)
      #expect(try hub.store.colors(of: Self.palette).count == counts.own)
    }
    #expect(pushes > 1)
    #expect(hub.core.nextFlushMilliseconds == 0)
    try fleet.carryOut(hub.core.flush(), of: 0)
    #expect(try hub.store.colors(of: Self.palette).count == counts.own + counts.peers)
    fleet.flushes = true
    try fleet.settle()
    #expect(try hub.store.digest() == fleet.members[1].store.digest())
  }

  @Test func aLiveEditDoesNotWaitForACatchUp() throws {
    let fleet = try fleet(count: 3)
    let hub = fleet.members[0]
    try fleet.cut(1)
    for number in 0..<1_000 {
      try fleet.members[1].store.act([color(number, of: 1)], in: Self.palette)
    }
    fleet.flushes = false
    _ = try fleet.connection(of: 1)
    // Neither the last frame of the catch-up nor the time that it may wait has come.
    try fleet.deliver(limit: 1_000)
    try fleet.carryOut(hub.core.flush(), of: 0)
    let merged = try hub.store.colors(of: Self.palette).count
    try fleet.act([color(1, of: 2)], in: Self.palette, at: 2)
    try fleet.deliver(limit: 1_000)
    try fleet.carryOut(hub.core.flush(), of: 0)
    #expect(try hub.store.record(RecordID(high: 12, low: 1), in: Self.palette) != nil)
    fleet.flushes = true
    try fleet.settle()
    #expect(merged <= 1_000)
    #expect(try hub.store.colors(of: Self.palette).count == 1_001)
    for member in fleet.members { #expect(try member.store.digest() == hub.store.digest()) }
  }

  @Test func aFloodOfChangesLeavesRoomForOthers() throws {
    let fleet = try fleet(count: 4)
    let hub = fleet.members[0]
    fleet.flushes = false
    // As much as each may send before something is merged.
    let flood = MergeQueue.changesPerTurn / 2 + 900
    for member in [1, 3] {
      try fleet.act((0..<flood).map { color($0, of: UInt64(member)) }, in: Self.palette, at: member)
    }
    try fleet.act([color(1, of: 2)], in: Self.palette, at: 2)
    try fleet.deliver(limit: 100_000)
    try fleet.carryOut(hub.core.flush(), of: 0)
    let calm = RecordID(high: 12, low: 1)
    #expect(try hub.store.record(calm, in: Self.palette) != nil)
    let merged = try hub.store.colors(of: Self.palette).count
    #expect(merged > 1 && merged <= MergeQueue.changesPerTurn)
    #expect(hub.core.nextFlushMilliseconds == 0)
    fleet.flushes = true
    try fleet.settle()
    for member in fleet.members {
      #expect(try member.store.colors(of: Self.palette).count == 2 * flood + 1)
    }
    #expect(hub.core.nextFlushMilliseconds == nil)
  }
}

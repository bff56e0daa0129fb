import PaletteMerge
import PaletteModel
import PalettePeers
import PaletteStore
import PaletteSync
import PaletteTestSupport
import Testing

/// Node cores on real stores: joining, editing, cutting, restarting, revoking.
struct NodeCoreTests {
  static let palette = PaletteID(RecordID(high: 1, low: 1))

  private let named = Edit.add(palette.record, [.name: RegisterValue(text: "P")])

  private func color(_ number: Int) -> Edit {
    .add(
      RecordID(high: 7, low: UInt64(number)),
      [
        .name: RegisterValue(text: "c\(number)"),
        .color: RegisterValue(color: Color(.srgb, 0, 0, 1)),
        .place: RegisterValue(placeBytes: [UInt8(1 + number % 200)]),
      ]
    )
  }

  private func rename(_ number: Int, _ name: String) -> Edit {
    .set(RecordID(high: 7, low: UInt64(number)), [.name: RegisterValue(text: name)])
  }

  private func expectEqual(_ fleet: CoreFleet, _ comment: Comment) throws {
    let digests = try Set(fleet.members.map { try $0.store.digest() })
    #expect(digests.count == 1, comment)
    #expect(try fleet.members[0].store.colors(of: Self.palette).isEmpty == false, comment)
    for member in fleet.members {
      for url in member.core.peers.keys {
        #expect(try member.store.pending(of: Self.palette, at: [url]) == 0, comment)
      }
    }
  }

  @Test(arguments: TestSeeds.some(of: 15))
  func aHubConnectsEveryone(seed: UInt64) throws {
    let fleet = try CoreFleet(count: 3, seed: seed)
    try fleet.act([named], in: Self.palette, at: 0)
    try fleet.join(1, to: 0)
    try fleet.join(2, to: 0)
    try fleet.settle()
    for number in 0..<30 {
      try fleet.act([color(number)], in: Self.palette, at: number % 3)
      if number % 5 == 0 { try fleet.act([rename(0, "n\(number)")], in: Self.palette, at: 2) }
      try fleet.deliver(limit: number % 7)
      if number == 10 { try fleet.cut(1) }
      if number == 20 { try fleet.restart(0) }
    }
    try fleet.settle()
    try expectEqual(fleet, "replay with seed \(seed)")
    #expect(fleet.problems == [], "replay with seed \(seed)")
    for member in fleet.members {
      #expect(try member.store.colors(of: Self.palette).count == 30, "replay with seed \(seed)")
    }
  }

  @Test(arguments: TestSeeds.some(of: 8))
  func aHubRestoredFromABackupIsHealed(seed: UInt64) throws {
    let fleet = try CoreFleet(count: 3, seed: seed)
    let backups = try TemporaryLibrary()
    try fleet.act([named], in: Self.palette, at: 0)
    try fleet.join(1, to: 0)
    try fleet.join(2, to: 0)
    try fleet.settle()
    try fleet.act([color(0), color(1)], in: Self.palette, at: 0)
    try fleet.settle()
    try backups.folder.create()
    let file = backups.folder.file("backup")
    _ = try fleet.members[0].store.backup(to: file)
    for number in 2..<20 { try fleet.act([color(number)], in: Self.palette, at: number % 3) }
    try fleet.settle()
    let before = fleet.members[0].store.node
    try fleet.restart(0) { folder in
      _ = try ChangeStore.recover(folder, from: file, timestamp: "now")
    }
    #expect(fleet.members[0].store.node != before)
    try fleet.act([color(20)], in: Self.palette, at: 0)
    try fleet.settle()
    try expectEqual(fleet, "replay with seed \(seed)")
    #expect(try fleet.members[0].store.colors(of: Self.palette).count == 21)
  }

  @Test func aCodeIsForOneLibraryAndComesBackWithItsOwnSecret() throws {
    let fleet = try CoreFleet(count: 3, seed: 1)
    try fleet.act([named, color(1)], in: Self.palette, at: 0)
    try fleet.join(1, to: 0, role: .editor)
    try fleet.settle()
    let first = try #require(fleet.members[1].core.peers["member-0"])
    let member = try #require(try fleet.members[0].store.members.grants().first?.member)
    #expect(member.library == fleet.members[1].store.library)
    #expect(first.secret.count == 32 && first.code == [])
    // The secret is of no use to anyone else.
    try fleet.members[2].store.peers.save(
      StoredPeer(
        url: "member-0",
        addresses: ["member-0"],
        secret: first.secret,
        grants: [Grant(.editor)]
      )
    )
    try fleet.restart(2)
    try fleet.settle()
    #expect(fleet.members[2].core.dialers["member-0"]?.state == .refused)
    #expect(try fleet.members[2].store.digest() == .zero)
    // The rightful owner comes back after a restart.
    try fleet.restart(1)
    try fleet.act([color(2)], in: Self.palette, at: 0)
    try fleet.settle()
    #expect(try fleet.members[1].store.colors(of: Self.palette).count == 2)
  }

  @Test func revokingEndsALiveSession() throws {
    let fleet = try CoreFleet(count: 2, seed: 2)
    try fleet.act([named, color(1)], in: Self.palette, at: 0)
    try fleet.join(1, to: 0)
    try fleet.settle()
    #expect(fleet.members[1].core.dialers["member-0"]?.state == .live)
    try fleet.revoke(1, at: 0)
    try fleet.settle()
    #expect(fleet.members[1].core.dialers["member-0"]?.state == .refused)
    // Asking again and again would not change the answer.
    let refusals = fleet.problems.count
    for _ in 0..<20 {
      fleet.clock.milliseconds += 250
      try fleet.tick(1)
    }
    #expect(fleet.problems.count - refusals <= 2)
    try fleet.act([color(2)], in: Self.palette, at: 1)
    try fleet.settle()
    #expect(try fleet.members[0].store.colors(of: Self.palette).count == 1)
    #expect(try fleet.members[1].store.pending(of: Self.palette, at: ["member-0"]) == 1)
  }

  @Test func aPaletteIsSharedAlone() throws {
    let fleet = try CoreFleet(count: 2, seed: 3)
    let other = PaletteID(RecordID(high: 2, low: 2))
    try fleet.act([named, color(1)], in: Self.palette, at: 0)
    try fleet.act(
      [.add(other.record, [.name: RegisterValue(text: "Q")])],
      in: other,
      at: 0
    )
    try fleet.join(1, to: 0, role: .editor, palette: Self.palette)
    try fleet.settle()
    #expect(try fleet.members[1].store.palettes().map(\.id) == [Self.palette])
    try fleet.act([color(2)], in: Self.palette, at: 1)
    try fleet.act([color(3)], in: other, at: 1)
    try fleet.settle()
    #expect(try fleet.members[0].store.colors(of: Self.palette).count == 2)
    #expect(try fleet.members[0].store.frontier(of: other).count == 1)
  }
}

import Foundation
import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteSync
import PaletteTestSupport
import Testing

@testable import PalettePeers

/// Fleets that heal by themselves what copies of disks, rights and refusals do to them.
struct HealingTests {
  static let palette = PaletteID(RecordID(high: 1, low: 1))

  /// A fleet in which every committed edit is remembered.
  private final class Fleet {
    let cores: CoreFleet
    let seed: UInt64
    var random: SeededRandom
    /// The records that were added, and the last name that each was given.
    private(set) var names: [RecordID: String] = [:]
    private var count = 0

    init(_ count: Int, seed: UInt64, palettes: [PaletteID] = [palette]) throws {
      self.seed = seed
      random = SeededRandom(seed: ~seed)
      cores = try CoreFleet(count: count, seed: seed)
      for palette in palettes {
        let edit = Edit.add(palette.record, [.name: RegisterValue(text: "P")])
        try cores.act([edit], in: palette, at: 0)
      }
    }

    /// Adds a color, which must never be lost.
    @discardableResult
    func add(at member: Int, in palette: PaletteID = palette) throws -> RecordID {
      count += 1
      let record = RecordID(high: 7, low: UInt64(count))
      names[record] = "c\(count)"
      let edit = Edit.add(
        record,
        [
          .name: RegisterValue(text: "c\(count)"),
          .color: RegisterValue(color: Color(.srgb, 0, 0, 1)),
          .place: RegisterValue(placeBytes: [UInt8(1 + count % 200)]),
        ]
      )
      try cores.act([edit], in: palette, at: member)
      return record
    }

    /// Renames something that the member sees, so that changes see each other.
    func rename(at member: Int, in palette: PaletteID = palette) throws {
      let known = try cores.members[member].store.colors(of: palette).map(\.color.id)
      guard let record = known.randomElement(using: &random) else { return }
      count += 1
      names[record] = "r\(count)"
      let edit = Edit.set(record, [.name: RegisterValue(text: "r\(count)")])
      try cores.act([edit], in: palette, at: member)
    }

    func edit(at member: Int, count: Int) throws {
      for _ in 0..<count {
        if random.chance(0.6) { try add(at: member) } else { try rename(at: member) }
      }
    }

    var comment: Comment { "replay with seed \(seed)" }

    /// Everyone shows every color that was ever added, nothing is pending, and nobody complains.
    func expectWhole(in palettes: [PaletteID] = [palette]) throws {
      #expect(try Set(cores.members.map { try $0.store.digest() }).count == 1, comment)
      for member in cores.members {
        var shown: Set<RecordID> = []
        for palette in palettes {
          shown.formUnion(try member.store.colors(of: palette).map(\.color.id))
          #expect(try member.store.verify(palette) == [], comment)
          for url in member.core.peers.keys {
            #expect(try member.store.pending(of: palette, at: [url]) == 0, comment)
            #expect(try member.core.withheld(at: url) == 0, comment)
          }
        }
        #expect(shown == Set(names.keys), comment)
        for dialer in member.core.dialers.values {
          #expect(dialer.state == .live, "\(dialer.error?.text ?? ""), \(comment)")
        }
      }
    }

    /// Every name that was ever given is still in someone's history, and so in everyone's.
    func expectHistory(of texts: Set<String>, in palette: PaletteID = palette) throws {
      for member in cores.members {
        let changes = try #require(try member.store.changes(of: palette))
        let given = try changes.flatMap { bytes in
          try Change(decoding: bytes, in: palette).writes.compactMap(\.value.text)
        }
        #expect(texts.isSubset(of: given), comment)
      }
    }
  }

  private static let star: @Sendable (Int) -> [(Int, Int)] = { count in
    (1..<count).map { ($0, 0) }
  }
  private static let chain: @Sendable (Int) -> [(Int, Int)] = { count in
    (1..<count).map { ($0, $0 - 1) }
  }

  @Test(arguments: TestSeeds.some(of: 24))
  func aNodeThatIsRolledBackInPlaceKeepsBothBranches(seed: UInt64) throws {
    let fleet = try Fleet(4, seed: seed)
    let connections = seed % 2 == 0 ? Self.star(4) : Self.chain(4)
    for (dialer, acceptor) in connections {
      try fleet.cores.join(dialer, to: acceptor, role: seed % 3 == 0 ? .owner : .relay)
    }
    try fleet.cores.settle()
    for _ in 0..<6 { try fleet.edit(at: Int.random(in: 0..<4, using: &fleet.random), count: 1) }
    try fleet.cores.settle()
    // The hub, an end or the middle.
    let member = Int(seed / 2 % 4)
    for round in 0..<2 {
      let image = try fleet.cores.image(of: member)
      try fleet.cores.settle()
      let node = fleet.cores.members[member].store.node
      try fleet.edit(at: member, count: Int.random(in: 1..<6, using: &fleet.random))
      try fleet.cores.settle()
      // A third node goes on from what will be forgotten.
      try fleet.edit(at: (member + 1) % 4, count: 2)
      try fleet.cores.settle()
      try fleet.cores.rollBack(member, to: image)
      #expect(fleet.cores.members[member].store.node == node, fleet.comment)
      try fleet.edit(at: member, count: Int.random(in: 0..<8, using: &fleet.random))
      if round == 1 { try fleet.edit(at: (member + 2) % 4, count: 1) }
      try fleet.cores.settle()
      try fleet.expectWhole()
      #expect(fleet.cores.members[member].store.node != node, fleet.comment)
    }
    try fleet.expectHistory(of: Set(fleet.names.values))
  }

  @Test(arguments: TestSeeds.some(of: 12))
  func severalPalettesOfARolledBackNodeHealOneByOne(seed: UInt64) throws {
    let palettes = (1...4).map { PaletteID(RecordID(high: 1, low: $0)) }
    let fleet = try Fleet(3, seed: seed, palettes: palettes)
    try fleet.cores.join(1, to: 0, role: .editor)
    try fleet.cores.join(2, to: 0)
    try fleet.cores.settle()
    for palette in palettes { try fleet.add(at: 1, in: palette) }
    try fleet.cores.settle()
    let image = try fleet.cores.image(of: 1)
    try fleet.cores.settle()
    for palette in palettes.shuffled(using: &fleet.random) {
      for _ in 0..<3 { try fleet.add(at: 1, in: palette) }
      try fleet.rename(at: 1, in: palette)
    }
    try fleet.cores.settle()
    try fleet.cores.rollBack(1, to: image)
    for palette in palettes.dropLast() {
      for _ in 0..<Int.random(in: 1..<6, using: &fleet.random) {
        try fleet.add(at: 1, in: palette)
        try fleet.rename(at: 1, in: palette)
      }
    }
    try fleet.cores.settle()
    try fleet.expectWhole(in: palettes)
  }

  @Test(arguments: TestSeeds.some(of: 8))
  func anOldImageOfOneWhoHealedHealsAgain(seed: UInt64) throws {
    let fleet = try Fleet(3, seed: seed)
    for (dialer, acceptor) in Self.star(3) { try fleet.cores.join(dialer, to: acceptor) }
    try fleet.cores.settle()
    try fleet.edit(at: 1, count: 3)
    try fleet.cores.settle()
    let image = try fleet.cores.image(of: 1)
    try fleet.cores.settle()
    for _ in 0..<3 {
      try fleet.edit(at: 1, count: 4)
      try fleet.cores.settle()
      try fleet.cores.rollBack(1, to: image)
      try fleet.edit(at: 1, count: 5)
      try fleet.cores.settle()
      try fleet.expectWhole()
    }
    // Healing ends: nothing goes on being issued again.
    let counts = try fleet.cores.members.map { try $0.store.frontier(of: Self.palette).count }
    try fleet.cores.settle()
    #expect(try fleet.cores.members.map { try $0.store.frontier(of: Self.palette).count } == counts)
  }

  @Test(arguments: TestSeeds.some(of: 12))
  func undoGoesOnAfterHealing(seed: UInt64) throws {
    let fleet = try Fleet(2, seed: seed)
    try fleet.cores.join(1, to: 0)
    try fleet.cores.settle()
    let image = try fleet.cores.image(of: 1)
    try fleet.cores.settle()
    try fleet.edit(at: 1, count: 3)
    try fleet.cores.settle()
    try fleet.cores.rollBack(1, to: image)
    let record = try fleet.add(at: 1)
    try fleet.cores.settle()
    try fleet.expectWhole()
    let store = fleet.cores.members[1].store
    let outcome = try store.write { transaction throws(StoreError) in
      try transaction.undo(in: Self.palette)
    }
    #expect(outcome?.changed == [record] && outcome?.skipped == [], fleet.comment)
  }

  @Test func whoJoinsAnewKeepsItsID() throws {
    let fleet = try Fleet(2, seed: 1)
    try fleet.cores.join(1, to: 0, role: .editor)
    try fleet.cores.settle()
    try fleet.edit(at: 1, count: 3)
    try fleet.cores.settle()
    let node = fleet.cores.members[1].store.node
    // It leaves, edits, and joins anew: its ids belong to its library.
    try fleet.cores.carryOut(
      fleet.cores.members[1].core.handle(.left(url: "member-0", palette: nil)),
      of: 1
    )
    try fleet.edit(at: 1, count: 3)
    try fleet.cores.join(1, to: 0, role: .editor)
    try fleet.cores.settle()
    #expect(fleet.cores.members[1].store.node == node)
    try fleet.expectWhole()
  }

  @Test func aNodeWhoseIDIsTakenComesBackUnderAnother() throws {
    let fleet = try Fleet(2, seed: 1)
    let node = fleet.cores.members[1].store.node
    // Another library was given this id before anything was known of it.
    let stranger = RecordID(high: 9, low: 9)
    try fleet.cores.members[0].store.bindings.learn([(node, stranger)])
    try fleet.cores.join(1, to: 0, role: .editor)
    try fleet.edit(at: 1, count: 3)
    try fleet.cores.settle()
    #expect(fleet.cores.members[1].store.node != node)
    // Three times is not for ever.
    #expect(fleet.cores.members[1].core.reissues.renamingCount == 1)
  }

  /// A hub that holds some of an id's changes from others lets nobody write under it, and gets what was
  /// written under it all the same: as it is shown, and with nothing back that was removed.
  @Test(arguments: TestSeeds.some(of: 12))
  func whatWasWrittenUnderAnIDThatIsTakenIsWrittenUnderAnother(seed: UInt64) throws {
    let fleet = try Fleet(3, seed: seed, palettes: [])
    let cores = fleet.cores
    let shared = PaletteID(RecordID(high: 6, low: 6))
    for palette in [Self.palette, shared] {
      try cores.act([.add(palette.record, [.name: RegisterValue(text: "P")])], in: palette, at: 1)
      try fleet.add(at: 1, in: palette)
    }
    try cores.join(2, to: 1, role: .editor)
    try cores.join(0, to: 2, role: .viewer, palette: shared)
    for round in 0..<8 {
      // The other one only replaces and removes: what it adds is not the first one's to give.
      if round % 2 == 0 { try fleet.edit(at: 1, count: 4) } else { try fleet.rename(at: 2) }
      let colors = try cores.members[1 + round % 2].store.colors(of: Self.palette)
      if round > 1, let color = colors.randomElement(using: &fleet.random) {
        try cores.act([.delete(color.color.id)], in: Self.palette, at: 1 + round % 2)
      }
      try cores.settle()
    }
    let node = cores.members[1].store.node
    #expect(try cores.members[0].store.frontier(of: shared)[node] != nil)
    #expect(try cores.members[0].store.palettes().map(\.id) == [shared])
    try cores.join(1, to: 0, role: .editor)
    try cores.settle()
    let store = cores.members[1].store
    #expect(store.node != node)
    let hub = cores.members[0].store
    #expect(try hub.frontier(of: Self.palette)[node] == nil)
    func listed(_ member: CoreFleet.Member) throws -> [String] {
      try member.store.colors(of: Self.palette).map { "\($0.color) \($0.place) \($0.conflicts)" }
    }
    for member in cores.members {
      #expect(try listed(member) == listed(cores.members[1]), fleet.comment)
      #expect(try member.store.verify(Self.palette).isEmpty, fleet.comment)
    }
    // Once is enough.
    let count = try store.changes(of: Self.palette)?.count
    try cores.cut(1)
    try cores.settle()
    #expect(try store.changes(of: Self.palette)?.count == count)
  }

  /// The same for somebody who edits through an editor's library, and goes on writing.
  @Test(arguments: TestSeeds.some(of: 8))
  func whatAnAuthorWritesUnderAnIDThatIsTakenIsWrittenUnderAnother(seed: UInt64) throws {
    let fleet = try Fleet(3, seed: seed, palettes: [])
    let cores = fleet.cores
    let author = AuthorID(1)
    let shared = PaletteID(RecordID(high: 6, low: 6))
    func palette(_ id: PaletteID, by author: AuthorID) throws {
      let edit = Edit.add(id.record, [.name: RegisterValue(text: "P")])
      try cores.act([edit], in: id, at: 1, by: author)
    }
    func add(_ number: UInt64, in palette: PaletteID) throws {
      let edit = Edit.add(
        RecordID(high: 7, low: number),
        [
          .name: RegisterValue(text: "c\(number)"), .place: RegisterValue(placeBytes: [9]),
          .color: RegisterValue(color: Color(.srgb, 0, 0, 1)),
        ]
      )
      try cores.act([edit], in: palette, at: 1, by: author)
    }
    try palette(Self.palette, by: .library)
    try palette(shared, by: author)
    try add(1, in: Self.palette)
    try cores.join(2, to: 1, role: .editor)
    try cores.join(0, to: 2, role: .viewer, palette: shared)
    try cores.settle()
    let (hub, store) = (cores.members[0].store, cores.members[1].store)
    let node = try #require(store.presentNode(of: author))
    #expect(try hub.frontier(of: shared)[node] != nil)
    try cores.join(1, to: 0, role: .editor)
    try cores.settle()
    try add(2, in: Self.palette)
    try cores.settle()
    for member in cores.members {
      let shown = try member.store.colors(of: Self.palette).map(\.color.name)
      #expect(shown.sorted() == ["c1", "c2"], fleet.comment)
      #expect(try member.store.verify(Self.palette).isEmpty, fleet.comment)
    }
    #expect(try store.pending(of: Self.palette, at: ["member-0"]) == 0)
    #expect(try hub.frontier(of: Self.palette)[node] == nil)
    #expect(store.presentNode(of: .library) != store.presentNode(of: author))
    // Once is enough.
    let count = try store.changes(of: Self.palette)?.count
    try cores.cut(1)
    try cores.settle()
    #expect(try store.changes(of: Self.palette)?.count == count)
  }

  /// A hub that refuses every id of an author would have the log grow with each.
  @Test func aHubThatRefusesEveryIDOfAnAuthorIsNotTriedForEver() throws {
    let fleet = try Fleet(2, seed: 12)
    let cores = fleet.cores
    let author = AuthorID(1)
    try cores.join(1, to: 0, role: .editor)
    try cores.settle()
    let edit = Edit.set(Self.palette.record, [.name: RegisterValue(text: "mine")])
    try cores.act([edit], in: Self.palette, at: 1, by: author)
    try cores.settle()
    let (store, core) = (cores.members[1].store, cores.members[1].core)
    var ids: Set<NodeID> = []
    for _ in 0..<40 {
      cores.clock.milliseconds += 10
      let node = try #require(store.presentNode(of: author))
      ids.insert(node)
      let connection = try #require(try cores.connection(of: 1))
      let nack = Frame.nack(Self.palette, Dot(node, 1), code: "not-allowed", reason: "")
      try cores.carryOut(core.handle(.received(connection, nack.encoded)), of: 1)
      try cores.deliver(limit: 1_000)
    }
    #expect(ids.count == 4)
    #expect(try store.changes(of: Self.palette)?.count == 1 + 4)
    #expect(try store.verify(Self.palette).isEmpty)
  }

  @Test(arguments: TestSeeds.some(of: 8))
  func anEditorWithFormerIDsGivesEverything(seed: UInt64) throws {
    let fleet = try Fleet(2, seed: seed)
    // Edits under ids that nobody was ever told of.
    let palette = Self.palette
    try fleet.cores.act(
      [.add(palette.record, [.name: RegisterValue(text: "P")])],
      in: palette,
      at: 1
    )
    for _ in 0..<3 {
      try fleet.edit(at: 1, count: 2)
      try fleet.cores.members[1].store.adoptNewNode()
    }
    try fleet.edit(at: 1, count: 2)
    try fleet.cores.join(1, to: 0, role: .editor)
    try fleet.cores.settle()
    try fleet.expectWhole()
  }

  @Test func whatMayNotBePushedIsCountedApart() throws {
    let fleet = try Fleet(3, seed: 5)
    try fleet.cores.join(1, to: 0, role: .editor)
    try fleet.cores.settle()
    // Another machine that only member 1 knows: as an editor it may not pass on what comes of it.
    try fleet.cores.join(2, to: 1)
    try fleet.cores.settle()
    for _ in 0..<4 { try fleet.add(at: 2) }
    try fleet.edit(at: 1, count: 2)
    try fleet.edit(at: 0, count: 3)
    try fleet.cores.settle()
    let store = fleet.cores.members[1].store
    let withheld = try fleet.cores.members[1].core.withheld(at: "member-0")
    #expect(withheld == 4)
    #expect(try store.pending(of: Self.palette, at: ["member-0"]) == 0)
    let own = try fleet.cores.members[0].store.frontier(of: Self.palette)
    #expect(own[fleet.cores.members[2].store.node] == nil)
    // A viewer may push nothing at all.
    let viewers = try Fleet(2, seed: 6)
    try viewers.cores.join(1, to: 0, role: .viewer)
    try viewers.cores.settle()
    try viewers.edit(at: 0, count: 3)
    try viewers.cores.settle()
    #expect(try viewers.cores.members[1].core.withheld(at: "member-0") == 0)
    try viewers.cores.act(
      [.set(Self.palette.record, [.name: RegisterValue(text: "mine")])],
      in: Self.palette,
      at: 1
    )
    try viewers.cores.cut(1)
    try viewers.cores.settle()
    #expect(try viewers.cores.members[1].core.withheld(at: "member-0") == 1)
  }

  @Test(arguments: ["malformed", "not-allowed", "fork", "of-a-later-time"])
  func aRefusalAloneHasNothingIssuedAgain(code: String) throws {
    let fleet = try Fleet(2, seed: 7)
    try fleet.cores.join(1, to: 0)
    try fleet.cores.settle()
    try fleet.edit(at: 1, count: 2)
    try fleet.cores.settle()
    let store = fleet.cores.members[1].store
    let next = (try store.frontier(of: Self.palette)[store.node]?.sequence ?? 0) + 1
    try fleet.cores.cut(1)
    try fleet.edit(at: 1, count: 4)
    let connection = try #require(try fleet.cores.connection(of: 1))
    let dot = Dot(store.node, next)
    let nack = Frame.nack(Self.palette, dot, code: code, reason: "")
    let (old, digest) = (store.node, try store.digest())
    try fleet.cores.carryOut(
      fleet.cores.members[1].core.handle(.received(connection, nack.encoded)),
      of: 1
    )
    #expect(store.node == old)
    #expect(try store.digest() == digest)
    if code != "fork" {
      // It counts as withheld, with all that follows it.
      #expect(try store.peers.refusedCount(by: "member-0") == 4)
      #expect(try store.pending(of: Self.palette, at: ["member-0"]) == 0)
      #expect(try fleet.cores.members[1].core.withheld(at: "member-0") == 4)
    }
    try fleet.cores.settle()
    // This peer takes it after all when it is asked again.
    try fleet.cores.cut(1)
    try fleet.cores.settle()
    try fleet.expectWhole()
  }

  @Test func bothSidesKnowWhatARecoveredHubLacks() throws {
    let fleet = try Fleet(2, seed: 11)
    let cores = fleet.cores
    try fleet.add(at: 0)
    try cores.join(1, to: 0, role: .editor)
    try cores.settle()
    let backup = cores.members[0].library.folder.path + ".backup"
    defer { try? FileManager.default.removeItem(atPath: backup) }
    _ = try cores.members[0].store.backup(to: backup)
    try fleet.add(at: 0)
    try fleet.add(at: 0)
    try cores.settle()
    #expect(try cores.members[0].core.missingChanges().isEmpty)
    try cores.restart(0) { folder in
      _ = try ChangeStore.recover(folder, from: backup, timestamp: "now")
    }
    try cores.settle()
    #expect(try cores.members[1].core.withheld(at: "member-0") == 2)
    #expect(try cores.members[0].core.missingChanges().map(\.count) == [2])
    // Whoever brings them ends it.
    try cores.join(1, to: 0)
    try cores.settle()
    #expect(try cores.members[0].core.missingChanges().isEmpty)
    try fleet.expectWhole()
  }

  @Test func joiningAnewInVainKeepsTheOldMembership() throws {
    let fleet = try Fleet(2, seed: 8)
    try fleet.cores.join(1, to: 0)
    try fleet.cores.settle()
    let before = try #require(try fleet.cores.members[1].store.peers.all().first)
    let bad = JoinTicket(addresses: before.addresses, code: [1, 2, 3], grant: Grant(.owner))
    let core = fleet.cores.members[1].core
    try fleet.cores.carryOut(core.handle(.joined(bad)), of: 1)
    try fleet.cores.deliver(limit: 1000)
    try fleet.cores.tick(1)
    try fleet.cores.deliver(limit: 1000)
    #expect(core.dialers["member-0"]?.state == .refused)
    #expect(try fleet.cores.members[1].store.peers.all().first == before)
    // Whoever asked for it gives up, as the command does.
    try fleet.cores.carryOut(core.handle(.left(url: "member-0", palette: nil)), of: 1)
    #expect(core.peers["member-0"]?.secret == before.secret)
    #expect(core.peers["member-0"]?.grants == before.grants)
    try fleet.edit(at: 1, count: 2)
    try fleet.cores.settle()
    try fleet.expectWhole()
    // Or is gone, and the node goes back by itself.
    try fleet.cores.carryOut(core.handle(.joined(bad)), of: 1)
    try fleet.cores.deliver(limit: 1000)
    #expect(core.peers["member-0"]?.code == bad.code)
    try fleet.edit(at: 1, count: 2)
    try fleet.cores.settle()
    #expect(core.peers["member-0"]?.secret == before.secret)
    #expect(core.peers["member-0"]?.grants == before.grants)
    try fleet.expectWhole()
    // A code that is good adds to it.
    try fleet.cores.join(1, to: 0, role: .owner)
    try fleet.cores.settle()
    #expect(
      try fleet.cores.members[1].store.peers.all().first?.grants.map(\.role) == [.relay, .owner]
    )
    #expect(!core.dialing.isJoiningAnew("member-0"))
  }

  @Test(arguments: TestSeeds.some(of: 20))
  func whoeverIsBackIsLiveWithinTenSeconds(seed: UInt64) throws {
    let fleet = try Fleet(2, seed: seed)
    try fleet.cores.join(1, to: 0)
    try fleet.cores.settle()
    fleet.cores.isReachable = false
    try fleet.cores.cut(1)
    for _ in 0..<400 {
      fleet.cores.clock.milliseconds += 250
      try fleet.cores.tick(1)
    }
    // In the meantime the clock was put back.
    if seed % 2 == 1 { fleet.cores.clock.milliseconds -= 3_600_000 }
    fleet.cores.isReachable = true
    for _ in 0..<40 {
      fleet.cores.clock.milliseconds += 250
      try fleet.cores.tick(1)
      try fleet.cores.deliver(limit: 100)
    }
    #expect(fleet.cores.members[1].core.dialers["member-0"]?.state == .live, fleet.comment)
  }
}

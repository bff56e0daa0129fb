import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// What is kept of what is pending is what a count of everything finds.
struct PendingTallyTests {
  @Test(arguments: TestSeeds.some(of: 40))
  func isWhatIsCountedAnew(seed: UInt64) throws {
    let life = try Life(seed: seed)
    for step in 0..<60 {
      try life.step()
      guard try life.disagreement() == nil else {
        let disagreement = try life.disagreement() ?? ""
        Issue.record("\(disagreement) at step \(step) of seed \(seed)")
        return
      }
    }
  }

  @Test func manyPalettesAreCountedAtOnce() throws {
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder)
    let peer = Life.peer("ws://a", [Grant(.relay)])
    try store.peers.save(peer)
    #expect(try store.pendingChanges(at: [peer]).atPeers == ["ws://a": 0])
    let palettes = (0..<2_000).map { PaletteID(RecordID(high: 1, low: $0)) }
    try store.write { transaction throws(StoreError) in
      for palette in palettes {
        let name = Edit.add(palette.record, [.name: RegisterValue(text: "P")])
        _ = try transaction.palette(beginning: palette).author(name)
      }
    }
    let pending = try store.pendingChanges(at: [peer])
    #expect(pending.atPeers == ["ws://a": 2_000])
    #expect(pending.inPalettes.count == 2_000)
  }

  @Test func isRightAfterACountThatFailed() throws {
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder)
    let peer = Life.peer("ws://a", [Grant(.relay)])
    try store.peers.save(peer)
    #expect(try store.pendingChanges(at: [peer]).atPeers == ["ws://a": 0])
    _ = try store.makePalette(named: "P")
    try store.database.execute("ALTER TABLE stated RENAME TO elsewhere")
    #expect(throws: StoreError.self) { try store.pendingChanges(at: [peer]) }
    try store.database.execute("ALTER TABLE elsewhere RENAME TO stated")
    #expect(try store.pendingChanges(at: [peer]).atPeers == ["ws://a": 1])
  }

  @Test func whoReadsAloneSeesWhatOthersWrite() throws {
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder)
    let peer = Life.peer("ws://a", [Grant(.relay)])
    try store.peers.save(peer)
    let reader = try #require(try ChangeStore.reading(library.folder))
    #expect(try reader.pendingChanges(at: [peer]).atPeers == ["ws://a": 0])
    _ = try store.makePalette(named: "P")
    #expect(try reader.pendingChanges(at: [peer]).atPeers == ["ws://a": 1])
  }

  @Test func nothingIsKeptForNobody() throws {
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder)
    _ = try store.makePalette(named: "P")
    let peer = Life.peer("ws://a", [Grant(.relay)])
    try store.peers.save(peer)
    #expect(try store.pendingChanges(at: [peer]).atPeers == ["ws://a": 1])
    let none = try store.pendingChanges(at: [])
    #expect(none.atPeers.isEmpty && none.inPalettes.isEmpty)
  }
}

/// A library to which happens whatever may alter what is pending.
private final class Life {
  private static let palettes = (1...3).map { PaletteID(RecordID(high: 1, low: $0)) }
  private static let urls = ["ws://a", "ws://b"]
  private static let grants = [
    [Grant(.relay)], [Grant(.viewer)], [Grant(.editor, on: palettes[0])],
    [Grant(.editor, on: palettes[1]), Grant(.viewer, on: palettes[2])],
  ]

  private let libraries: [TemporaryLibrary]
  private let store: ChangeStore
  /// Another library that edits the same palettes.
  private let other: ChangeStore
  private var peers: [StoredPeer] = []
  private var random: SeededRandom
  private var lastRecord: UInt64 = 100
  private let name = NameOfOwner()

  private final class NameOfOwner { var text = "" }

  init(seed: UInt64) throws {
    random = SeededRandom(seed: seed)
    libraries = [try TemporaryLibrary(), try TemporaryLibrary()]
    store = try ChangeStore(writing: libraries[0].folder, random: SeededRandom(seed: ~seed))
    other = try ChangeStore(writing: libraries[1].folder, random: SeededRandom(seed: seed + 1))
    store.keepState()
    let name = name
    store.nameOfOwner = { name.text }
  }

  static func peer(_ url: String, _ grants: [Grant]) -> StoredPeer {
    StoredPeer(url: url, addresses: [url], secret: [1], grants: grants)
  }

  /// What differs from a count of all that is on disk, and of each palette alone; nil for nothing.
  func disagreement() throws -> String? {
    let disk = try #require(try ChangeStore.reading(store.folder))
    let (kept, read) = (
      try store.pendingChanges(at: peers), try disk.pendingChanges(at: peers)
    )
    guard kept.atPeers == read.atPeers, kept.inPalettes == read.inPalettes else {
      return "\(kept) in place of \(read)"
    }
    var sums = Dictionary(uniqueKeysWithValues: peers.map { ($0.url, 0) })
    var counts: [PaletteID: Int] = [:]
    for palette in Self.palettes {
      let alone = try disk.pendingChanges(at: peers, of: palette)
      sums.merge(alone.atPeers, uniquingKeysWith: +)
      counts.merge(alone.inPalettes, uniquingKeysWith: +)
    }
    return kept.atPeers == sums && kept.inPalettes == counts
      ? nil : "\(kept) in place of \(sums) and \(counts)"
  }

  func step() throws {
    switch Int.random(in: 0..<16, using: &random) {
    case 0...3: try edit(store, fails: random.chance(0.2))
    case 4: try edit(other, fails: false)
    case 5: try exchange()
    case 6...7: try state()
    case 8: try comeOrGo()
    case 9: try refuse()
    case 10: try store.peers.forgetRefusals(by: Self.urls.randomElement(using: &random) ?? "")
    case 11: try store.adoptNewNode()
    case 12: try group(fails: random.chance(0.5))
    case 13: try reissue()
    case 14: _ = try store.compact(anyPalette(), beforeMilliseconds: .max)
    default: name.text = "Ann \(random.next() % 4)"
    }
  }

  private func anyPalette() -> PaletteID {
    Self.palettes.randomElement(using: &random) ?? Self.palettes[0]
  }

  /// An edit by the library itself or a member, or one of the record in which an author stands.
  private func edit(_ library: ChangeStore, fails: Bool) throws {
    let palette = anyPalette()
    lastRecord += 1
    let register: KeyValuePairs<Register, RegisterValue> = [
      .name: RegisterValue(text: "n\(lastRecord)")
    ]
    let edits: [Edit] = [
      .add(palette.record, register), .add(RecordID(high: 1, low: lastRecord), register),
      .set(.author(store.node), register), .drop(palette),
    ]
    let edit = edits.randomElement(using: &random) ?? edits[0]
    let author = AuthorID(library === store && random.chance(0.3) ? 7 : 0)
    try? library.write(as: author) { transaction throws(StoreError) in
      _ = try transaction.palette(beginning: palette).act([edit])
      if fails { throw StoreError(code: .failed, message: "given up") }
    }
  }

  /// Both libraries get what they lack, or one of them a snapshot.
  private func exchange() throws {
    let palette = anyPalette()
    if random.chance(0.3) {
      if let snapshot = try other.snapshot(of: palette) {
        _ = try store.merge(snapshot, into: palette)
      }
      return
    }
    for (source, target) in [(store, other), (other, store)] {
      let lacking = try source.changes(of: palette, after: target.frontier(of: palette)) ?? []
      _ = try target.merge(lacking, into: palette)
    }
  }

  /// A peer says what it holds, more or less than before.
  private func state() throws {
    let palette = anyPalette()
    var held: Frontier = [:]
    for node in store.identities where random.chance(0.7) {
      let head = try store.frontier(of: palette)[node]?.sequence ?? 0
      let sequence = random.chance(0.5) ? head : UInt32.random(in: 0...head + 1, using: &random)
      if sequence > 0 { held[node] = StreamHead(sequence: sequence, link: 0) }
    }
    let url = Self.urls.randomElement(using: &random) ?? ""
    try store.peers.record([
      HeldReport(url: url, palette: palette, held: held, isWhole: random.chance(0.5))
    ])
  }

  private func comeOrGo() throws {
    let url = Self.urls.randomElement(using: &random) ?? ""
    let wasThere = peers.contains { $0.url == url }
    peers.removeAll { $0.url == url }
    if wasThere, random.chance(0.5) {
      _ = try store.peers.remove(url)
      // Whoever comes back at once has stated nothing.
      guard random.chance(0.5) else { return }
    }
    let peer = Self.peer(url, Self.grants.randomElement(using: &random) ?? [])
    try store.peers.save(peer)
    peers.append(peer)
  }

  private func refuse() throws {
    let palette = anyPalette()
    guard
      let (node, head) = try store.frontier(of: palette).filter({ store.isOwn($0.key) }).min(
        by: { $0.key < $1.key }
      )
    else { return }
    let dot = Dot(node, UInt32.random(in: 1...head.sequence, using: &random))
    try store.peers.record(
      refusalOf: dot,
      in: palette,
      by: Self.urls.randomElement(using: &random) ?? ""
    )
  }

  /// Several writes become durable together, or none does; what is pending is asked for meanwhile.
  private func group(fails: Bool) throws {
    try? store.group {
      try? edit(store, fails: false)
      try? state()
      _ = try? store.pendingChanges(at: peers)
      try? edit(store, fails: random.chance(0.5))
      _ = try? store.pendingChanges(at: peers)
      if fails { store.database.connection.rollBack() }
    }
  }

  private func reissue() throws {
    let palette = anyPalette()
    guard let head = try store.frontier(of: palette)[store.node] else { return }
    let first = UInt32.random(in: 1...head.sequence, using: &random)
    _ = try? store.reissue([palette: Reissue(cuts: [store.node: Reissue.Cut(after: first - 1)])])
  }
}

import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteSync

/// Two histories of one author: where they part is found, and both are kept.
struct ForkTests {
  static let palette = PaletteID(RecordID(high: 1, low: 1))

  private func name(_ text: String) -> Edit {
    .add(Self.palette.record, [.name: RegisterValue(text: text)])
  }

  /// Lets a library forget what it made, make something else, and meet a peer that remembers.
  private func forked(
    _ seed: UInt64,
    common: Int,
    forgotten: Int,
    later: Int,
    dialer: Int
  ) throws -> SessionFleet {
    let fleet = SessionFleet(count: 2, seed: seed)
    for number in 0..<common { try fleet.author(name("o\(number)"), in: Self.palette, at: 0, 1) }
    let image = fleet.libraries[0].image
    for number in 0..<forgotten {
      try fleet.author(name("x\(number)"), in: Self.palette, at: 0, 2)
    }
    try fleet.connect(0, to: 1)
    try fleet.settle()
    fleet.cut()
    fleet.libraries[0].image = image
    for number in 0..<later { try fleet.author(name("y\(number)"), in: Self.palette, at: 0, 3) }
    try fleet.connect(dialer, to: 1 - dialer)
    try fleet.settle()
    return fleet
  }

  @Test(arguments: TestSeeds.some(of: 60))
  func theAuthorFindsTheLastCommonChange(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let common = Int.random(in: 0..<30, using: &random)
    let forgotten = Int.random(in: 1..<30, using: &random)
    let later = Int.random(in: 1..<30, using: &random)
    let fleet = try forked(
      seed,
      common: common,
      forgotten: forgotten,
      later: later,
      dialer: Int(seed % 2)
    )
    let comment: Comment = "replay with seed \(seed)"
    #expect(fleet.closeReasons == [], comment)
    let found = try #require(fleet.reissues.first, comment)
    #expect(found.owner == 0 && found.after == common, comment)
    // Nothing of the author was pushed either way.
    #expect(fleet.libraries[1].log[Self.palette]?.count == common + forgotten, comment)

    fleet.cut()
    try fleet.libraries[0].reissue(NodeID(1), after: found.after, in: Self.palette, as: NodeID(9))
    try fleet.connect(Int(seed % 2), to: 1 - Int(seed % 2))
    try fleet.settle()
    for library in fleet.libraries {
      #expect(library.log[Self.palette]?.count == common + forgotten + later, comment)
    }
    #expect(Set(fleet.libraries.map { $0.digest(of: Self.palette) }).count == 1, comment)
    #expect(fleet.diverged == 0, comment)
  }

  @Test(arguments: [1, 2, 1000, 1024, 1025, 70_000, 5_000_000] as [UInt32], [0, 1, 3] as [UInt32])
  func findsAnyNumberInFewRounds(length: UInt32, distance: UInt32) {
    let common = length > distance ? length - distance : 0
    var search = ForkSearch(upTo: length)
    var rounds = 0
    while !search.isDone {
      rounds += 1
      let asked = search.ask()
      #expect(asked.count <= SyncProtocol.probes && !asked.isEmpty)
      search.narrow(
        by: asked.map { Frame.Link(sequence: $0, link: $0 <= common ? 1 : 2) },
        own: Dictionary(uniqueKeysWithValues: asked.map { ($0, 1) })
      )
    }
    #expect(search.common == common && search.isFork == (common < length))
    #expect(rounds <= 4)
  }

  @Test func whatWasCompactedAwayCountsAsEqualAndWhatIsNotHeldDoesNot() {
    var search = ForkSearch(upTo: 10)
    #expect(search.ask() == Array(1...10))
    let links = (1...7).map { Frame.Link(sequence: $0, link: $0 < 4 ? nil : UInt64($0)) }
    search.narrow(by: links, own: [1: 1, 4: 4, 5: 5, 7: 7, 8: 8])
    #expect(search.isDone && search.common == 7 && !search.isFork)
    #expect(search.link == 7)
  }

  /// Where the newest change that both sides number alike is compacted away, only the snapshot shows
  /// that they differ.
  @Test(arguments: TestSeeds.some(of: 20))
  func aSnapshotThatContradictsLeadsToTheFork(seed: UInt64) throws {
    let fleet = SessionFleet(count: 2, seed: seed)
    func add(_ text: String) -> Edit {
      .add(RecordID(high: 2, low: 2), [.name: RegisterValue(text: text)])
    }
    try fleet.author(name("common"), in: Self.palette, at: 0, 1)
    let image = fleet.libraries[0].image
    try fleet.author(add("x"), in: Self.palette, at: 0, 2)
    try fleet.author(name("x"), in: Self.palette, at: 0, 2)
    try fleet.connect(0, to: 1)
    try fleet.settle()
    fleet.cut()
    fleet.libraries[0].image = image
    try fleet.author(add("y"), in: Self.palette, at: 0, 3)
    try fleet.author(name("y"), in: Self.palette, at: 0, 3)
    try fleet.author(name("z"), in: Self.palette, at: 0, 3)
    fleet.libraries[0].log[Self.palette]?.removeAll { $0.dot.sequence == 3 }
    fleet.libraries[0].compacted.insert(Self.palette)
    try fleet.connect(0, to: 1)
    try fleet.settle()
    #expect(fleet.closeReasons == [])
    #expect(fleet.reissues.first?.owner == 0 && fleet.reissues.first?.after == 1)
  }

  @Test func whatDoesNotDifferIsStatedToo() throws {
    let other = PaletteID(RecordID(high: 1, low: 2))
    let fleet = SessionFleet(count: 2, seed: 3)
    try fleet.author(name("same"), in: Self.palette, at: 0, 1)
    try fleet.connect(0, to: 1)
    try fleet.settle()
    fleet.cut()
    try fleet.author(name("new"), in: other, at: 0, 1)
    fleet.forgetStatements()
    try fleet.connect(0, to: 1)
    try fleet.settle()
    #expect(fleet.stated[0]?[Self.palette]?[NodeID(1)]?.sequence == 1)
    #expect(fleet.stated[0]?[other]?[NodeID(1)]?.sequence == 1)
  }

  @Test func linksThatNobodyAskedForEndTheConnection() throws {
    let fleet = SessionFleet(count: 2, seed: 1)
    try fleet.connect(0, to: 1)
    try fleet.settle()
    try fleet.inject(Frame.links(Self.palette, NodeID(1), []).encoded)
    #expect(fleet.closeReasons == ["1002 links that nobody asked for"])
  }

  @Test func aPeerWithShortFramesIsObeyed() throws {
    let library = MemoryLibrary(NodeID(1))
    for number in 0..<400 { _ = try library.author(name("\(number)"), in: Self.palette, at: 1) }
    for limit: UInt64 in [8 * 1024, 100] {
      var session = SyncSession(
        .dialer(SyncSession.Credentials(grants: [Grant(.relay)])),
        node: NodeID(1),
        library: RecordID(high: 0, low: 1)
      )
      _ = session.handle(.opened, library: library, milliseconds: 0)
      let welcome = Welcome(
        version: 1,
        node: NodeID(2),
        library: RecordID(high: 0, low: 2),
        grants: [Grant(.relay)],
        frameBytes: limit,
        milliseconds: 0
      )
      var frames: [Frame] = [
        .welcome(welcome), .credit(1 << 20), .summary(.zero),
        .palettes(buckets: [1], entries: [], isLast: true),
        .frontier(
          Self.palette,
          [NodeID(5): StreamHead(sequence: 1, link: 0)],
          .zero,
          asks: false,
          isLast: true
        ),
      ]
      if limit < 8 * 1024 { frames = Array(frames.prefix(1)) }
      let actions = frames.flatMap {
        session.handle(.received($0.encoded), library: library, milliseconds: 0)
      }
      #expect(session.isEstablished == (limit >= 8 * 1024))
      let sizes = actions.compactMap { action -> Int? in
        if case .send(let bytes) = action { bytes.count } else { nil }
      }
      #expect(sizes.allSatisfy { $0 <= limit })
      #expect(limit < 8 * 1024 || sizes.filter { $0 > 5_000 }.count > 2)
    }
  }

  @Test func aRefusalIsClosedWithItsOwnCode() throws {
    let library = MemoryLibrary(NodeID(1))
    for (word, code) in [
      ("node-taken", SyncProtocol.CloseCode.nodeTaken), ("incompatible", .incompatible),
      ("revoked", .unauthorized), ("unknown", .unauthorized),
    ] {
      var session = SyncSession(
        .dialer(SyncSession.Credentials(grants: [Grant(.relay)])),
        node: NodeID(1),
        library: RecordID(high: 0, low: 1)
      )
      _ = session.handle(.opened, library: library, milliseconds: 0)
      let frame = Frame.refuse(code: word, reason: "")
      let actions = session.handle(.received(frame.encoded), library: library, milliseconds: 0)
      #expect(actions.last == .close(code, reason: "refused: \(word)"))
    }
  }
}

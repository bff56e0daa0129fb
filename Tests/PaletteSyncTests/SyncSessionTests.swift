import PaletteMerge
import PaletteModel
import PaletteSync
import PaletteTestSupport
import Testing

/// Sessions between libraries in memory, in whatever order frames and commits happen.
struct SyncSessionTests {
  static let palette = PaletteID(RecordID(high: 1, low: 1))

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

  private let named = Edit.add(Self.palette.record, [.name: RegisterValue(text: "P")])

  private func expectEqual(_ fleet: SessionFleet, _ comment: Comment) {
    let digests = Set(fleet.libraries.map { $0.digest(of: Self.palette) })
    #expect(digests.count == 1, comment)
    #expect(fleet.libraries[0].frontier(of: Self.palette).isEmpty == false, comment)
    #expect(fleet.diverged == 0, comment)
  }

  /// Lets the first two agree and part again.
  private func meet(_ fleet: SessionFleet) throws {
    try fleet.connect(0, to: 1)
    try fleet.settle()
    fleet.cut()
  }

  @Test(arguments: TestSeeds.some(of: 100))
  func bothSidesGetEverything(seed: UInt64) throws {
    let fleet = SessionFleet(count: 2, seed: seed)
    try fleet.author(named, in: Self.palette, at: 0, 1)
    for number in 0..<20 { try fleet.author(color(number), in: Self.palette, at: number % 2, 2) }
    try fleet.connect(0, to: 1)
    for number in 20..<40 {
      try fleet.run(steps: 3)
      try fleet.author(color(number), in: Self.palette, at: number % 2, 3)
    }
    try fleet.settle()
    expectEqual(fleet, "replay with seed \(seed)")
    #expect(fleet.caughtUp == 2, "replay with seed \(seed)")
    #expect(fleet.closeReasons == [], "replay with seed \(seed)")
  }

  @Test(arguments: TestSeeds.some(of: 60))
  func fleetsOfAnyShapeConverge(seed: UInt64) throws {
    var random = SeededRandom(seed: ~seed)
    let fleet = SessionFleet(count: 4, seed: seed)
    let shapes: [[(Int, Int)]] = [
      [(0, 1), (1, 2), (2, 3)], [(0, 1), (1, 2), (2, 3), (3, 0)], [(1, 0), (2, 0), (3, 0)],
    ]
    let shape = shapes[Int(seed % 3)]
    try fleet.author(named, in: Self.palette, at: 0, 1)
    for round in 0..<3 {
      for (dialer, acceptor) in shape { try fleet.connect(dialer, to: acceptor) }
      for number in 0..<15 {
        let owner = Int.random(in: 0..<4, using: &random)
        try fleet.author(color(round * 100 + number), in: Self.palette, at: owner, 2)
        try fleet.run(steps: Int.random(in: 0..<8, using: &random))
      }
      fleet.cut()
    }
    let before = fleet.caughtUp
    for (dialer, acceptor) in shape { try fleet.connect(dialer, to: acceptor) }
    try fleet.settle()
    expectEqual(fleet, "replay with seed \(seed)")
    #expect(fleet.closeReasons == [], "replay with seed \(seed)")
    #expect(fleet.caughtUp - before == 2 * shape.count, "replay with seed \(seed)")
  }

  /// What comes from one peer while it is being compared with another is not forgotten there.
  @Test(arguments: TestSeeds.some(of: 50))
  func whoHasTheSameIsKnownToHoldIt(seed: UInt64) throws {
    let fleet = SessionFleet(count: 3, seed: seed)
    try fleet.author(named, in: Self.palette, at: 1, 1)
    try fleet.connect(1, to: 2)
    try fleet.settle()
    for hub in 1...2 { fleet.libraries[hub].compacted.insert(Self.palette) }
    try fleet.connect(0, to: 1)
    // It may send no snapshot there, so only what is equal can tell.
    try fleet.connect(0, to: 2, role: .editor)
    try fleet.settle()
    expectEqual(fleet, "replay with seed \(seed)")
    let held = fleet.libraries[0].frontier(of: Self.palette)
    #expect(fleet.stated[0]?[Self.palette] == held, "replay with seed \(seed)")
  }

  @Test func costsOneDigestWhenNothingIsNew() throws {
    let fleet = SessionFleet(count: 2, seed: 1)
    try fleet.author(named, in: Self.palette, at: 0, 1)
    try meet(fleet)
    let before = fleet.framesSent
    try fleet.connect(0, to: 1)
    try fleet.settle()
    // Hello and welcome, and from each side a credit and a digest.
    #expect(fleet.framesSent - before == 6)
  }

  @Test(arguments: [true, false])
  func aSnapshotServesWhoLacksCompactedChanges(isNew: Bool) throws {
    let fleet = SessionFleet(count: 2, seed: 3)
    try fleet.author(named, in: Self.palette, at: 1, 1)
    if !isNew {
      try meet(fleet)
      try fleet.author(color(900), in: Self.palette, at: 0, 1)
    }
    for number in 0..<50 { try fleet.author(color(number), in: Self.palette, at: 1, 2) }
    fleet.libraries[1].compacted.insert(Self.palette)
    try fleet.connect(0, to: 1)
    try fleet.settle()
    expectEqual(fleet, "")
    #expect(fleet.caughtUp >= 2)
  }

  @Test(arguments: [true, false])
  func aSnapshotServesWhereTheLogHasLostRows(isNew: Bool) throws {
    let fleet = SessionFleet(count: 2, seed: 8)
    try fleet.author(named, in: Self.palette, at: 1, 1)
    if !isNew {
      try meet(fleet)
    }
    try fleet.author(color(1), in: Self.palette, at: 1, 2)
    fleet.libraries[1].log[Self.palette] = []
    try fleet.connect(0, to: 1)
    try fleet.settle()
    expectEqual(fleet, "")
  }

  @Test func sendsMoreThanTheCreditAtOnce() throws {
    let fleet = SessionFleet(count: 2, seed: 4)
    try fleet.author(named, in: Self.palette, at: 0, 1)
    let note = String(repeating: "n", count: 16_000)
    for number in 0..<200 {
      try fleet.author(color(number), in: Self.palette, at: 0, 2)
      let record = RecordID(high: 7, low: UInt64(number))
      try fleet.author(.set(record, [.note: RegisterValue(text: note)]), in: Self.palette, at: 0, 2)
    }
    try fleet.connect(0, to: 1)
    try fleet.settle()
    expectEqual(fleet, "")
  }

  @Test func anEditorPushesItsOwnChangesOnly() throws {
    let fleet = SessionFleet(count: 3, seed: 5)
    try fleet.author(named, in: Self.palette, at: 0, 1)
    try fleet.connect(1, to: 0, role: .relay)
    try fleet.settle()
    fleet.cut()
    try fleet.author(color(1), in: Self.palette, at: 1, 2)
    try fleet.connect(2, to: 1, role: .relay)
    try fleet.settle()
    try fleet.author(color(2), in: Self.palette, at: 2, 3)
    fleet.cut()
    try fleet.connect(2, to: 0, role: .editor)
    try fleet.settle()
    let held = fleet.libraries[0].frontier(of: Self.palette)
    #expect(held[NodeID(3)]?.sequence == 1)
    #expect(held[NodeID(2)] == nil)
    #expect(fleet.nacks == [])
  }

  @Test func aViewerPushesNothingAndIsRefusedIfItTries() throws {
    let fleet = SessionFleet(count: 2, seed: 6)
    try fleet.author(named, in: Self.palette, at: 1, 1)
    try fleet.connect(0, to: 1, role: .viewer)
    try fleet.settle()
    try fleet.author(color(1), in: Self.palette, at: 0, 2)
    try fleet.settle()
    #expect(fleet.libraries[1].frontier(of: Self.palette).count == 1)
    let change = fleet.libraries[0].log[Self.palette]?.last
    let frame = Frame.changes(Self.palette, NodeID(1), first: 1, [change?.bytes.array ?? []])
    try fleet.inject(frame.encoded)
    try fleet.settle()
    #expect(fleet.libraries[1].frontier(of: Self.palette).count == 1)
    #expect(fleet.nacks == ["not-allowed"])
  }

  @Test(arguments: [
    Frame.hello(
      Hello(node: NodeID(1), library: RecordID(high: 0, low: 0), milliseconds: 0)
    ),
    .buckets([Digest](repeating: .zero, count: 256)), .summary(.zero),
    .snapshot(palette, index: 5, isLast: true, []),
    .snapshot(palette, index: 0, isLast: true, [1, 2, 3]),
    .changes(palette, NodeID(1), first: 1, []),
    .changes(palette, NodeID(1), first: .max, [[1], [2]]),
  ])
  func closesOnFramesOutOfTurn(frame: Frame) throws {
    let fleet = SessionFleet(count: 2, seed: 7)
    try fleet.author(named, in: Self.palette, at: 1, 1)
    try fleet.connect(0, to: 1)
    try fleet.settle()
    try fleet.inject(frame.encoded)
    #expect(fleet.closeReasons.first?.hasPrefix("1002") == true)
  }

  @Test func snapshotsThatNeverEndAreTooMuch() throws {
    let fleet = SessionFleet(count: 2, seed: 7)
    try fleet.connect(0, to: 1)
    try fleet.settle()
    for number in 0..<10_100 as Range<UInt64> where fleet.closeReasons.isEmpty {
      let palette = PaletteID(RecordID(high: 9, low: number))
      try fleet.inject(Frame.snapshot(palette, index: 0, isLast: false, [1]).encoded)
    }
    #expect(fleet.closeReasons.first?.contains("too large") == true)
  }

  @Test func isCaughtUpWhenWhatThePeerHasCameFromAnother() throws {
    let peer = MemoryLibrary(NodeID(1))
    let library = MemoryLibrary(NodeID(2))
    let change = try peer.author(named, in: Self.palette, at: 1)
    var session = SyncSession(
      .dialer(SyncSession.Credentials(secret: [1], grants: [Grant(.relay)])),
      node: library.node,
      library: RecordID(high: 0, low: 2)
    )
    func handle(_ event: SyncEvent) -> [SyncAction] {
      session.handle(event, library: library, milliseconds: 0)
    }
    let digest = peer.digest(of: Self.palette)
    let welcome = Welcome(
      version: 1,
      node: peer.node,
      library: RecordID(high: 0, low: 1),
      grants: [Grant(.relay)],
      milliseconds: 0
    )
    _ = handle(.opened)
    for frame in [
      Frame.welcome(welcome), .credit(1_000), .summary(Digest(Self.palette, digest)),
      .palettes(
        buckets: [1],
        entries: [Frame.Entry(palette: Self.palette, digest: digest)],
        isLast: true
      ),
      .frontier(Self.palette, peer.frontier(of: Self.palette), digest, asks: false, isLast: true),
    ] {
      #expect(handle(.received(frame.encoded)).contains(.caughtUp) == false)
    }
    var state = PaletteState(Self.palette)
    #expect(try state.merge(change.bytes.array))
    library.states[Self.palette] = state
    #expect(
      handle(.committed(Self.palette, OutgoingBatch([change], in: Self.palette))).contains(
        .caughtUp
      )
    )
    #expect(session.changesToCome == 0)
  }

  @Test func closesWhenAPartOfASnapshotIsMissing() throws {
    let fleet = SessionFleet(count: 2, seed: 9)
    try fleet.author(named, in: Self.palette, at: 1, 1)
    try fleet.connect(0, to: 1)
    try fleet.settle()
    let bytes = try #require(fleet.libraries[1].states[Self.palette]?.snapshot).encoded
    let half = bytes.count / 2
    let first = Frame.snapshot(Self.palette, index: 0, isLast: false, Array(bytes[..<half]))
    let third = Frame.snapshot(Self.palette, index: 2, isLast: true, Array(bytes[half...]))
    try fleet.inject(first.encoded)
    #expect(fleet.closeReasons == [])
    try fleet.inject(third.encoded)
    #expect(fleet.closeReasons.first == "1002 a snapshot part is missing")
  }

  @Test func namesWhoMustUpgrade() throws {
    var session = SyncSession(.acceptor, node: NodeID(1), library: RecordID(high: 0, low: 0))
    let library = MemoryLibrary(NodeID(1))
    _ = session.handle(.opened, library: library, milliseconds: 0)
    let hello = Hello(
      versions: [99],
      node: NodeID(2),
      library: RecordID(high: 0, low: 1),
      milliseconds: 0
    )
    let actions = session.handle(
      .received(Frame.hello(hello).encoded),
      library: library,
      milliseconds: 0
    )
    guard case .send(let bytes) = actions.first,
      case .refuse(let code, let reason) = try Frame(decoding: bytes)
    else {
      Issue.record("\(actions)")
      return
    }
    #expect(code == "incompatible")
    #expect(reason.contains("this node must upgrade"))
    #expect(actions.last == .close(.incompatible, reason: reason))
  }

  @Test func endsWhenTheTokenIsRevoked() {
    var session = SyncSession(.acceptor, node: NodeID(1), library: RecordID(high: 0, low: 0))
    let library = MemoryLibrary(NodeID(1))
    _ = session.handle(.opened, library: library, milliseconds: 0)
    let actions = session.handle(.revoked(code: "revoked"), library: library, milliseconds: 0)
    #expect(actions.last == .close(.unauthorized, reason: "the grant is revoked"))
    #expect(session.handle(.pingDue, library: library, milliseconds: 0) == [])
  }
}

import PaletteTestSupport
import Testing

@testable import PaletteMerge
@testable import PaletteModel

/// What an editor says of changes of others that he cannot have seen has no effect, in any order.
struct ForeseenMarksTests {
  private static let palette = PaletteID(RecordID(high: 1, low: 1))
  private static let sea = RecordID(high: 7, low: 1)
  private static let (ann, bob, liar) = (NodeID(1), NodeID(2), NodeID(66))

  /// Ann's palette with a color.
  private static func started() throws -> PaletteState {
    var state = PaletteState(palette)
    _ = try state.author(
      .add(palette.record, [.name: RegisterValue(text: "P")]),
      by: ann,
      at: Stamp(milliseconds: 1)
    )
    _ = try state.author(
      .add(
        sea,
        [
          .name: RegisterValue(text: "Sea"), .place: RegisterValue(placeBytes: [9]),
          .color: RegisterValue(color: Color(.srgb, 0, 0, 1)),
        ]
      ),
      by: ann,
      at: Stamp(milliseconds: 2)
    )
    return state
  }

  private static func change(
    _ kind: ChangeKind,
    writes: [Change.Write] = [],
    covers: [SeenDot] = [],
    frontier: [SeenDot] = []
  ) -> [UInt8] {
    Change(
      dot: Dot(liar, 1),
      stamp: Stamp(milliseconds: 5),
      previous: 0,
      record: kind == .drop ? palette.record : sea,
      kind: kind,
      writes: writes,
      covers: covers,
      frontier: frontier
    ).encoded
  }

  /// Merges both changes in both orders, and by snapshot, which must give the same.
  private func merged(_ lie: [UInt8], _ change: [UInt8]) throws -> PaletteState {
    let started = try Self.started()
    var (early, late) = (started, started)
    for bytes in [lie, change] { try early.merge(bytes) }
    for bytes in [change, lie] { try late.merge(bytes) }
    var (liars, bobs) = (started, started)
    try liars.merge(lie)
    try bobs.merge(change)
    let (lied, told) = (liars.snapshot, bobs.snapshot)
    try liars.merge(told)
    try bobs.merge(lied)
    for state in [early, liars, bobs] {
      #expect(state.snapshot == late.snapshot && state.digest == late.digest)
      #expect(state.digest == state.computedDigest && state.ahead.isEmpty)
    }
    return late
  }

  /// Bob's note on Ann's color, which nobody has seen.
  private func note() throws -> [UInt8] {
    var state = try Self.started()
    return try state.author(
      .set(Self.sea, [.note: RegisterValue(text: "offline")]),
      by: Self.bob,
      at: Stamp(milliseconds: 3)
    )
  }

  @Test func anOfflineNoteIsThereWhenItArrives() throws {
    let lie = Self.change(
      .set,
      writes: [
        .init(.note, saw: [SeenDot(Dot(Self.bob, 1), proof: 7)], value: RegisterValue(text: "mine"))
      ]
    )
    let state = try merged(lie, try note())
    #expect(state.conflicts(of: Self.sea) == [.note])
  }

  @Test func whoSawItReplacesIt() throws {
    let note = try note()
    let proof = ChangeHash(of: note, in: Self.palette).proof
    let set = Self.change(
      .set,
      writes: [
        .init(
          .note,
          saw: [SeenDot(Dot(Self.bob, 1), proof: proof)],
          value: RegisterValue(text: "mine")
        )
      ]
    )
    let state = try merged(set, note)
    #expect(state.conflicts(of: Self.sea) == [])
    #expect(state.shown(.note, of: Self.sea)?.text == "mine")
  }

  @Test func aDeleteCoversNothingThatIsToCome() throws {
    var state = try Self.started()
    let delete = try state.author(.delete(Self.sea), by: Self.ann, at: Stamp(milliseconds: 4))
    let lie = Self.change(.delete, covers: [SeenDot(Dot(Self.bob, 1), proof: 7)])
    var bobs = try merged(lie, try note())
    try bobs.merge(delete)
    #expect(bobs.listed == [Self.sea])
  }

  @Test func aDropHidesNothingThatIsToCome() throws {
    let held = try Self.started()
    let proof = try #require(held.proof(of: Dot(Self.ann, 2)))
    for (claim, isVisible) in [
      (7, true), (ChangeHash(of: try note(), in: Self.palette).proof, false),
    ]
      as [(UInt32, Bool)]
    {
      let drop = Self.change(
        .drop,
        frontier: [
          SeenDot(Dot(Self.ann, 2), proof: proof), SeenDot(Dot(Self.bob, 1), proof: claim),
        ]
      )
      var early = held
      try early.merge(drop)
      #expect(!early.isVisible)
      #expect(try merged(drop, try note()).isVisible == isVisible)
    }
  }

  @Test func aDropWithAFalseProofOfWhatIsThereHidesNothing() throws {
    let held = try Self.started()
    for claim in [0, 1] as [UInt32] {
      var state = held
      let proof = try #require(held.proof(of: Dot(Self.ann, 2)))
      try state.merge(
        Self.change(.drop, frontier: [SeenDot(Dot(Self.ann, 2), proof: proof ^ claim)])
      )
      #expect(state.isVisible == (claim == 1))
    }
  }

  @Test(arguments: TestSeeds.some(of: 150))
  func marksAgreeWithTheOracleInAnyOrder(seed: UInt64) throws {
    let script = try EditScript(seed: seed)
    let changes = script.changes + (try script.foreseen(seed: ~seed, dropsFalsely: true))
    let oracle = MergeOracle(
      changes: try changes.map { try Change(decoding: $0, in: script.palette) },
      in: script.palette
    )
    let expected = oracle.live
    var random = SeededRandom(seed: ~seed)
    var snapshots: Set<Snapshot> = []
    for _ in 0..<4 {
      var state = PaletteState(script.palette)
      try state.mergeAll(changes, using: &random)
      #expect(state.live == expected, "replay with seed \(seed)")
      #expect(state.isVisible == oracle.isVisible, "replay with seed \(seed)")
      #expect(state.digest == state.computedDigest, "replay with seed \(seed)")
      for bytes in changes.shuffled(using: &random) { try state.merge(bytes) }
      snapshots.insert(state.snapshot)
    }
    #expect(snapshots.count == 1, "replay with seed \(seed)")
  }

  @Test(arguments: TestSeeds.some(of: 150))
  func snapshotsWithForeseenMarksMergeAsTheChangesBehindThem(seed: UInt64) throws {
    let script = try EditScript(seed: seed)
    let lies = try script.foreseen(seed: ~seed, dropsFalsely: false)
    var random = SeededRandom(seed: ~seed)
    var expected = PaletteState(script.palette)
    try expected.mergeAll(script.changes + lies, using: &random)
    var nodes = script.nodes
    for index in nodes.indices {
      for bytes in lies.prefix(.random(in: 0...lies.count, using: &random)) {
        try nodes[index].merge(bytes)
      }
    }
    for bytes in lies { try nodes[0].merge(bytes) }
    for start in nodes {
      var state = start
      for other in nodes.shuffled(using: &random) { try state.merge(other.snapshot) }
      #expect(state.snapshot == expected.snapshot, "replay with seed \(seed)")
      #expect(state.digest == expected.digest, "replay with seed \(seed)")
    }
    var mixed = PaletteState(script.palette)
    for other in nodes.prefix(2) { try mixed.merge(other.snapshot) }
    try mixed.mergeAll(script.changes + lies, using: &random)
    #expect(mixed.snapshot == expected.snapshot, "replay with seed \(seed)")
  }
}

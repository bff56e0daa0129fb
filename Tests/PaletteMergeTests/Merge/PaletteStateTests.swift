import PaletteMerge
import PaletteModel
import Testing

/// What happens when two people edit, one situation a test.
struct PaletteStateTests {
  static let palette = PaletteID(RecordID(high: 1, low: 1))
  static let sea = RecordID(high: 2, low: 2)

  /// Two people who both hold a palette with one color.
  struct Pair {
    var ann = PaletteState(palette)
    var bob = PaletteState(palette)
    var log: [[UInt8]] = []
    private var clock: Int64 = 1000

    init() throws {
      try ann(.add(palette.record, [.name: RegisterValue(text: "P")]))
      try ann(
        .add(
          sea,
          [
            .name: RegisterValue(text: "Sea"), .color: RegisterValue(color: Color(.srgb, 0, 0, 1)),
            .place: RegisterValue(placeBytes: [128]),
          ]
        )
      )
      try exchange()
    }

    mutating func ann(_ edit: Edit) throws {
      clock += 1
      log.append(try ann.author(edit, by: NodeID(1), at: Stamp(milliseconds: clock)))
    }

    mutating func bob(_ edit: Edit) throws {
      clock += 1
      log.append(try bob.author(edit, by: NodeID(2), at: Stamp(milliseconds: clock)))
    }

    /// Both take everything.
    mutating func exchange() throws {
      for bytes in log {
        try ann.merge(bytes)
        try bob.merge(bytes)
      }
      #expect(ann.digest == bob.digest)
    }
  }

  private func named(_ name: String) -> Edit { .set(Self.sea, [.name: RegisterValue(text: name)]) }

  @Test func refusesASnapshotWithMoreThanItClaims() throws {
    var snapshot = try Pair().ann.snapshot
    snapshot.frontier[NodeID(1)] = snapshot.frontier[NodeID(1)].map {
      StreamHead(sequence: 1, link: $0.link)
    }
    var bob = PaletteState(Self.palette)
    #expect(throws: Refusal.self) { try bob.merge(snapshot) }
  }

  @Test func keepsConcurrentNamesAsSiblings() throws {
    var pair = try Pair()
    try pair.ann(named("Ocean"))
    try pair.bob(named("Lake"))
    try pair.exchange()
    #expect(pair.ann.shown(.name, of: Self.sea)?.text == "Lake")
    #expect(pair.ann.conflicts(of: Self.sea) == [.name])
    try pair.ann(named("Pond"))
    try pair.exchange()
    #expect(pair.bob.shown(.name, of: Self.sea)?.text == "Pond")
    #expect(pair.bob.conflicts(of: Self.sea) == [])
  }

  @Test func takesEqualValuesAsOne() throws {
    var pair = try Pair()
    try pair.ann(named("Ocean"))
    try pair.bob(named("Ocean"))
    try pair.exchange()
    #expect(pair.ann.conflicts(of: Self.sea) == [])
    #expect(pair.ann.records[Self.sea]?.values(of: .name).count == 2)
  }

  @Test func bringsBackWholeWhatIsEditedDuringADelete() throws {
    var pair = try Pair()
    try pair.ann(.delete(Self.sea))
    #expect(pair.ann.listed == [])
    try pair.bob(named("Ocean"))
    try pair.exchange()
    #expect(pair.ann.listed == [Self.sea])
    #expect(pair.ann.shown(.color, of: Self.sea)?.color == Color(.srgb, 0, 0, 1))
    try pair.ann(.delete(Self.sea))
    try pair.exchange()
    #expect(pair.bob.listed == [])
  }

  @Test func bringsBackADroppedPaletteForAnEditItNeverSaw() throws {
    var pair = try Pair()
    try pair.ann(.drop(Self.palette))
    #expect(!pair.ann.isVisible)
    try pair.bob(named("Ocean"))
    try pair.exchange()
    #expect(pair.ann.isVisible)
    try pair.bob(.drop(Self.palette))
    try pair.exchange()
    #expect(!pair.ann.isVisible)
  }

  @Test func refusesWhatDoesNotContinueAnAuthor() throws {
    let pair = try Pair()
    var state = PaletteState(Self.palette)
    #expect(throws: Refusal.gap(held: 0)) { try state.merge(pair.log[1]) }
    try state.merge(pair.log[0])

    // The author went back to a copy and wrote something else under the same numbers.
    var copy = PaletteState(Self.palette)
    let other = try copy.author(
      .add(Self.palette.record, [.name: RegisterValue(text: "Q")]),
      by: NodeID(1),
      at: Stamp(milliseconds: 5)
    )
    #expect(throws: Refusal.equivocation) { try state.merge(other) }
    let next = try copy.author(named("X"), by: NodeID(1), at: Stamp(milliseconds: 6))
    #expect(throws: Refusal.fork) { try state.merge(next) }
    #expect(state.frontier[NodeID(1)]?.sequence == 1)
    #expect(throws: Refusal.equivocation) { try state.merge(copy.snapshot) }
  }

  @Test func keepsRegistersItDoesNotKnow() throws {
    var pair = try Pair()
    let register = Register(rawValue: 99)
    try pair.bob(.set(Self.sea, [register: RegisterValue(text: "?")]))
    try pair.exchange()
    #expect(pair.ann.shown(register, of: Self.sea)?.text == "?")
    #expect(pair.ann.conflicts(of: Self.sea) == [])
  }

  @Test func ignoresMarksForAnotherRecord() throws {
    // A delete of one record that names the dot of another covers nothing, in either order.
    let pair = try Pair()
    let stray = Change(
      dot: Dot(NodeID(7), 1),
      stamp: Stamp(milliseconds: 1),
      previous: 0,
      record: RecordID(high: 9, low: 9),
      kind: .delete,
      covers: [SeenDot(Dot(NodeID(1), 2), proof: pair.ann.fact(of: Dot(NodeID(1), 2)).hash.proof)]
    ).encoded
    var late = pair.ann
    try late.merge(stray)
    var early = PaletteState(Self.palette)
    try early.merge(stray)
    for bytes in pair.log { try early.merge(bytes) }
    #expect(early.digest == late.digest)
    #expect(early.listed == [Self.sea] && late.listed == [Self.sea])
  }
}

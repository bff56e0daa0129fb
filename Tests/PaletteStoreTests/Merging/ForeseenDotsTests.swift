import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// Others say to have seen changes that this node has not made: none of its own may be lost by that.
struct ForeseenDotsTests {
  private let library: TemporaryLibrary
  private let store: ChangeStore
  private let palette = PaletteID(RecordID(high: 1, low: 1))
  private let color = RecordID(high: 7, low: 1)
  private let liar = NodeID(77)
  private let node: NodeID

  init() throws {
    library = try TemporaryLibrary()
    store = try ChangeStore(writing: library.folder)
    node = store.node
    try act(
      .add(palette.record, [.name: RegisterValue(text: "P")]),
      .add(
        color,
        [
          .name: RegisterValue(text: "mine"),
          .color: RegisterValue(color: Color(.srgb, 0, 0, 1)),
          .place: RegisterValue(placeBytes: [9]),
        ]
      )
    )
  }

  private func act(_ edits: Edit...) throws {
    try store.write { transaction throws(StoreError) in
      _ = try transaction.palette(beginning: palette).act(edits)
    }
  }

  private func lie(
    _ kind: ChangeKind,
    about record: RecordID,
    writes: [Change.Write] = [],
    covers: [SeenDot] = [],
    frontier: [SeenDot] = []
  ) throws {
    let head = try store.frontier(of: palette)[liar]
    let change = Change(
      dot: Dot(liar, (head?.sequence ?? 0) + 1),
      stamp: Stamp(milliseconds: 5),
      previous: head?.link ?? 0,
      record: record,
      kind: kind,
      writes: writes,
      covers: covers,
      frontier: frontier
    )
    let arrivals = try store.merge([change.encoded], into: palette)
    #expect(arrivals.allSatisfy { if case .merged = $0 { true } else { false } })
  }

  /// The proof that belongs to a change that is held.
  private func proof(_ dot: Dot) throws -> UInt32 {
    UInt32(truncatingIfNeeded: try #require(try store.link(of: dot, in: palette)) >> 32)
  }

  private var shown: String? { get throws { try store.record(color, in: palette)?.name } }

  @Test func aWriteThatSawTheNextOne() throws {
    let saw = (3...9).map { SeenDot(Dot(node, $0), proof: 5) }
    try lie(.set, about: color, writes: [.init(.name, saw: saw, value: .init(text: "theirs"))])
    try act(.set(color, [.name: RegisterValue(text: "again mine")]))
    #expect(try shown == "again mine")
    #expect(try store.verify(palette) == [])
  }

  @Test func aDeleteThatCoversTheNextOnes() throws {
    let covers = try (1...2).map { SeenDot(Dot(node, $0), proof: try proof(Dot(node, $0))) }
    try lie(
      .delete,
      about: color,
      covers: covers + (3...9).map { SeenDot(Dot(node, $0), proof: 5) }
    )
    #expect(try store.colors(of: palette).isEmpty)
    try act(.restore(color, [.place: RegisterValue(placeBytes: [9])]))
    #expect(try store.colors(of: palette).map(\.color.id) == [color])
    #expect(try store.verify(palette) == [])
  }

  @Test func aDropOfAllThatIsToCome() throws {
    try lie(.drop, about: palette.record, frontier: [SeenDot(Dot(node, 3), proof: 5)])
    try lie(
      .drop,
      about: palette.record,
      frontier: [SeenDot(Dot(node, Dot.lastSequence), proof: 5)]
    )
    #expect(try store.summary(of: palette)?.isDropped == false)
    try act(.set(palette.record, [.name: RegisterValue(text: "back")]))
    #expect(try store.palettes().map(\.name) == ["back"])
    #expect(try store.verify(palette) == [])
  }

  @Test func aDropWhoseProofFits() throws {
    try lie(
      .drop,
      about: palette.record,
      frontier: [SeenDot(Dot(node, 2), proof: try proof(Dot(node, 2)))]
    )
    #expect(try store.summary(of: palette)?.isDropped == true)
    #expect(try store.verify(palette) == [])
  }

  @Test func noMarkTakesAnIDAway() throws {
    for sequence in 3...10 as ClosedRange<UInt32> {
      try lie(.delete, about: color, covers: [SeenDot(Dot(node, sequence), proof: 5)])
      try act(.set(color, [.name: RegisterValue(text: "\(sequence)")]))
      #expect(try shown == "\(sequence)")
    }
    #expect(store.node == node)
    #expect(try store.verify(palette) == [])
  }

  @Test func whatIsThereIsReplacedByWhoSawIt() throws {
    for claim in [5, try proof(Dot(node, 2))] as [UInt32] {
      let saw = [SeenDot(Dot(node, 2), proof: claim)]
      try lie(.set, about: color, writes: [.init(.name, saw: saw, value: .init(text: "theirs"))])
      let names = try store.liveValues(of: color, in: palette).filter { $0.value.register == .name }
      #expect(names.contains { $0.value.dot == Dot(node, 2) } == (claim == 5))
      #expect(try store.verify(palette) == [])
    }
  }

  /// Several proofs may wait for one change; one of them may fit.
  @Test(arguments: [false, true])
  func anOfflineNoteIsThereWhenItArrives(wasSeen: Bool) throws {
    let bob = NodeID(2)
    let note = Change(
      dot: Dot(bob, 1),
      stamp: Stamp(milliseconds: 9),
      previous: 0,
      record: color,
      kind: .set,
      writes: [.init(.note, value: RegisterValue(text: "offline"))]
    ).encoded
    let proof = ChangeHash(of: note, in: palette).proof
    for claim in [7, wasSeen ? proof : 8, 9] as [UInt32] {
      let saw = [SeenDot(Dot(bob, 1), proof: claim)]
      try lie(.set, about: color, writes: [.init(.note, saw: saw, value: .init(text: "theirs"))])
    }
    let other = try TemporaryLibrary()
    let copy = try ChangeStore(writing: other.folder)
    #expect(
      try copy.merge(try #require(try store.snapshot(of: palette)), into: palette).refusal == nil
    )
    for store in [store, copy] {
      try store.merge([note], into: palette)
      let notes = try store.liveValues(of: color, in: palette).filter { $0.value.register == .note }
      #expect(notes.contains { $0.value.dot == Dot(bob, 1) } == !wasSeen)
      #expect(try store.snapshot(of: palette)?.ahead == [])
    }
    #expect(try store.digest(of: palette) == copy.digest(of: palette))
    #expect(try store.verify(palette) == [])
  }

  @Test func whatWasSeenIsNoLie() throws {
    let covers = [SeenDot(Dot(node, 2), proof: try proof(Dot(node, 2)))]
    try lie(.delete, about: color, covers: covers)
    #expect(try store.colors(of: palette).isEmpty)
    try act(.restore(color, [.place: RegisterValue(placeBytes: [9])]))
    #expect(store.node == node)
    #expect(try store.colors(of: palette).count == 1)
  }
}

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
    covers: [Dot] = [],
    frontier: [Dot] = []
  ) throws {
    let change = Change(
      dot: Dot(liar, 1),
      stamp: Stamp(milliseconds: 5),
      previous: 0,
      record: record,
      kind: kind,
      writes: writes,
      covers: covers,
      frontier: frontier
    )
    try store.merge([change.encoded], into: palette)
  }

  private var shown: String? { get throws { try store.record(color, in: palette)?.name } }

  @Test func aWriteThatSawTheNextOne() throws {
    let saw = (3...9).map { Dot(node, $0) }
    try lie(.set, about: color, writes: [.init(.name, saw: saw, value: .init(text: "theirs"))])
    try act(.set(color, [.name: RegisterValue(text: "again mine")]))
    #expect(try shown == "again mine")
    #expect(store.node != node && store.isOwn(node))
    #expect(try store.verify(palette) == [])
  }

  @Test func aDeleteThatCoversTheNextOnes() throws {
    try lie(.delete, about: color, covers: (1...9).map { Dot(node, $0) })
    try act(.restore(color, [.place: RegisterValue(placeBytes: [9])]))
    #expect(try store.colors(of: palette).map(\.color.id) == [color])
    #expect(try store.verify(palette) == [])
  }

  @Test func aDropOfAllThatIsToCome() throws {
    try lie(.drop, about: palette.record, frontier: [Dot(node, Dot.lastSequence)])
    try act(.set(palette.record, [.name: RegisterValue(text: "back")]))
    #expect(try store.palettes().map(\.name) == ["back"])
    #expect(try store.verify(palette) == [])
  }

  @Test func whatWasSeenIsNoLie() throws {
    try lie(.delete, about: color, covers: [Dot(node, 2)])
    try act(.restore(color, [.place: RegisterValue(placeBytes: [9])]))
    #expect(store.node == node)
    #expect(try store.colors(of: palette).count == 1)
  }
}

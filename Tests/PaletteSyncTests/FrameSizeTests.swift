import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteSync

/// No frame is longer than a peer takes, whatever changes are made of.
struct FrameSizeTests {
  private static let palette = PaletteID(RecordID(high: 1, low: 1))
  private static let register = Register(rawValue: 40)

  /// A change of many bytes that saw values of many strangers.
  private func change(_ dot: Dot, strangers: Int = 0, bytes: Int = 1) -> Change {
    var random = SeededRandom(seed: UInt64(strangers + bytes))
    let text = String(
      decoding: (0..<bytes).map { _ in UInt8.random(in: 33..<127, using: &random) },
      as: UTF8.self
    )
    let edit = Edit.set(Self.palette.record, [Self.register: RegisterValue(text: text)])
    var change = edit.change(
      dot: dot,
      stamp: Stamp(milliseconds: 1, counter: 0),
      previous: 0,
      frontier: [:],
      state: RecordState(),
      proof: { _ in 0 }
    )
    change.writes[0].saw = (0..<strangers).map { _ in Dot(NodeID(random.next() | 1 << 63), 1) }
      .sorted().map { SeenDot($0, proof: UInt32(truncatingIfNeeded: random.next())) }
    return change
  }

  private func outgoing(_ change: Change) -> OutgoingChange {
    OutgoingChange(dot: change.dot, bytes: ChangeBytes(change.encoded))
  }

  @Test(arguments: [(3_500, 40_000), (3_500, 60_000), (3_000, 20_000), (0, 60_000)])
  func changesOfManyAuthors(strangers: Int, bytes: Int) throws {
    let node = NodeID(7)
    let changes = [
      change(Dot(node, 1), strangers: strangers), change(Dot(node, 2), bytes: bytes),
      change(Dot(node, 3), strangers: strangers), change(Dot(node, 4), bytes: 1),
      change(Dot(node, 5), strangers: strangers / 2, bytes: bytes / 2),
    ]
    var rest = changes.map(outgoing)[...]
    var dots: [Dot] = []
    while !rest.isEmpty {
      let packed = try PackedChanges(first: &rest, payloadBytes: SyncProtocol.payloadBytes)
      let frame = Frame.packedChanges(Self.palette, packed).encoded
      #expect(frame.count <= SyncProtocol.frameBytes)
      dots += try packed.changes(in: Self.palette).compactMap { $0.change?.dot }
    }
    #expect(dots == changes.map(\.dot))
  }

  @Test(arguments: [2, 200, 300, 1_500, 2_000])
  func aSnapshotOfManyAuthors(count: Int) throws {
    let library = MemoryLibrary(NodeID(1))
    var changes = [change(Dot(NodeID(1), 1), bytes: 60_000)]
    for node in 2...UInt64(count) { changes.append(change(Dot(NodeID(node << 40), 1))) }
    let state = PaletteState(Self.palette, of: changes.map { ($0, $0.encoded) })
    library.states[Self.palette] = state
    library.log[Self.palette] = changes.map(outgoing)
    var push = SnapshotPush(try #require(library.outline(of: Self.palette)))
    var pull = SnapshotPull()
    var staged: StagedSnapshot?
    while !push.isAtEnd {
      let next = push.nextPart(of: Self.palette, payloadBytes: SyncProtocol.payloadBytes, library)
      let part = try #require(next)
      #expect(Frame.packed(Self.palette, part).encoded.count <= SyncProtocol.frameBytes)
      staged = try pull.add(part, of: Self.palette)
    }
    #expect(staged?.frontier == state.frontier)
  }
}

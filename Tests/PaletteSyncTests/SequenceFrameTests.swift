import PaletteMerge
import PaletteModel
import PaletteSync
import Testing

/// No frame states the number after the last one that a change may have.
struct SequenceFrameTests {
  private static let palette = PaletteID(RecordID(high: 1, low: 1))

  private static func frames(_ sequence: UInt32) -> [Frame] {
    let frontier: Frontier = [NodeID(1): StreamHead(sequence: sequence, link: 1)]
    return [
      .frontier(palette, frontier, .zero, asks: false, isLast: true), .ack(palette, frontier),
      .changes(palette, NodeID(1), first: sequence, [[1]]),
      .nack(palette, Dot(NodeID(1), sequence), code: "x", reason: "y"),
      .linksOf(palette, NodeID(1), [sequence]),
      .links(palette, NodeID(1), [Frame.Link(sequence: sequence, link: nil)]),
      .historyOf(palette, NodeID(1), first: 1, last: sequence),
    ]
  }

  private static func snapshots(_ sequence: UInt32) -> [Snapshot] {
    let empty = Snapshot(frontier: [:], dropped: [:], highestWrite: [:], ahead: [], rows: [])
    var snapshots = [Snapshot](repeating: empty, count: 4)
    snapshots[0].frontier = [NodeID(1): StreamHead(sequence: sequence, link: 1)]
    snapshots[1].dropped = [NodeID(1): sequence]
    snapshots[2].highestWrite = [NodeID(1): sequence]
    let node = NodeID(1)
    snapshots[3].ahead = [
      PendingReference(record: palette.record, dot: Dot(node, sequence), .covered, proof: 1)
    ]
    return snapshots
  }

  @Test func theLastOneIsRead() throws {
    for frame in Self.frames(Dot.lastSequence) {
      #expect(try Frame(decoding: frame.encoded) == frame)
    }
    for snapshot in Self.snapshots(Dot.lastSequence) {
      #expect(try Snapshot(decoding: snapshot.encoded) == snapshot)
    }
  }

  @Test func theOneAfterItIsRefused() {
    for frame in Self.frames(.max) {
      #expect(throws: MalformedFrame.self) { try Frame(decoding: frame.encoded) }
    }
    for snapshot in Self.snapshots(.max) {
      #expect(throws: MalformedFrame.self) { try Snapshot(decoding: snapshot.encoded) }
    }
  }
}

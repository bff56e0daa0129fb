import Testing

@testable import PaletteMerge
@testable import PaletteModel

/// The greatest number of 32 bits is no sequence number, wherever a peer may say one.
struct SequenceTests {
  private static let palette = PaletteID(RecordID(high: 1, low: 1))
  private static let record = RecordID(high: 1, low: 2)

  private static func delete(_ sequence: UInt32, covers: [SeenDot]) -> Change {
    Change(
      dot: Dot(NodeID(1), sequence),
      stamp: Stamp(rawValue: .max),
      previous: 0,
      record: record,
      kind: .delete,
      covers: covers
    )
  }

  private static func changes(with sequence: UInt32) -> [Change] {
    var drop = delete(5, covers: [])
    drop.kind = .drop
    drop.record = palette.record
    drop.frontier = [SeenDot(Dot(NodeID(2), sequence), proof: 5)]
    var set = delete(5, covers: [])
    set.kind = .set
    set.writes = [
      .init(
        .name,
        saw: [SeenDot(Dot(NodeID(2), sequence), proof: 5)],
        value: RegisterValue(text: "x")
      )
    ]
    return [
      delete(sequence, covers: []),
      delete(5, covers: [SeenDot(Dot(NodeID(2), sequence), proof: 5)]), drop, set,
    ]
  }

  @Test(arguments: [(UInt32.max, false), (Dot.lastSequence, true), (1, true), (0, false)])
  func theLastOne(sequence: UInt32, isOne: Bool) throws {
    for change in Self.changes(with: sequence) {
      let bytes = change.encoded
      let decoded = try? Change(decoding: bytes, in: Self.palette)
      #expect(decoded == (isOne ? change : nil), "\(change.kind)")
      var packer = RowPacker()
      guard (try? bytes.withUnsafeBytes { try packer.add($0, change.dot) }) != nil else {
        #expect(!isOne, "packed \(change.kind)")
        continue
      }
      let packed = packer.removeRows()
      let unpacked = try? packed.changes(
        by: packer.authors,
        in: Self.palette,
        byteLimit: 1_000
      )
      #expect(unpacked?.first?.change == (isOne ? change : nil), "packed \(change.kind)")
    }
    #expect((Dot("0000000000000001:\(sequence)") != nil) == isOne)
  }

  @Test func noneFollowsTheLastOne() throws {
    var packer = RowPacker()
    for sequence in [Dot.lastSequence, .max] {
      let change = Self.delete(sequence, covers: [])
      try change.encoded.withUnsafeBytes { try packer.add($0, change.dot) }
    }
    let packed = packer.removeRows()
    #expect(throws: MalformedPacking.self) {
      try packed.changes(
        by: packer.authors,
        in: Self.palette,
        byteLimit: 1_000
      )
    }
  }
}

import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

/// A packed snapshot is the snapshot, byte for byte.
struct SnapshotPackingTests {
  @Test(arguments: TestSeeds.some(of: 100))
  func unpacksWhatWasPacked(seed: UInt64) throws {
    let script = try EditScript(seed: seed)
    var random = SeededRandom(seed: seed)
    for node in script.nodes {
      let snapshot = node.snapshot
      let parts = try Self.pack(snapshot, script.palette) { _ in random.chance(0.2) }
      let staged = try Self.unpack(parts, snapshot, script.palette)
      #expect(Snapshot(staged) == snapshot, "replay with seed \(seed)")
      #expect(
        staged.changes.order.map { staged.changes.records[Int($0)] }
          == staged.changes.records.sorted()
      )
    }
  }

  @Test(arguments: TestSeeds.some(of: 200))
  func refusesOrCopesWithDamage(seed: UInt64) throws {
    let script = try EditScript(seed: seed % 10)
    var random = SeededRandom(seed: seed)
    let snapshot = script.nodes[0].snapshot
    var parts = try Self.pack(snapshot, script.palette) { _ in false }
    let columns: [WritableKeyPath<PackedRows, [UInt8]>] = [
      \.plain, \.shapes, \.numbers, \.stamps, \.places, \.texts,
    ]
    let column = columns.randomElement(using: &random) ?? \.plain
    guard let index = parts[0][keyPath: column].indices.randomElement(using: &random) else {
      return
    }
    parts[0][keyPath: column][index] ^= UInt8.random(in: 1...255, using: &random)
    do throws(MalformedPacking) {
      let staged = try Self.unpack(parts, snapshot, script.palette)
      for row in Snapshot(staged).rows {
        #expect((try? Change(decoding: row.bytes, in: script.palette)) != nil, "seed \(seed)")
      }
    } catch {
      #expect(!error.description.isEmpty)
    }
  }

  @Test func refusesARecordThatIsNewTwice() throws {
    let script = try EditScript(seed: 3)
    let snapshot = script.nodes[0].snapshot
    var rows = PackedRows()
    for part in try Self.pack(snapshot, script.palette, { _ in true }) where rows.count == 0 {
      rows = part
    }
    // The same row once more is not within its author's order either.
    var unpacker = SnapshotUnpacker(head: snapshot.headOnly, palette: script.palette)
    try unpacker.add(rows)
    #expect(throws: MalformedPacking.self) { try unpacker.add(rows) }
  }

  static func pack(
    _ snapshot: Snapshot,
    _ palette: PaletteID,
    _ cuts: (Int) -> Bool
  ) throws -> [PackedRows] {
    let outline = try snapshot.outline(in: palette)
    var packer = RowPacker(authors: outline.frontier.keys.sorted())
    var parts: [PackedRows] = []
    for (index, row) in outline.rows.enumerated() {
      try snapshot.rows[index].bytes.withUnsafeBytes {
        try packer.add($0, row, unknown: outline.unknown[row.dot] ?? [])
      }
      if cuts(index) { parts.append(packer.removeRows()) }
    }
    return parts + [packer.removeRows()]
  }

  static func unpack(
    _ parts: [PackedRows],
    _ snapshot: Snapshot,
    _ palette: PaletteID
  ) throws(MalformedPacking) -> StagedSnapshot {
    var unpacker = SnapshotUnpacker(head: snapshot.headOnly, palette: palette)
    for part in parts { try unpacker.add(part) }
    return try unpacker.finish()
  }
}

extension Snapshot {
  fileprivate var headOnly: Snapshot {
    var head = self
    head.rows = []
    return head
  }
}

import PaletteMerge
import PaletteTestSupport
import Testing

/// Packed changes are the changes, byte for byte.
struct ChangePackingTests {
  @Test(arguments: TestSeeds.some(of: 100))
  func unpacksWhatWasPacked(seed: UInt64) throws {
    let script = try EditScript(seed: seed)
    var random = SeededRandom(seed: seed)
    var packer = RowPacker()
    var packed: [[UInt8]] = []
    func check() throws {
      guard !packed.isEmpty else { return }
      let rows = packer.removeRows()
      let changes = try rows.changes(
        by: packer.authors,
        in: script.palette,
        byteLimit: 1 << 20
      )
      #expect(changes.map(\.bytes.array) == packed, "replay with seed \(seed)")
      for change in changes {
        #expect(change.hash == ChangeHash(of: change.bytes.array, in: script.palette))
        #expect(try Change(decoding: change.bytes.array, in: script.palette) == change.change)
      }
      packer = RowPacker()
      packed = []
    }
    for bytes in script.changes {
      let dot = try Change(decoding: bytes, in: script.palette).dot
      try bytes.withUnsafeBytes { try packer.add($0, dot) }
      packed.append(bytes)
      if random.chance(0.1) { try check() }
    }
    try check()
  }

  @Test(arguments: TestSeeds.some(of: 200))
  func refusesOrCopesWithDamage(seed: UInt64) throws {
    let script = try EditScript(seed: seed % 10)
    var random = SeededRandom(seed: seed)
    var packer = RowPacker()
    for bytes in script.changes {
      let dot = try Change(decoding: bytes, in: script.palette).dot
      try bytes.withUnsafeBytes { try packer.add($0, dot) }
    }
    var rows = packer.removeRows()
    let columns: [WritableKeyPath<PackedRows, [UInt8]>] = [
      \.plain, \.shapes, \.numbers, \.stamps, \.places, \.texts,
    ]
    let column = columns.randomElement(using: &random) ?? \.plain
    guard let index = rows[keyPath: column].indices.randomElement(using: &random) else { return }
    rows[keyPath: column][index] ^= UInt8.random(in: 1...255, using: &random)
    do throws(MalformedPacking) {
      let changes = try rows.changes(
        by: packer.authors,
        in: script.palette,
        byteLimit: 1 << 20
      )
      #expect(changes.count == rows.count)
      // Nobody checks again what unpacking let through.
      for change in changes {
        let decoded = try? Change(decoding: change.bytes.array, in: script.palette)
        #expect(decoded != nil && decoded == change.change, "replay with seed \(seed)")
      }
    } catch {
      #expect(!error.description.isEmpty)
    }
  }

  @Test func refusesMoreThanTheLimit() throws {
    let script = try EditScript(seed: 1)
    var packer = RowPacker()
    var byteCount = 0
    for bytes in script.changes {
      let dot = try Change(decoding: bytes, in: script.palette).dot
      try bytes.withUnsafeBytes { try packer.add($0, dot) }
      byteCount += bytes.count
    }
    let (rows, authors) = (packer.removeRows(), packer.authors)
    _ = try rows.changes(by: authors, in: script.palette, byteLimit: byteCount)
    #expect(throws: MalformedPacking.self) {
      try rows.changes(by: authors, in: script.palette, byteLimit: byteCount - 1)
    }
  }
}

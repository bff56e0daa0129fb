import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// What is kept about all palettes is what their rows and changes say, whatever happened.
struct LibrarySumsTests {
  @Test(arguments: TestSeeds.some(of: 12))
  func areThoseOfThePalettes(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let temporary = try TemporaryLibrary()
    let store = try ChangeStore(writing: temporary.folder, random: SeededRandom(seed: ~seed))
    if random.chance(0.5) { store.keepState() }
    var names: [PaletteID: String] = [:]
    var dropped: Set<PaletteID> = []
    for step in 0..<60 {
      guard let palette = names.keys.sorted().randomElement(using: &random), random.chance(0.8)
      else {
        let name = "p\(step % 7)"
        names[try store.makePalette(named: name)] = name
        continue
      }
      try edit(palette, step, &names, &dropped, store, &random)
    }
    let listed = names.filter { !dropped.contains($0.key) }
    let summaries = try store.palettes().filter { !$0.isDropped }
    #expect(summaries.count == listed.count, "replay with seed \(seed)")
    for summary in summaries {
      #expect(listed[summary.id] == summary.name, "replay with seed \(seed)")
    }
    try check(store, "replay with seed \(seed)")
  }

  private func edit(
    _ palette: PaletteID,
    _ step: Int,
    _ names: inout [PaletteID: String],
    _ dropped: inout Set<PaletteID>,
    _ store: ChangeStore,
    _ random: inout SeededRandom
  ) throws {
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      try store.rename(palette, to: "n\(step % 5)")
      names[palette] = "n\(step % 5)"
      // Whoever writes brings the palette back.
      dropped.remove(palette)
    case 1:
      try store.write { transaction throws(StoreError) in
        _ = try transaction.palette(palette)?.author(.drop(palette))
      }
      dropped.insert(palette)
    case 2:
      _ = try store.compact(palette, beforeMilliseconds: store.nowMilliseconds)
    case 3:
      // What fails leaves nothing.
      try? store.write { transaction throws(StoreError) in
        _ = try transaction.palette(palette)?.author(
          .set(palette.record, [.name: RegisterValue(text: "never")])
        )
        throw StoreError(code: .failed, message: "on purpose")
      }
    default:
      let color = NamedColor(
        id: RecordID(using: &random),
        name: "c",
        color: Color(.srgb, 0, 0, 1)
      )
      try store.write { transaction throws(StoreError) in
        let writer = try transaction.palette(palette)
        if let writer { try writer.act(try writer.appending([color])) }
      }
      dropped.remove(palette)
    }
  }

  @Test(arguments: TestSeeds.some(of: 12))
  func areThoseOfMergedHistories(seed: UInt64) throws {
    let script = try EditScript(seed: seed)
    let (one, two) = (try TemporaryLibrary(), try TemporaryLibrary())
    let store = try ChangeStore(writing: one.folder, random: SeededRandom(seed: seed))
    try store.merge(script.changes, into: script.palette)
    try check(store, "merged, seed \(seed)")
    let other = try ChangeStore(writing: two.folder, random: SeededRandom(seed: ~seed))
    if let snapshot = try store.snapshot(of: script.palette) {
      _ = try other.merge(snapshot, into: script.palette)
      try check(other, "snapshot, seed \(seed)")
      #expect(try other.digest() == store.digest())
      #expect(try other.bucketDigests() == store.bucketDigests())
    }
    _ = try store.compact(script.palette, beforeMilliseconds: store.nowMilliseconds)
    try check(store, "compacted, seed \(seed)")
  }

  private func check(_ store: ChangeStore, _ comment: Comment) throws {
    #expect(try store.verify() == [], comment)
    let all = try store.paletteDigests()
    var library = Digest.zero
    for entry in all { library += Digest(entry.palette, entry.digest) }
    #expect(try store.digest() == library, comment)
    let buckets = try store.bucketDigests()
    #expect(buckets.count == PaletteID.buckets)
    for bucket in UInt8.min...UInt8.max {
      let entries = try store.paletteDigests(inBuckets: [bucket])
      let wanted = all.filter { $0.palette.bucket == bucket }
      #expect(Set(entries.map(\.palette)) == Set(wanted.map(\.palette)), comment)
      var digest = Digest.zero
      for entry in entries { digest += Digest(entry.palette, entry.digest) }
      #expect(buckets[Int(bucket)] == digest, comment)
    }
    let listed = try store.palettes().filter { !$0.isDropped }
    let totals = try store.totals()
    #expect(totals.palettes == listed.count, comment)
    #expect(totals.colors == listed.reduce(0) { $0 + $1.count }, comment)
    #expect(totals.conflicts == listed.reduce(0) { $0 + $1.conflicts }, comment)
  }
}

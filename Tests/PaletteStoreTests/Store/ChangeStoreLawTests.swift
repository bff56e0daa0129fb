import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// The store keeps the laws of merging, and is the pure rules at every step.
struct ChangeStoreLawTests {
  @Test(arguments: TestSeeds.some(of: 40))
  func agreesWithThePureRules(seed: UInt64) throws {
    let script = try EditScript(seed: seed)
    var random = SeededRandom(seed: ~seed)
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder, random: SeededRandom(seed: seed))
    var pure = PaletteState(script.palette)
    // In every other life somebody says to have seen what is not there.
    let lies = seed % 2 == 0 ? [] : try script.foreseen(seed: ~seed, dropsFalsely: true)
    var waiting = script.changes + lies
    while !waiting.isEmpty {
      waiting.shuffle(using: &random)
      let batch = Array(waiting.prefix(Int.random(in: 1...9, using: &random)))
      let arrivals = try store.merge(batch, into: script.palette)
      for (bytes, arrival) in zip(batch, arrivals) {
        do throws(Refusal) {
          let isNew = try pure.merge(bytes)
          switch arrival {
          case .merged: #expect(isNew, "replay with seed \(seed)")
          case .held: #expect(!isNew, "replay with seed \(seed)")
          case .refused(let refusal): Issue.record("\(refusal), replay with seed \(seed)")
          }
          waiting.removeAll { $0 == bytes }
        } catch {
          guard case .refused(error) = arrival else {
            Issue.record("\(arrival) where \(error), replay with seed \(seed)")
            continue
          }
        }
      }
      try expect(store, pure, "replay with seed \(seed)")
    }
  }

  @Test(arguments: TestSeeds.some(of: 25))
  func snapshotsMergeAsTheChangesBehindThem(seed: UInt64) throws {
    let script = try EditScript(seed: seed)
    var random = SeededRandom(seed: ~seed)
    let lies = seed % 2 == 0 ? [] : try script.foreseen(seed: ~seed, dropsFalsely: false)
    var libraries: [TemporaryLibrary] = []
    var stores: [ChangeStore] = []
    var nodes = script.nodes
    for index in nodes.indices { for bytes in lies { try nodes[index].merge(bytes) } }
    for node in nodes {
      libraries.append(try TemporaryLibrary())
      let store = try ChangeStore(
        writing: libraries[libraries.count - 1].folder,
        random: SeededRandom(seed: seed)
      )
      let held = (lies + script.changes).inSequence(heldBy: node)
      try store.merge(held, into: script.palette)
      if random.chance(0.5) {
        _ = try store.compact(script.palette, beforeMilliseconds: store.nowMilliseconds)
      }
      try expect(store, node, "before, replay with seed \(seed)")
      stores.append(store)
    }
    var expected = PaletteState(script.palette)
    for node in nodes { try expected.merge(node.snapshot) }
    for store in stores {
      for other in stores.shuffled(using: &random) {
        guard let snapshot = try other.snapshot(of: script.palette) else { continue }
        if random.chance(0.5), let staged = try other.stagedSnapshot(of: script.palette) {
          #expect(try store.merge(staged, into: script.palette).refusal == nil)
        } else {
          #expect(try store.merge(snapshot, into: script.palette).refusal == nil)
        }
      }
      try expect(store, expected, "after, replay with seed \(seed)")
    }
  }

  @Test(arguments: TestSeeds.some(of: 40))
  func aNewLibraryTakesAPackedSnapshotAsItIs(seed: UInt64) throws {
    let script = try EditScript(seed: seed)
    for node in script.nodes {
      let (one, other) = (try TemporaryLibrary(), try TemporaryLibrary())
      let source = try ChangeStore(writing: one.folder, random: SeededRandom(seed: seed))
      try source.merge(script.changes.inSequence(heldBy: node), into: script.palette)
      guard let staged = try source.stagedSnapshot(of: script.palette) else { continue }
      #expect(Snapshot(staged) == (try source.snapshot(of: script.palette)))
      let store = try ChangeStore(writing: other.folder, random: SeededRandom(seed: ~seed))
      store.keepState()
      #expect(try store.merge(staged, into: script.palette).refusal == nil)
      try expect(store, node, "replay with seed \(seed)")
      #expect(try store.verify().isEmpty, "replay with seed \(seed)")
      for (index, listed) in try store.colors(of: script.palette).enumerated() {
        #expect(try store.index(of: listed.color.id, in: script.palette) == index)
      }
      // What comes next finds everything in its place.
      try store.merge(script.changes, into: script.palette)
      var pure = node
      for bytes in script.changes { _ = try? pure.merge(bytes) }
      try expect(store, pure, "later, replay with seed \(seed)")
      #expect(try store.verify(script.palette).isEmpty, "later, replay with seed \(seed)")
      for (index, listed) in try store.colors(of: script.palette).enumerated() {
        #expect(try store.index(of: listed.color.id, in: script.palette) == index)
      }
    }
  }

  @Test(arguments: TestSeeds.some(of: 25))
  func compactionChangesNothingThatIsShown(seed: UInt64) throws {
    let script = try EditScript(seed: seed, steps: 120)
    let clock = ManualClock()
    let library = try TemporaryLibrary()
    let store = try ChangeStore(
      writing: library.folder,
      random: SeededRandom(seed: seed),
      milliseconds: { clock.milliseconds }
    )
    var pure = PaletteState(script.palette)
    let lies = seed % 2 == 0 ? [] : try script.foreseen(seed: ~seed, dropsFalsely: true)
    let changes = lies + script.changes
    for (index, bytes) in changes.enumerated() {
      try store.merge([bytes], into: script.palette)
      try pure.merge(bytes)
      clock.milliseconds += 90_000
      if index % 40 == 39 {
        _ = try store.compact(
          script.palette,
          beforeMilliseconds: clock.milliseconds - 20 * 90_000
        )
        try expect(store, pure, "replay with seed \(seed)")
      }
    }
    let summary = try store.compact(script.palette, beforeMilliseconds: clock.milliseconds)
    #expect(summary.removed > 0, "replay with seed \(seed)")
    try expect(store, pure, "replay with seed \(seed)")
    // Everything may come once more, and is known.
    for arrival in try store.merge(changes, into: script.palette) {
      guard case .held = arrival else {
        Issue.record("\(arrival), replay with seed \(seed)")
        continue
      }
    }
    try expect(store, pure, "replay with seed \(seed)")
  }

  /// The store shows what the pure state shows, and its books are right.
  private func expect(
    _ store: ChangeStore,
    _ pure: PaletteState,
    _ comment: Comment
  ) throws {
    let palette = pure.palette
    #expect(try store.digest(of: palette) == pure.digest, comment)
    #expect(try store.colors(of: palette).map(\.color.id) == pure.listed, comment)
    #expect(try store.frontier(of: palette) == pure.frontier, comment)
    for listed in try store.colors(of: palette) {
      let id = listed.color.id
      #expect(listed.color.name == pure.shown(.name, of: id)?.text, comment)
      #expect(listed.color.color == pure.shown(.color, of: id)?.color, comment)
      #expect(listed.conflicts == pure.conflicts(of: id), comment)
    }
    guard let summary = try store.summary(of: palette) else { return }
    #expect(summary.count == pure.listed.count, comment)
    #expect(summary.isDropped == !pure.isVisible, comment)
    let shown =
      pure.listed + (pure.records[palette.record]?.isVisible == true ? [palette.record] : [])
    #expect(summary.conflicts == shown.map { pure.conflicts(of: $0).count }.reduce(0, +), comment)
    #expect(summary.name == pure.name, comment)
  }
}

extension ChangeStore {
  /// A snapshot as it arrives when it was sent packed.
  func stagedSnapshot(of palette: PaletteID) throws -> StagedSnapshot? {
    guard let outline = try outline(of: palette) else { return nil }
    var packer = RowPacker(authors: outline.frontier.keys.sorted())
    var position = 0
    let isWhole = try lend(outline.rows[...], of: palette) { bytes in
      let row = outline.rows[position]
      position += 1
      return (try? packer.add(bytes, row, unknown: outline.unknown[row.dot] ?? [])) != nil
    }
    #expect(isWhole)
    var unpacker = SnapshotUnpacker(head: outline.head, palette: palette)
    try unpacker.add(packer.removeRows())
    return try unpacker.finish()
  }
}

extension [[UInt8]] {
  /// The changes that a node holds, each author's in sequence.
  func inSequence(heldBy node: PaletteState) -> [[UInt8]] {
    filter { bytes in
      (try? Change(decoding: bytes, in: node.palette)).map { node.frontier.holds($0.dot) } ?? false
    }
  }
}

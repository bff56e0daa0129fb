import PaletteMerge
import PaletteTestSupport
import Testing

/// Merging as laws, over random histories and against an oracle that shares nothing with it.
struct MergeLawTests {
  @Test(arguments: TestSeeds.some(of: 150))
  func agreesWithTheOracleInAnyOrder(seed: UInt64) throws {
    let script = try EditScript(seed: seed)
    let oracle = MergeOracle(
      changes: try script.changes.map { try Change(decoding: $0, in: script.palette) },
      in: script.palette
    )
    let expected = oracle.live
    var random = SeededRandom(seed: ~seed)
    var digests: Set<Digest> = []
    for _ in 0..<4 {
      var state = PaletteState(script.palette)
      try state.mergeAll(script.changes, using: &random)
      #expect(state.live == expected, "replay with seed \(seed)")
      #expect(state.frontier.mapValues(\.sequence) == oracle.frontier, "replay with seed \(seed)")
      #expect(state.isVisible == oracle.isVisible, "replay with seed \(seed)")
      #expect(state.ahead.isEmpty, "replay with seed \(seed)")
      #expect(state.digest == state.computedDigest, "replay with seed \(seed)")
      digests.insert(state.digest)
    }
    #expect(digests.count == 1, "replay with seed \(seed)")
  }

  @Test(arguments: TestSeeds.some(of: 60))
  func mergesARepetitionIntoTheSame(seed: UInt64) throws {
    let script = try EditScript(seed: seed)
    var random = SeededRandom(seed: ~seed)
    var state = PaletteState(script.palette)
    try state.mergeAll(script.changes, using: &random)
    let before = state.snapshot
    for bytes in script.changes.shuffled(using: &random) {
      #expect(try state.merge(bytes) == false, "replay with seed \(seed)")
    }
    try state.merge(before)
    #expect(state.snapshot == before, "replay with seed \(seed)")
  }

  @Test(arguments: TestSeeds.some(of: 150))
  func snapshotsMergeAsTheChangesBehindThem(seed: UInt64) throws {
    let script = try EditScript(seed: seed)
    var random = SeededRandom(seed: ~seed)
    var expected = PaletteState(script.palette)
    try expected.mergeAll(script.changes, using: &random)
    // Every node takes the snapshots of all others in some order, without a single change.
    for start in script.nodes {
      var state = start
      for other in script.nodes.shuffled(using: &random) { try state.merge(other.snapshot) }
      #expect(state.snapshot == expected.snapshot, "replay with seed \(seed)")
      #expect(state.digest == expected.digest, "replay with seed \(seed)")
    }
    // Some come by snapshot, the rest one by one.
    var mixed = PaletteState(script.palette)
    for other in script.nodes.prefix(2) { try mixed.merge(other.snapshot) }
    try mixed.mergeAll(script.changes, using: &random)
    #expect(mixed.snapshot == expected.snapshot, "replay with seed \(seed)")
  }
}

extension PaletteState {
  /// Merges changes in a random order that keeps each author's sequence.
  mutating func mergeAll(_ changes: [[UInt8]], using random: inout SeededRandom) throws {
    var waiting = changes
    while !waiting.isEmpty {
      let count = waiting.count
      waiting = try waiting.shuffled(using: &random).filter { bytes in
        do throws(Refusal) {
          try merge(bytes)
          return false
        } catch {
          guard case .gap = error else { throw error }
          return true
        }
      }
      guard waiting.count < count else { return }
    }
  }
}

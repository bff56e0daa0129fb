import PaletteMerge
import PaletteStore
import PaletteTestSupport
import Testing

/// Reading the past is merging the changes up to a time.
struct PastReadingTests {
  @Test(arguments: TestSeeds.some(of: 30))
  func isTheMergeOfTheChangesUpToATime(seed: UInt64) throws {
    let script = try EditScript(seed: seed)
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder, random: SeededRandom(seed: seed))
    let lies = seed % 2 == 0 ? [] : try script.foreseen(seed: ~seed, dropsFalsely: false)
    try store.merge(script.changes + lies, into: script.palette)
    let changes = try (script.changes + lies).map { bytes in
      (change: try Change(decoding: bytes, in: script.palette), bytes: bytes)
    }
    let times = Set(changes.map(\.change.stamp.milliseconds)).sorted()
    let chosen = stride(from: 0, to: times.count, by: max(1, times.count / 12)).map { times[$0] }
    for time in [0] + chosen + [.max] {
      guard case .known(let past) = try store.state(of: script.palette, atMilliseconds: time) else {
        Issue.record("nothing was compacted, replay with seed \(seed)")
        continue
      }
      let held = changes.filter { $0.change.stamp.milliseconds <= time }.map { entry in
        var change = entry.change
        change.frontier.removeAll { seen in !changes.contains { $0.change.dot == seen.dot } }
        return (change: change, bytes: entry.bytes)
      }
      let wanted = PaletteState(script.palette, of: held)
      #expect(past.digest == wanted.digest, "at \(time), replay with seed \(seed)")
      #expect(past.records == wanted.records, "at \(time), replay with seed \(seed)")
      #expect(past.listed == wanted.listed, "at \(time), replay with seed \(seed)")
      #expect(past.isVisible == wanted.isVisible, "at \(time), replay with seed \(seed)")
      #expect(past.name == wanted.name, "at \(time), replay with seed \(seed)")
    }
  }
}

import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// What the store keeps beside its changes is always what they say.
struct ChangeStoreVerificationTests {
  @Test(arguments: TestSeeds.some(of: 20))
  func findsNothingInAnyHistory(seed: UInt64) throws {
    let script = try EditScript(seed: seed)
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder, random: SeededRandom(seed: seed))
    try store.merge(script.changes, into: script.palette)
    #expect(try store.verify(script.palette) == [], "seed \(seed)")
    let list = try store.colors(of: script.palette)
    for (index, entry) in list.enumerated() {
      #expect(try store.index(of: entry.color.id, in: script.palette) == index, "seed \(seed)")
    }
    let names = try store.names(of: script.palette)
    #expect(Set(names.map(\.id)) == Set(list.map(\.color.id)), "seed \(seed)")
    for (id, name) in try store.names(of: script.palette, removed: true) {
      let record = try store.record(id, in: script.palette)
      #expect(record?.isDeleted == true && record?.name == name, "seed \(seed)")
      #expect(try store.index(of: id, in: script.palette) == nil, "seed \(seed)")
    }
    _ = try store.compact(script.palette, beforeMilliseconds: store.nowMilliseconds)
    #expect(try store.verify(script.palette) == [], "seed \(seed)")
    _ = try store.tidy()
    #expect(try store.integrityProblems() == [])
    #expect(try store.colors(of: script.palette).map(\.color.id) == list.map(\.color.id))
  }

  @Test func knowsNothingOfPalettesThatAreNotHeld() throws {
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder)
    let palette = PaletteID(RecordID(high: 1, low: 2))
    #expect(try store.verify(palette) == [])
    #expect(try store.names(of: palette).isEmpty)
    #expect(try store.index(of: palette.record, in: palette) == nil)
    #expect(try store.lastCommitMilliseconds() == nil)
  }

  /// Whoever looks at the clock is not to be told for years that it was ahead once.
  @Test func theTimeOfTheLastCommitIsNotTheGreatestOne() throws {
    let library = try TemporaryLibrary()
    let clock = ManualClock()
    let store = try ChangeStore(writing: library.folder, milliseconds: { clock.milliseconds })
    let right = clock.milliseconds
    clock.milliseconds += 86_400_000
    let palette = try store.makePalette(named: "Brand")
    #expect(try store.lastCommitMilliseconds() == right + 86_400_000)
    clock.milliseconds = right + 1
    try store.write { transaction throws(StoreError) in
      let edit = Edit.set(palette.record, [.name: RegisterValue(text: "Other")])
      _ = try transaction.palette(palette)?.act([edit])
    }
    #expect(try store.lastCommitMilliseconds() == right + 1)
  }

  @Test func tellsWhoWrites() throws {
    let library = try TemporaryLibrary()
    #expect(try library.folder.writer() == nil)
    let store = try ChangeStore(writing: library.folder)
    #expect(try library.folder.writer()?.hasPrefix("process ") == true)
    withExtendedLifetime(store) {}
  }

  @Test func refusesASnapshotWithMoreThanItClaims() throws {
    let ann = try TemporaryLibrary()
    let bob = try TemporaryLibrary()
    let theirs = try ChangeStore(writing: ann.folder)
    let palette = try theirs.makePalette(named: "Brand")
    let ours = try ChangeStore(writing: bob.folder)
    var snapshot = try #require(try theirs.snapshot(of: palette))
    snapshot.frontier = [:]
    #expect(try ours.merge(snapshot, into: palette).refusal == .malformed(.beyondFrontier))
    #expect(try ours.frontier(of: palette).isEmpty)
  }
}

import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// What a running node keeps in memory of its library is what is on disk.
struct KeptStateTests {
  private func expectSame(_ store: ChangeStore, _ palette: PaletteID, _ comment: Comment) throws {
    let disk = try #require(try ChangeStore.reading(store.folder))
    #expect(try store.frontier(of: palette) == disk.frontier(of: palette), comment)
    let (kept, read) = (try store.summary(of: palette), try disk.summary(of: palette))
    #expect(kept?.name == read?.name, comment)
    #expect(kept?.digest == read?.digest, comment)
    #expect(kept?.count == read?.count, comment)
    #expect(kept?.conflicts == read?.conflicts, comment)
    #expect(kept?.isDropped == read?.isDropped, comment)
    for (index, listed) in try disk.colors(of: palette).enumerated() {
      #expect(try store.index(of: listed.color.id, in: palette) == index, comment)
    }
  }

  /// Some writes fail, alone or among others, after they have written.
  @Test(arguments: 0..<30 as Range<UInt64>)
  func isWhatIsOnDisk(seed: UInt64) throws {
    let script = try EditScript(seed: seed)
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder, random: SeededRandom(seed: seed))
    store.keepState()
    var random = SeededRandom(seed: ~seed)
    func write(_ changes: ArraySlice<[UInt8]>, fails: Bool) {
      try? store.write { transaction throws(StoreError) in
        let palette = try transaction.palette(beginning: script.palette)
        for bytes in changes { _ = try palette.merge(bytes) }
        if fails { throw StoreError(code: .failed, message: "given up") }
      }
    }
    var rest = script.changes[...]
    while !rest.isEmpty {
      let next = rest.prefix(Int.random(in: 1...5, using: &random))
      rest = rest.dropFirst(next.count)
      if random.chance(0.5) {
        if random.chance(0.3) { write(next, fails: true) }
        write(next, fails: false)
      } else {
        try store.group {
          _ = try? store.summary(of: script.palette)
          write(next.prefix(1), fails: false)
          if random.chance(0.3) { write(next, fails: true) }
          write(next, fails: false)
        }
      }
      try expectSame(store, script.palette, "replay with seed \(seed)")
    }
    #expect(try store.verify(script.palette).isEmpty, "replay with seed \(seed)")
  }

  @Test func forgetsThePalettesThatWereTooMany() throws {
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder)
    store.keepState()
    let palettes = try (0..<300).map { try store.makePalette(named: "P\($0)") }
    for (number, palette) in palettes.enumerated() {
      #expect(try store.summary(of: palette)?.name == "P\(number)")
    }
    #expect(try store.paletteNames().count == 300)
  }
}

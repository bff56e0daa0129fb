import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// What a running node keeps in memory of its library is what is on disk.
struct KeptStateTests {
  private func expectSame(_ store: ChangeStore, _ script: EditScript, _ comment: Comment) throws {
    let palette = script.palette
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
      #expect(try store.isListed(listed.color.id, in: palette), comment)
    }
    for record in script.records + [palette.record] {
      let (kept, read) = (
        try store.record(record, in: palette), try disk.record(record, in: palette)
      )
      #expect(kept?.color == read?.color, comment)
      #expect(kept?.place == read?.place, comment)
      #expect(kept?.name == read?.name, comment)
      #expect(kept?.text(of: .note) == read?.text(of: .note), comment)
      #expect(kept?.conflicts == read?.conflicts, comment)
      #expect(kept?.isListed == read?.isListed, comment)
      #expect(kept?.isDeleted == read?.isDeleted, comment)
    }
  }

  /// Some writes fail, alone or among others, after they have written.
  @Test(arguments: TestSeeds.some(of: 30))
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
      try expectSame(store, script, "replay with seed \(seed)")
    }
    #expect(try store.verify(script.palette).isEmpty, "replay with seed \(seed)")
  }

  /// One store keeps its undo stack in memory, the other looks at the rows each time.
  @Test(arguments: TestSeeds.some(of: 10))
  func undoesAsTheRowsSay(seed: UInt64) throws {
    let libraries = [try TemporaryLibrary(), try TemporaryLibrary()]
    let keeping = try ChangeStore(writing: libraries[0].folder, random: SeededRandom(seed: seed))
    let reading = try ChangeStore(writing: libraries[1].folder, random: SeededRandom(seed: seed))
    keeping.keepState()
    let palettes = try [keeping, reading].map { try $0.makePalette(named: "P") }
    let color = RecordID(high: 1, low: 2)
    var random = SeededRandom(seed: ~seed)
    for number in 0..<60 {
      let choice = Int.random(in: 0..<10, using: &random)
      let fails = random.chance(0.1)
      var outcomes: [[RecordID]?] = []
      for (store, palette) in zip([keeping, reading], palettes) {
        outcomes.append(
          try? store.write { transaction throws(StoreError) in
            let writer = try transaction.palette(palette)
            var outcome: UndoOutcome?
            switch choice {
            case 0...4:
              let values: KeyValuePairs<Register, RegisterValue> = [
                .name: RegisterValue(text: "n\(number)"),
                .color: RegisterValue(color: Color(.srgb, 0, 0, 1)),
                .place: RegisterValue(placeBytes: [128]),
              ]
              _ = try writer?.act([number == 0 ? .add(color, values) : .set(color, values)])
            case 5...7: outcome = try transaction.undo(in: palette)
            default: outcome = try transaction.redo(in: palette)
            }
            if fails { throw StoreError(code: .failed, message: "given up") }
            return outcome?.changed ?? []
          }
        )
      }
      #expect(outcomes[0] == outcomes[1], "step \(number) of seed \(seed)")
      let names = try zip([keeping, reading], palettes).map { try $0.record(color, in: $1)?.name }
      #expect(names[0] == names[1], "step \(number) of seed \(seed)")
    }
  }

  @Test func forgetsThePalettesThatWereTooMany() throws {
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder)
    store.keepState()
    let palettes = try (0..<300).map { try store.makePalette(named: "P\($0)") }
    for (number, palette) in palettes.enumerated() {
      #expect(try store.summary(of: palette)?.name == "P\(number)")
    }
    #expect(try store.palettes().count == 300)
  }
}

import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// The engine as a program embeds it, through what is public.
struct ChangeLogTests {
  @Test func keepsWhatManyTasksWrite() async throws {
    let library = try TemporaryLibrary()
    let log = try await ChangeLog(writing: library.folder)
    let id = try await log.run { try $0.makePalette(named: "Sea") }
    try await withThrowingTaskGroup { group in
      for number in 0..<20 {
        group.addTask {
          try await log.run { store in
            let list = try store.colors(of: id).map(\.color)
            var random = SeededRandom(seed: UInt64(number))
            let color = NamedColor(
              id: RecordID(using: &random),
              name: "c\(number)",
              color: Color(.srgb, 0, 0, 1)
            )
            try store.commit(PaletteDiff(from: list, to: [color] + list), to: id)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await log.run { try $0.colors(of: id).count } == 20)
  }

  @Test func carriesAnAssignmentToAnotherLibrary() throws {
    let libraries = [try TemporaryLibrary(), try TemporaryLibrary()]
    let ann = try ChangeStore(writing: libraries[0].folder)
    let bob = try ChangeStore(writing: libraries[1].folder)
    let id = try ann.makePalette(named: "Sea")

    // A palette in memory whose changes go to the log.
    let palette = Palette(id: id, name: "Sea")
    var failure: (any Error)?
    let observation = palette.onChange { change in
      guard change.origin == .here else { return }
      do { try ann.commit(change.diff, to: id) } catch { failure = error }
    }
    defer { observation.cancel() }
    var random = SeededRandom(seed: 1)
    let colors = ["a", "b", "c", "d"].map {
      NamedColor(id: RecordID(using: &random), name: $0, color: Color(.srgb, 1, 0, 0))
    }
    palette.colors = colors
    palette.colors = [colors[3], colors[0], colors[2]]
    try palette.update { $0[1].name = "A" }
    #expect(failure == nil)

    // Logs are exchanged in any order; digests tell when both hold the same.
    let changes = try #require(try ann.changes(of: id, after: bob.frontier(of: id)))
    for arrival in try bob.merge(changes, into: id) {
      guard case .merged = arrival else {
        Issue.record("\(arrival)")
        continue
      }
    }
    #expect(try ann.digest() == bob.digest())
    #expect(try bob.colors(of: id).map(\.color.name) == ["d", "A", "c"])
    #expect(palette.colors.map(\.name) == ["d", "A", "c"])
  }

  /// The other half of the README's example.
  @Test func takesTheStateOfWhatWasCompacted() throws {
    let libraries = [try TemporaryLibrary(), try TemporaryLibrary()]
    let ann = try ChangeStore(writing: libraries[0].folder)
    let bob = try ChangeStore(writing: libraries[1].folder)
    let id = try ann.makePalette(named: "Brand")
    for name in ["a", "b"] {
      try ann.write { transaction throws(StoreError) in
        let edit = Edit.set(id.record, [.name: RegisterValue(text: name)])
        _ = try transaction.palette(id)?.act([edit])
      }
    }
    _ = try ann.compact(id, beforeMilliseconds: .max)

    #expect(try ann.changes(of: id, after: bob.frontier(of: id)) == nil)
    let snapshot = try #require(try ann.snapshot(of: id))
    _ = try bob.merge(snapshot, into: id)
    #expect(try ann.digest() == bob.digest())
  }

  @Test func refusesADiffAboutAnotherList() throws {
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder)
    let id = try store.makePalette(named: "Sea")
    let digest = try store.digest()
    let stray = PaletteDiff(deletions: [.init(index: 3, id: RecordID(high: 1, low: 1))])
    #expect(throws: StoreError.self) { try store.commit(stray, to: id) }
    #expect(try store.digest() == digest)
  }

  @Test(arguments: TestSeeds.some(of: 30))
  func aListBecomesWhatItIsAssigned(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder, random: SeededRandom(seed: ~seed))
    let id = try store.makePalette(named: "Sea")
    var expected: [[String]] = []
    for _ in 0..<12 {
      let old = try store.colors(of: id).map(\.color)
      var new = old.shuffled(using: &random).filter { _ in random.chance(0.8) }
      if random.chance(0.5) { new = old.filter { _ in random.chance(0.9) } }
      for _ in 0..<Int.random(in: 0..<6, using: &random) {
        let color = NamedColor(
          id: RecordID(using: &random),
          name: "n\(random.next() % 9)",
          color: Color(.srgb, 0, Double(random.next() % 5) / 255, 0)
        )
        new.insert(color, at: Int.random(in: 0...new.count, using: &random))
      }
      try store.commit(PaletteDiff(from: old, to: new), to: id)
      let now = try store.colors(of: id).map(\.color)
      #expect(now.map(\.id) == new.map(\.id), "replay with seed \(seed)")
      #expect(zip(now, new).allSatisfy { $0.hasSameContent(as: $1) }, "replay with seed \(seed)")
      if !isSame(old, new) { expected.append(old.map(\.name)) }
    }
    // And back again, action by action.
    while let names = expected.popLast() {
      try store.write { transaction throws(StoreError) in
        _ = try transaction.undo(in: id)
      }
      #expect(try store.colors(of: id).map(\.color.name) == names, "replay with seed \(seed)")
    }
  }

  private func isSame(_ old: [NamedColor], _ new: [NamedColor]) -> Bool {
    (try? PaletteDiff(from: old, to: new).isEmpty) ?? false
  }
}

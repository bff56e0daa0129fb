import Observation
import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Synchronization
import Testing

/// The list of palettes as an app observes it.
@MainActor
struct LibraryTests {
  private static let tomato = Color(.srgb, 1, 0.39, 0.28)

  private func log() async throws -> (TemporaryLibrary, ChangeLog) {
    let folder = try TemporaryLibrary()
    return (folder, try await ChangeLog(writing: folder.folder))
  }

  /// A change in a word or two.
  private func words(_ change: LibraryChange) -> String {
    switch change {
    case .appeared(let palette, let index): "+\(palette.name)@\(index)"
    case .went(let palette, let index): "-\(palette.name)@\(index)"
    case .changed(let palette, let was, let from, let to):
      "\(was.name) \(was.count)@\(from) > \(palette.name) \(palette.count)@\(to)"
    }
  }

  @Test func ownEditsAreToldOnceAndAreThereAtOnce() async throws {
    let (home, log) = try await log()
    defer { withExtendedLifetime(home) {} }
    try await log.run { _ = try $0.makePalette(named: "Old") }
    let library = try await log.library()
    #expect(library.palettes.map(\.name) == ["Old"])
    var told: [String] = []
    library.onChange { told.append(words($0)) }
    let sea = try await library.makePalette(named: "Sea")
    let brand = try await library.makePalette(named: "Brand")
    #expect(library.palettes.map(\.name) == ["Brand", "Old", "Sea"] && library.count == 3)
    try await library.drop(sea)
    try await library.drop(sea)
    #expect(library[sea] == nil && library[brand]?.count == 0)
    #expect(try await library.dropped().map(\.id) == [sea])
    try await library.restore(sea)
    try await library.restore(brand)
    try await library.refresh()
    #expect(told == ["+Sea@1", "+Brand@0", "-Sea@2", "+Sea@2"])
    #expect(try await library.dropped().isEmpty)
  }

  @Test func whatOthersWriteIsTakenInAsItHappens() async throws {
    let (home, log) = try await log()
    defer { withExtendedLifetime(home) {} }
    let library = try await log.library()
    var told: [String] = []
    library.onChange { told.append(words($0)) }
    let following = Task { try await library.follow() }
    let id = try await library.makePalette(named: "Brand")
    try await log.run { _ = try $0.makePalette(named: "Sea") }
    let palette = try await log.palette(id)
    palette.colors = [NamedColor(name: "Ripe", color: Self.tomato)]
    try await palette.flush()
    while library[id]?.count != 1 { await Task.yield() }
    palette.name = "Waves"
    try await palette.flush()
    while library[id]?.name != "Waves" { await Task.yield() }
    try await library.drop(id)
    // Nothing comes behind it that was told before.
    try await log.run { _ = try $0.makePalette(named: "Zoo") }
    while library.count != 2 { await Task.yield() }
    #expect(
      told == [
        "+Brand@0", "+Sea@1", "Brand 0@0 > Brand 1@0", "Brand 1@0 > Waves 1@1", "-Waves@1",
        "+Zoo@1",
      ]
    )
    following.cancel()
    try await following.value
  }

  @Test func whatCameFromAPeerIsTakenIn() async throws {
    let (home, log) = try await log()
    defer { withExtendedLifetime(home) {} }
    let library = try await log.library()
    let folder = try TemporaryLibrary()
    let other = try ChangeStore(writing: folder.folder)
    let id = try other.makePalette(named: "Theirs")
    let changes = try #require(try other.changes(of: id, after: [:]))
    try await log.run { _ = try $0.merge(changes, into: id) }
    #expect(library.count == 0)
    try await library.refresh()
    #expect(library.palettes.map(\.name) == ["Theirs"])
    #expect(try await log.run { try $0.palettePage()?.palettes } == library.palettes)
  }

  @Test func observersOfAPropertyHearOfItsChangesAlone() async throws {
    let (home, log) = try await log()
    defer { withExtendedLifetime(home) {} }
    let library = try await log.library()
    let id = try await library.makePalette(named: "Brand")
    let changes = Mutex((palettes: 0, count: 0))
    func observe() {
      withObservationTracking {
        _ = library.palettes
      } onChange: {
        changes.withLock { $0.palettes += 1 }
      }
      withObservationTracking {
        _ = library.count
      } onChange: {
        changes.withLock { $0.count += 1 }
      }
    }
    observe()
    let palette = try await log.palette(id)
    palette.name = "Sea"
    try await palette.flush()
    try await library.refresh()
    #expect(changes.withLock { $0 == (1, 0) })
    observe()
    try await library.drop(id)
    // Both observers of the count have waited for this.
    #expect(changes.withLock { $0 == (2, 2) })
  }

  @Test(arguments: TestSeeds.some(of: 20))
  func theListIsTheOneOfTheLog(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let (home, log) = try await log()
    defer { withExtendedLifetime(home) {} }
    let library = try await log.library()
    var copy = library.palettes
    library.onChange { change in
      switch change {
      case .appeared(let palette, let index): copy.insert(palette, at: index)
      case .went(_, let index): copy.remove(at: index)
      case .changed(let palette, _, let from, let to):
        copy.remove(at: from)
        copy.insert(palette, at: to)
      }
    }
    for _ in 0..<12 {
      let name = ["é", "e\u{301}", "Z", "a", ""][Int(random.next() % 5)]
      if let some = library.palettes.randomElement(using: &random), random.chance(0.6) {
        if random.chance(0.3) {
          try await library.drop(some.id)
        } else {
          let palette = try await log.palette(some.id)
          palette.name = name
          try await palette.flush()
        }
      } else {
        try await log.run { _ = try $0.makePalette(named: name) }
      }
      if random.chance(0.7) { try await library.refresh() }
    }
    try await library.refresh()
    let listed = try await log.run { try $0.palettePage()?.palettes }
    #expect(library.palettes == listed && copy == listed, "replay with seed \(seed)")
  }
}

import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// Palettes that are bound to a log.
struct BoundPaletteTests {
  private static let tomato = Color(.srgb, 1, 0.39, 0.28)

  private func log() async throws -> (TemporaryLibrary, ChangeLog, PaletteID) {
    let library = try TemporaryLibrary()
    let log = try await ChangeLog(writing: library.folder)
    let id = try await log.run { try $0.makePalette(named: "Brand") }
    return (library, log, id)
  }

  private func names(_ id: PaletteID, _ log: ChangeLog) async throws -> [String] {
    try await log.run { try $0.colors(of: id).map(\.color.name) }
  }

  @Test func whatIsEditedIsWrittenInItsOrder() async throws {
    let (library, log, id) = try await log()
    let palette = try await log.palette(id)
    for number in 0..<40 {
      let color = NamedColor(name: "\(number)", color: Self.tomato)
      palette.colors = [color] + palette.colors.reversed()
      if number % 10 == 0 { palette.name = "Brand \(number)" }
    }
    try palette.delete([palette.colors[3].id])
    try palette.annotate(palette.colors[0].id, with: "for buttons")
    try await palette.flush()
    #expect(try await names(id, log) == palette.colors.map(\.name))
    // As another process finds it.
    let store = try #require(try ChangeStore.reading(library.folder))
    #expect(try store.summary(of: id)?.name == "Brand 30")
    #expect(try store.colors(of: id).first?.color.note == "for buttons")
    #expect(try store.conflicts(of: id).isEmpty)
  }

  /// The lines of the README, and what they leave on the disk.
  @Test func theExampleOfTheReadmeLosesNothing() async throws {
    let library = try TemporaryLibrary()
    let log = try await ChangeLog(writing: library.folder)
    let id = try await log.run { try $0.makePalette(named: "Brand") }

    let palette = try await log.palette(id)
    palette.name = "Brand 2026"
    palette.colors = [NamedColor(name: "Ripe", color: try Color("tomato"))]
    try palette.annotate(palette.colors[0].id, with: "for buttons")
    try await palette.flush()

    let store = try #require(try ChangeStore.reading(library.folder))
    #expect(try store.summary(of: id)?.name == "Brand 2026")
    let colors = try store.colors(of: id).map(\.color)
    #expect(colors.map(\.name) == ["Ripe"] && colors.map(\.note) == ["for buttons"])
  }

  @Test func isLoadedWithWhatIsThere() async throws {
    let (home, log, id) = try await log()
    defer { withExtendedLifetime(home) {} }
    let first = try await log.palette(id)
    first.colors = ["a", "b"].map { NamedColor(name: $0, color: Self.tomato) }
    try await first.flush()
    let second = try await log.palette(id)
    #expect(second.name == "Brand" && second.colors.map(\.name) == ["a", "b"])
    #expect(second.colors.map(\.id) == first.colors.map(\.id))
  }

  @Test func whatWasNotSeenIsNotOverwritten() async throws {
    let (home, log, id) = try await log()
    defer { withExtendedLifetime(home) {} }
    let (mine, theirs) = (try await log.palette(id), try await log.palette(id))
    mine.colors = ["a", "b", "c"].map { NamedColor(name: $0, color: Self.tomato) }
    try await mine.flush()
    try await theirs.refresh()
    let ids = mine.colors.map(\.id)
    // Neither sees what the other does.
    try theirs.rename(ids[0], to: "theirs")
    try theirs.move(ids[2], to: 0)
    try await theirs.flush()
    try mine.rename(ids[0], to: "mine")
    try mine.recolor(ids[0], to: Color(.srgb, 0, 0, 1))
    try mine.delete([ids[1]])
    try mine.save(Self.tomato, named: "new", using: &random)
    try await mine.flush()
    let conflicts = try await log.run { try $0.conflicts(of: id) }
    #expect(conflicts == [ids[0]: [.name]])
    #expect(mine.colors.map(\.name) == ["new", "mine", "c"])
    try await mine.refresh()
    try await theirs.refresh()
    #expect(mine.colors.map(\.id) == theirs.colors.map(\.id))
    #expect(mine.colors.map(\.name) == theirs.colors.map(\.name))
    #expect(
      Set(mine.colors.map(\.id)) == Set([mine.colors[0].id, ids[0], ids[2]]).union(ids.prefix(1))
    )
    // Whoever has seen both decides.
    try mine.rename(ids[0], to: "ours")
    try await mine.flush()
    #expect(try await log.run { try $0.conflicts(of: id) }.isEmpty)
  }

  private var random: SystemRandomNumberGenerator {
    get { SystemRandomNumberGenerator() }
    nonmutating set {}
  }

  @Test func takesInWhatOthersWriteAndDoesNotWriteItAgain() async throws {
    let (home, log, id) = try await log()
    defer { withExtendedLifetime(home) {} }
    let palette = try await log.palette(id)
    var origins: [PaletteChange.Origin] = []
    palette.onChange { origins.append($0.origin) }
    let color = NamedColor(name: "theirs", color: Self.tomato)
    try await log.run { store in
      try store.commit(PaletteDiff(from: [], to: [color]), to: id)
      try store.rename(id, to: "Dusk")
    }
    let digest = try await log.run { try $0.digest() }
    try await palette.refresh()
    #expect(palette.name == "Dusk" && palette.colors == [color] && origins == [.elsewhere])
    try await palette.flush()
    #expect(try await log.run { try $0.digest() } == digest)
  }

  @Test @MainActor func followsTheLog() async throws {
    let (home, log, id) = try await log()
    defer { withExtendedLifetime(home) {} }
    let palette = try await log.palette(id)
    let diffs = palette.diffs
    let following = Task { try await palette.follow() }
    for number in 0..<3 {
      try await log.run { store in
        let list = try store.colors(of: id).map(\.color)
        let color = NamedColor(name: "\(number)", color: Self.tomato)
        try store.commit(PaletteDiff(from: list, to: list + [color]), to: id)
      }
    }
    for await _ in diffs where palette.count == 3 { break }
    #expect(palette.colors.map(\.name) == ["0", "1", "2"])
    following.cancel()
    try? await following.value
  }

  @Test func anEditThatCannotBeWrittenIsToldAndKept() async throws {
    let (home, log, id) = try await log()
    defer { withExtendedLifetime(home) {} }
    let palette = try await log.palette(id)
    // No change has room for this.
    palette.name = String(repeating: "x", count: 100_000)
    await #expect(throws: StoreError.self) { try await palette.flush() }
  }
}

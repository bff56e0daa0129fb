import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// What a palette that a log keeps can do beyond editing.
struct PaletteActionsTests {
  private static let tomato = Color(.srgb, 1, 0.39, 0.28)

  private func palette() async throws -> (TemporaryLibrary, ChangeLog, Palette) {
    let library = try TemporaryLibrary()
    let log = try await ChangeLog(writing: library.folder)
    let id = try await log.run { try $0.makePalette(named: "Brand") }
    return (library, log, try await log.palette(id))
  }

  private func colors(_ names: String...) -> [NamedColor] {
    names.map { NamedColor(name: $0, color: Self.tomato) }
  }

  @Test func undoingTakesBackWhatWasEditedAMomentAgo() async throws {
    let (home, _, palette) = try await palette()
    defer { withExtendedLifetime(home) {} }
    palette.colors = colors("a", "b")
    try palette.rename(palette.colors[0].id, to: "c")
    // Nothing was flushed: undoing does so first.
    let undone = try await palette.undo()
    #expect(palette.colors.map(\.name) == ["a", "b"] && undone?.changed.count == 1)
    try await palette.redo()
    #expect(palette.colors.map(\.name) == ["c", "b"])
    #expect(try await palette.redo() == nil)
    try await palette.undo()
    try await palette.undo()
    #expect(palette.colors.isEmpty)
    #expect(try await palette.undo() == nil)
  }

  @Test func aConflictIsSettledWithAChoiceAndWhatComesLaterStaysBesideIt() async throws {
    let (home, log, mine) = try await palette()
    defer { withExtendedLifetime(home) {} }
    mine.colors = colors("a")
    try await mine.flush()
    let theirs = try await log.palette(mine.id)
    let color = mine.colors[0].id
    try theirs.rename(color, to: "theirs")
    try await theirs.flush()
    try mine.rename(color, to: "mine")
    let conflict = try #require(try await mine.conflicts().first)
    #expect(conflict.record == color && conflict.register == .name)
    #expect(Set(conflict.choices.compactMap(\.value.text)) == ["mine", "theirs"])

    // The other side goes on before the conflict is settled here.
    try theirs.rename(color, to: "later")
    try await theirs.flush()
    let choice = try #require(conflict.choices.first { $0.value.text == "mine" })
    try await mine.resolve(conflict, with: choice)
    let left = try #require(try await mine.conflicts().first)
    #expect(Set(left.choices.compactMap(\.value.text)) == ["mine", "later"])
    try await mine.resolve(left, with: left.choices[0])
    #expect(try await mine.conflicts().isEmpty)
    #expect(mine.colors.map(\.name) == [left.choices[0].value.text])
  }

  @Test func historyNamesActionsAndOneOfThemComesBack() async throws {
    let (home, _, palette) = try await palette()
    defer { withExtendedLifetime(home) {} }
    palette.colors = colors("a", "b")
    let added = try #require(try await palette.history(limit: 1).first)
    #expect(added.count == 2 && added.effects == .added)
    try palette.delete([palette.colors[0].id])
    palette.colors += colors("c")
    let all = try await palette.history()
    #expect(all.map(\.id) == all.map(\.id).sorted(by: >))
    #expect(try await palette.history(before: added.id).allSatisfy { $0.id < added.id })

    let reverted = try await palette.revert(to: added.id)
    #expect(palette.colors.map(\.name) == ["a", "b"] && reverted.changed.count == 2)
    #expect(try await palette.revert(to: added.id).changed.isEmpty)
    try await palette.undo()
    #expect(palette.colors.map(\.name) == ["b", "c"])
    await #expect(throws: StoreError.self) { try await palette.revert(toMilliseconds: 1) }
  }

  @Test func aPaletteOfNoLogHasNothingToUndo() async throws {
    let palette = try Palette(
      id: PaletteID(RecordID(high: 1, low: 1)),
      name: "Loose",
      colors: colors("a")
    )
    #expect(try await palette.undo() == nil)
    #expect(try await palette.history().isEmpty)
    #expect(try await palette.conflicts().isEmpty)
    #expect(try await palette.revert(toMilliseconds: 1).changed.isEmpty)
    #expect(palette.count == 1)
  }
}

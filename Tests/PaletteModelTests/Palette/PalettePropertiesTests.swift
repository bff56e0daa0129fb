import PaletteMerge
import PaletteModel
import Testing

struct PalettePropertiesTests {
  private struct Refusal: Error {}

  private func palette(_ numbers: Range<Int> = 0..<4) throws -> Palette {
    try Palette(id: PaletteID(.numbered(99)), name: "Autumn", colors: .numbered(numbers))
  }

  @Test func reportsAnAssignmentAsOneDiff() throws {
    let palette = try palette()
    var changes: [PaletteChange] = []
    palette.onChange { changes.append($0) }
    let old = palette.colors
    let new = [NamedColor].numbered([3, 0, 8, 9])
    palette.colors = new
    #expect(changes.map(\.diff) == [try PaletteDiff(from: old, to: new)])
    #expect(changes.first?.origin == .here)
    #expect(changes.first?.before.contents == old.contents)
    #expect(changes.first?.after.contents == new.contents)
    #expect(palette.count == 4)
  }

  @Test func keepsItsColorsWhenAnAssignmentHasADuplicate() throws {
    let palette = try palette()
    let old = palette.colors
    var errors: [PaletteDiffError] = []
    palette.onError { errors.append($0) }
    palette.onChange { _ in Issue.record("nothing changed") }
    palette.colors.append(.numbered(2, version: 5))
    let expected = PaletteDiffError(.duplicateID, id: .numbered(2), index: 4)
    #expect(palette.colors.contents == old.contents)
    #expect(palette.lastError == expected)
    #expect(errors == [expected])
    palette.colors = old
    #expect(palette.lastError == nil)
  }

  @Test func throwsWhatTheSetterOnlyReports() throws {
    let palette = try palette()
    let old = palette.colors
    #expect(throws: PaletteDiffError.self) { try palette.setColors(.numbered([1, 1])) }
    #expect(throws: PaletteDiffError.self) { try palette.update { $0.append(.numbered(0)) } }
    #expect(throws: Refusal.self) {
      try palette.update { colors in
        colors.removeAll()
        throw Refusal()
      }
    }
    #expect(palette.colors.contents == old.contents)
    #expect(palette.lastError == nil)
  }

  @Test func updatesInPlaceWithOneDiff() throws {
    let palette = try palette()
    var count = 0
    palette.onChange { _ in count += 1 }
    let diff = try palette.update { colors in
      colors.removeFirst()
      colors.swapAt(0, 2)
      colors[1].name = "other"
    }
    #expect(count == 1)
    #expect(diff.deletions.count == 1 && diff.moves.count == 2 && diff.updates.count == 1)
  }

  @Test func tellsChangesFromElsewhereApart() throws {
    let here = try palette()
    let there = try palette()
    var origins: [PaletteChange.Origin] = []
    there.onChange { origins.append($0.origin) }
    there.onRename { origins.append($0.origin) }
    here.onChange { change in
      do { try there.apply(change.diff) } catch { Issue.record(error) }
    }
    here.colors = .numbered([5, 1, 0])
    there.colors = .numbered([5, 1])
    there.apply(name: "Winter")
    there.name = "Spring"
    #expect(origins == [.elsewhere, .here, .elsewhere, .here])
    #expect(here.colors.contents == [NamedColor].numbered([5, 1, 0]).contents)
  }

  @Test func refusesADiffThatDoesNotFit() throws {
    let palette = try palette()
    let old = palette.colors
    let diff = PaletteDiff(deletions: [.init(index: 0, id: .numbered(1))])
    #expect(throws: PaletteDiffError.self) { try palette.apply(diff) }
    #expect(palette.colors.contents == old.contents)
  }

  @Test func selectsOnlyWhatItHolds() throws {
    let palette = try palette()
    palette.selected = .numbered(3)
    #expect(palette.selectedColor?.id == .numbered(3))
    palette.selected = .numbered(4)
    #expect(palette.selected == nil)
    #expect(palette.selectedColor == nil)
  }

  @Test func tellsNamesApartByBytes() throws {
    let palette = try palette()
    palette.name = "\u{E9}"
    palette.name = "e\u{301}"
    #expect(Array(palette.name.utf8) == [0x65, 0xCC, 0x81])
  }
}

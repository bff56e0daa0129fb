import PaletteModel
import PaletteTestSupport
import Testing

struct PaletteEditingTests {
  private func palette(_ numbers: Range<Int> = 0..<4) throws -> Palette {
    try Palette(id: PaletteID(.numbered(99)), name: "Autumn", colors: .numbered(numbers))
  }

  private func numbers(_ palette: Palette) -> [UInt64] { palette.colors.map(\.id.low) }

  @Test func savesAtTheFront() throws {
    let palette = try palette()
    var random = SeededRandom(seed: 1)
    var inserted: [Int] = []
    palette.onInsert { inserted.append($1) }
    let saved = try palette.save(Color(.srgb, 1, 0, 0), named: "#ff0000", using: &random)
    #expect(inserted == [0])
    #expect(palette.colors.first?.id == saved.id)
    #expect(palette.colors.first?.name == "#ff0000")
    #expect(palette.count == 5)
  }

  @Test func editsInPlace() throws {
    let palette = try palette()
    try palette.rename(.numbered(1), to: "One")
    try palette.recolor(.numbered(1), to: Color(.hsb, 1, 2, 3))
    try palette.annotate(.numbered(1), with: "first")
    #expect(
      [palette.colors[1]].contents
        == [
          NamedColor(id: .numbered(1), name: "One", color: Color(.hsb, 1, 2, 3), note: "first")
        ].contents
    )
    #expect(numbers(palette) == [0, 1, 2, 3])
  }

  @Test(arguments: [(0, 3, [1, 2, 3, 0]), (3, 0, [3, 0, 1, 2]), (1, 2, [0, 2, 1, 3])])
  func movesToAFinalIndex(number: Int, index: Int, expected: [UInt64]) throws {
    let palette = try palette()
    try palette.move(.numbered(number), to: index)
    #expect(numbers(palette) == expected)
  }

  @Test func deletesAllOrNone() throws {
    let palette = try palette()
    let error = try #require(throws: PaletteDiffError.self) {
      try palette.delete([.numbered(1), .numbered(8)])
    }
    #expect(error == PaletteDiffError(.unknownID, id: .numbered(8)))
    #expect(palette.count == 4)
    try palette.delete([.numbered(1), .numbered(2)])
    #expect(numbers(palette) == [0, 3])
  }

  @Test func refusesWhatIsNotThere() throws {
    let palette = try palette()
    #expect(throws: PaletteDiffError(.unknownID, id: .numbered(8))) {
      try palette.rename(.numbered(8), to: "x")
    }
    #expect(throws: PaletteDiffError(.badIndex, id: .numbered(1), index: 4)) {
      try palette.move(.numbered(1), to: 4)
    }
  }
}

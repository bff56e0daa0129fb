import PaletteModel
import Testing

/// A diff that does not fit the list of colors 0, 1 and 2, and why.
struct MisfitCase: CustomTestStringConvertible {
  let title: String
  let diff: PaletteDiff
  let code: PaletteDiffError.Code

  var testDescription: String { title }
}

struct PaletteDiffApplyingTests {
  @Test(arguments: [
    MisfitCase(
      title: "deletion beyond the end",
      diff: PaletteDiff(deletions: [.init(index: 3, id: .numbered(3))]),
      code: .badIndex
    ),
    MisfitCase(
      title: "deletion before the beginning",
      diff: PaletteDiff(deletions: [.init(index: -1, id: .numbered(3))]),
      code: .badIndex
    ),
    MisfitCase(
      title: "deletion of another",
      diff: PaletteDiff(deletions: [.init(index: 0, id: .numbered(1))]),
      code: .wrongID
    ),
    MisfitCase(
      title: "deletion and move of one",
      diff: PaletteDiff(
        deletions: [.init(index: 0, id: .numbered(0))],
        moves: [.init(from: 0, to: 0, id: .numbered(0))]
      ),
      code: .badIndex
    ),
    MisfitCase(
      title: "insertion beyond the end",
      diff: PaletteDiff(insertions: [.init(index: 4, color: .numbered(9))]),
      code: .badIndex
    ),
    MisfitCase(
      title: "insertion of what is there",
      diff: PaletteDiff(insertions: [.init(index: 0, color: .numbered(2))]),
      code: .duplicateID
    ),
    MisfitCase(
      title: "insertion of what moves",
      diff: PaletteDiff(
        insertions: [.init(index: 0, color: .numbered(2))],
        moves: [.init(from: 2, to: 1, id: .numbered(2))]
      ),
      code: .duplicateID
    ),
    MisfitCase(
      title: "insertions of one",
      diff: PaletteDiff(
        insertions: [.init(index: 0, color: .numbered(9)), .init(index: 1, color: .numbered(9))]
      ),
      code: .duplicateID
    ),
    MisfitCase(
      title: "two arrivals at one index",
      diff: PaletteDiff(
        insertions: [.init(index: 1, color: .numbered(9))],
        moves: [.init(from: 2, to: 1, id: .numbered(2))]
      ),
      code: .badIndex
    ),
    MisfitCase(
      title: "update of another",
      diff: PaletteDiff(updates: [.init(index: 1, color: .numbered(2), was: .numbered(2))]),
      code: .wrongID
    ),
    MisfitCase(
      title: "update beyond the end",
      diff: PaletteDiff(updates: [.init(index: 3, color: .numbered(2), was: .numbered(2))]),
      code: .badIndex
    ),
  ])
  func refusesWhatDoesNotFit(misfit: MisfitCase) throws {
    let error = try #require(throws: PaletteDiffError.self) {
      try misfit.diff.applying(to: .numbered(0..<3))
    }
    #expect(error.code == misfit.code)
  }

  @Test func replacesADeletedColorByItsNewContent() throws {
    let diff = PaletteDiff(
      deletions: [.init(index: 0, id: .numbered(0))],
      insertions: [.init(index: 2, color: .numbered(0, version: 1))]
    )
    let result = try diff.applying(to: .numbered(0..<3))
    #expect(result.contents == [.numbered(1), .numbered(2), .numbered(0, version: 1)].contents)
  }

  @Test func appliesStepsInDisorder() throws {
    let diff = PaletteDiff(
      insertions: [.init(index: 4, color: .numbered(8)), .init(index: 0, color: .numbered(9))]
    )
    #expect(
      try diff.applying(to: .numbered(0..<3)).contents
        == [NamedColor].numbered([9, 0, 1, 2, 8]).contents
    )
  }
}

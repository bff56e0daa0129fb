import PaletteModel
import PaletteTestSupport
import Testing

struct PaletteDiffTests {
  private func expectRoundTrip(_ pair: ListPair) throws {
    let diff = try PaletteDiff(from: pair.old, to: pair.new)
    #expect(try diff.applying(to: pair.old).contents == pair.new.contents, "\(pair.title)")
    let back = try diff.inverted(from: pair.old)
    #expect(try back.applying(to: pair.new).contents == pair.old.contents, "\(pair.title)")
    let gone = Set(pair.old).subtracting(pair.new)
    #expect(Set(diff.deletions.map(\.id)) == Set(gone.map(\.id)))
    #expect(Set(diff.insertions.map(\.color)) == Set(pair.new).subtracting(pair.old))
    #expect(diff.isEmpty == (pair.old.contents == pair.new.contents))
  }

  @Test(arguments: TestSeeds.some(of: 400))
  func leadsFromOldToNew(seed: UInt64) throws {
    try expectRoundTrip(ListPair(seed: seed))
  }

  @Test(arguments: [
    ListPair("both empty", [], []), ListPair("all new", [], 0..<9), ListPair("all gone", 0..<9, []),
    ListPair("replaced", 0..<9, 9..<30), ListPair("reversed", 0..<50, (0..<50).reversed()),
    ListPair("blocks swapped", 0..<40, [0..<10, 20..<30, 10..<20, 30..<40].joined()),
    ListPair("halves swapped", 0..<40, [20..<40, 0..<20].joined()),
    ListPair("evens first", 0..<40, (0..<20).map { $0 * 2 } + (0..<20).map { $0 * 2 + 1 }),
    ListPair("riffled", 0..<40, (0..<20).flatMap { [$0, $0 + 20] }),
    ListPair("last first", 0..<40, [[39], Array(0..<39)].joined()),
    ListPair("ends gone", 0..<40, 1..<39), ListPair("ends new", 1..<39, 0..<40),
    ListPair("around a stranger", [1, 2], [2, 9, 1]), ListPair("only one stays", 0..<5, [7, 2, 8]),
  ])
  func leadsThroughAdversarialLists(pair: ListPair) throws {
    try expectRoundTrip(pair)
  }

  @Test func namesEveryStep() throws {
    let old = [NamedColor].numbered([0, 1, 2, 3])
    var new = [NamedColor].numbered([3, 0, 9, 2])
    new[3].note = "deep"
    let diff = try PaletteDiff(from: old, to: new)
    let expected = PaletteDiff(
      deletions: [.init(index: 1, id: .numbered(1))],
      insertions: [.init(index: 2, color: .numbered(9))],
      moves: [.init(from: 3, to: 0, id: .numbered(3))],
      updates: [.init(index: 3, color: new[3], was: old[2])]
    )
    #expect(diff == expected)
  }

  @Test func movesAndUpdatesOneColorAtOnce() throws {
    let old = [NamedColor].numbered([0, 1, 2])
    let new = [.numbered(2, version: 1), .numbered(0), NamedColor.numbered(1)]
    let diff = try PaletteDiff(from: old, to: new)
    #expect(diff.moves == [.init(from: 2, to: 0, id: .numbered(2))])
    #expect(diff.updates.map(\.index) == [0])
    #expect(diff.deletions.isEmpty && diff.insertions.isEmpty)
  }

  @Test func comparesStepsByContent() {
    let plain = NamedColor.numbered(1)
    let changed = NamedColor.numbered(1, version: 1)
    typealias Update = PaletteDiff.Update
    #expect(
      PaletteDiff.Insertion(index: 0, color: plain)
        != PaletteDiff.Insertion(index: 0, color: changed)
    )
    #expect(
      Update(index: 0, color: plain, was: plain) != Update(index: 0, color: plain, was: changed)
    )
    #expect(
      Update(index: 0, color: plain, was: plain) != Update(index: 0, color: changed, was: plain)
    )
  }

  @Test func namesTheDuplicate() throws {
    let error = try #require(throws: PaletteDiffError.self) {
      try PaletteDiff(from: [], to: .numbered([4, 5, 4]))
    }
    #expect(error == PaletteDiffError(.duplicateID, id: .numbered(4), index: 2))
    #expect(
      error.description == "color \(RecordID.numbered(4)) stands twice in the list at index 2"
    )
  }
}

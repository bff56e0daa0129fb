import PaletteTestSupport
import Testing

@testable import PaletteModel

struct OrderDiffTests {
  private func ids(_ numbers: some Sequence<Int>) -> [RecordID] { numbers.map { .numbered($0) } }

  /// 1 % of the ids deleted, moved or inserted, spread evenly.
  private func scattered(_ count: Int, seed: UInt64) -> [Int] {
    var random = SeededRandom(seed: seed)
    var numbers = Array(0..<count)
    for step in 0..<(count / 300) {
      let moved = numbers.remove(at: Int.random(in: numbers.indices, using: &random))
      numbers.insert(moved, at: Int.random(in: 0...numbers.count, using: &random))
      numbers.remove(at: Int.random(in: numbers.indices, using: &random))
      numbers.insert(count + step, at: Int.random(in: 0...numbers.count, using: &random))
    }
    return numbers
  }

  @Test(arguments: TestSeeds.some(of: 40))
  func movesAsFewAsPossible(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let old = Array(0..<Int.random(in: 0...8, using: &random))
    let new = old.shuffled(using: &random)
    // What need not move is a subset that is ascending in both; try them all.
    let fewest = (0..<(1 << new.count)).compactMap { subset -> Int? in
      let part = new.indices.filter { subset >> $0 & 1 == 1 }.map { new[$0] }
      return zip(part, part.dropFirst()).allSatisfy(<) ? new.count - part.count : nil
    }.min()
    #expect(try OrderDiff(from: ids(old), to: ids(new)).moves.count == fewest, "\(new)")
  }

  @Test func visitsEveryKeptPair() throws {
    let old = ids([0, 1, 2, 3, 4, 9])
    let new = ids([0, 3, 7, 1, 4, 9])
    var pairs: [[Int]] = []
    try OrderDiff(from: old, to: new).forEachKept { pairs.append([$0, $1]) }
    #expect(pairs == [[0, 0], [3, 1], [1, 3], [4, 4], [5, 5]])
  }

  @Test(
    arguments: [
      ([1, 1], [1]), ([1], [1, 1]), ([1, 1], [1, 1]), ([], [2, 2]), ([2, 2], []),
      ([1, 2, 3], [1, 4, 1, 3]), ([1, 2, 3], [1, 3, 2, 3]), ([1, 2, 3, 4], [1, 3, 3, 2, 4]),
      ([1, 2, 3], [1, 3, 3]), ([1, 2, 1], [1, 2, 3]), ([1, 2, 3], [1, 2, 2, 3]),
    ] as [([Int], [Int])]
  )
  func refusesDuplicates(old: [Int], new: [Int]) {
    #expect(throws: PaletteDiffError.self) { try OrderDiff(from: ids(old), to: ids(new)) }
    if Set(old).count == old.count {
      #expect(throws: PaletteDiffError.self) {
        try OrderDiff(from: ids(old), to: ids(new), oldIsDistinct: true)
      }
    }
  }

  @Test(arguments: TestSeeds.some(of: 60))
  func trustingTheOldListChangesNothing(seed: UInt64) throws {
    let pair = ListPair(seed: seed)
    let (old, new) = (pair.old.map(\.id), pair.new.map(\.id))
    let careful = try OrderDiff(from: old, to: new)
    let trusting = try OrderDiff(from: old, to: new, oldIsDistinct: true)
    #expect(careful.deletions == trusting.deletions)
    #expect(careful.insertions == trusting.insertions)
    #expect(careful.moves == trusting.moves)
  }

  /// Work per id must not grow with the list, except for the search for the fewest moves, which
  /// adds at most one comparison each time the list doubles.
  @Test(arguments: [1_000, 10_000, 100_000])
  func worksInLinearTime(count: Int) throws {
    let edited = try OrderDiff(from: ids(0..<count), to: ids(scattered(count, seed: 1)))
    #expect(edited.work < count * (5 + Int.bitWidth - count.leadingZeroBitCount))
    let quarter = count / 4
    let swap = [0..<quarter, 2 * quarter..<3 * quarter, quarter..<2 * quarter, 3 * quarter..<count]
    let swapped = try OrderDiff(from: ids(0..<count), to: ids(swap.joined()))
    #expect(swapped.moves.count == quarter)
    #expect(swapped.work < count * (5 + Int.bitWidth - count.leadingZeroBitCount))
    let replaced = try OrderDiff(from: ids(0..<count), to: ids(count..<2 * count))
    #expect(replaced.work < 8 * count)
  }

  @Test func hashesOnlyWhatDiffers() throws {
    let old = ids(0..<10_000)
    var new = old
    new.swapAt(5_000, 5_003)
    let diff = try OrderDiff(from: old, to: new, oldIsDistinct: true)
    #expect(diff.moves.count == 2)
    #expect(diff.work < 10_100)
  }
}

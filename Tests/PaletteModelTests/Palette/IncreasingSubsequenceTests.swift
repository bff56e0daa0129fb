import PaletteTestSupport
import Testing

@testable import PaletteModel

struct IncreasingSubsequenceTests {
  /// The greatest length by trying every subset.
  private func bruteForceLength(_ values: [Int32]) -> Int {
    var best = 0
    for subset in 0..<(1 << values.count) {
      let part = values.indices.filter { subset >> $0 & 1 == 1 }.map { values[$0] }
      if part.count > best, zip(part, part.dropFirst()).allSatisfy(<) { best = part.count }
    }
    return best
  }

  @Test(arguments: TestSeeds.some(of: 60))
  func isAscendingAndLongest(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let values = (0..<Int32.random(in: 0...10, using: &random)).shuffled(using: &random)
    let result = IncreasingSubsequence(of: values)
    let part = zip(values, result.contains).filter(\.1).map(\.0)
    #expect(result.contains.count == values.count)
    #expect(zip(part, part.dropFirst()).allSatisfy(<), "\(values)")
    #expect(part.count == bruteForceLength(values), "\(values)")
  }

  @Test func takesOnePassWhenAscending() {
    #expect(IncreasingSubsequence(of: Array(0..<10_000)).comparisons == 10_000)
  }
}

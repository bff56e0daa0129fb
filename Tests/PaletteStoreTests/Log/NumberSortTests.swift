import PaletteTestSupport
import Testing

@testable import PaletteStore

struct NumberSortTests {
  /// Few numbers and many, of which few bytes differ, or all.
  @Test(arguments: [0, 1, 2, 64, 65, 1_000, 5_000], [0, 0xFF, 0x1_0000_7FFF, UInt64.max])
  func sortsAsComparingDoes(count: Int, bits: UInt64) {
    var random = SeededRandom(seed: UInt64(count))
    let elements = (0..<count).map { index in
      (number: random.next() & bits | 0x4000_0000_0000, index: index)
    }
    var sorted = elements
    sorted.sort(byNumber: \.number)
    let expected = elements.sorted { ($0.number, $0.index) < ($1.number, $1.index) }
    #expect(sorted.elementsEqual(expected) { $0 == $1 })
  }
}

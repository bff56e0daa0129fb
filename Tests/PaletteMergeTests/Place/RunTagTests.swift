import PaletteMerge
import PaletteTestSupport
import Testing

struct RunTagTests {
  @Test(arguments: [[], [1, 2], [1, 2, 3, 4], [0, 1, 2], [1, 0, 2], [1, 2, 0]] as [[UInt8]])
  func refusesWhatIsNoTag(bytes: [UInt8]) {
    #expect(RunTag(bytes: bytes) == nil)
  }

  @Test func isNeverZeroWhereRandom() {
    var random = SeededRandom(seed: 1)
    let tags = (0..<2_000).map { _ in RunTag(using: &random) }
    #expect(tags.allSatisfy { RunTag(bytes: $0.bytes) == $0 })
    #expect(Set(tags).count > 1_990)
  }
}

import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

struct FactTableTests {
  private func facts(_ number: UInt64) -> ChangeFacts {
    let palette = PaletteID(RecordID(high: 1, low: 1))
    return ChangeFacts(
      stamp: Stamp(rawValue: number),
      hash: ChangeHash(of: [UInt8(truncatingIfNeeded: number)], in: palette)
    )
  }

  /// Few authors and many, of whom each goes on where it was, with gaps now and then, small and wide.
  @Test(arguments: [1, 3, 8, 9, 40], TestSeeds.some(of: 4))
  func findsWhatADictionaryFinds(authors: UInt64, seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let table = FactTable()
    var expected: [Dot: ChangeFacts] = [:]
    var last = [UInt32](repeating: 500, count: Int(authors))
    for number in 0..<2_000 as Range<UInt64> {
      let author = Int.random(in: 0..<Int(authors), using: &random)
      let node = NodeID(UInt64(author) + 1)
      let facts = facts(number)
      if random.chance(0.3) {
        // Anywhere: before, within and behind what went on.
        let dot = Dot(node, UInt32.random(in: 1...3_600, using: &random))
        table.put(facts, for: dot)
        expected[dot] = facts
      } else {
        last[author] += random.chance(0.02) ? UInt32.random(in: 2...40, using: &random) : 1
        let dot = Dot(node, last[author])
        table.put(facts, for: dot)
        expected[dot] = facts
      }
    }
    var wrong: [Dot] = []
    for node in 1...(authors + 1) {
      for sequence in 1...3_700 as ClosedRange<UInt32> {
        let dot = Dot(NodeID(node), sequence)
        if table[dot] != expected[dot] { wrong.append(dot) }
      }
    }
    #expect(wrong == [])
    table.removeAll()
    #expect(expected.keys.allSatisfy { table[$0] == nil })
  }
}

import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// The bytes that rows leave out.
struct ChangeRowTests {
  private static let numbers: [UInt64] = [
    0, 1, 23, 24, 255, 256, 65_535, 65_536, 0xFFFF_FFFF, 0x1_0000_0000, .max,
  ]

  @Test(arguments: numbers)
  func leavesOutHowEveryChangeOfADotBegins(_ node: UInt64) {
    for sequence in Self.numbers.compactMap(UInt32.init(exactly:)) {
      let dot = Dot(NodeID(node), sequence)
      let change = Change(
        dot: dot,
        stamp: Stamp(rawValue: 7),
        previous: 8,
        record: RecordID(high: 1, low: 2),
        kind: .delete
      )
      let head = ChangeRow.withHead(of: dot) { [UInt8]($0) }
      #expect(change.encoded.starts(with: head))
      #expect(head.count == ChangeRow.headCount(of: dot))
    }
  }
}

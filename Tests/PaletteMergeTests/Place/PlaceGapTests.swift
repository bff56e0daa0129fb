import PaletteTestSupport
import Testing

@testable import PaletteMerge

struct PlaceGapTests {
  @Test(
    arguments: [
      ("", nil, "800000"), ("800000", nil, "800001"), ("8000001234", nil, "800001"),
      ("80", nil, "800001"), ("", "800000", "7fffff"), ("", "80", "7fffff"),
      ("fffffd", nil, "fffffe"),
    ] as [(String, String?, String)]
  )
  func stepsByOneAtAnOpenEnd(lower: String, upper: String?, midpoint: String) {
    let gap = PlaceGap(lower: bytes(lower), upper: upper.map(bytes))
    #expect(gap.midpoint(newer: .after) == bytes(midpoint))
    #expect(gap.midpoint(newer: .before) == bytes(midpoint))
  }

  @Test(arguments: [
    ("40", "c0", "4080", "bf80"), ("10", "12", "1002", "11fe"), ("10", "11", "1001", "10ff"),
    ("10ffff", "110000", "10ffff01", "10ffffff"), ("1000", "20", "1010", "1ff0"),
    ("80000012", "80000112", "80000013", "80000111"), ("10", "1103", "100103", "1101fd"),
    ("10ff", "1201", "11", "1200"),
  ])
  func staysCloseToTheNewerNeighbour(lower: String, upper: String, after: String, before: String) {
    let gap = PlaceGap(lower: bytes(lower), upper: bytes(upper))
    #expect(gap.midpoint(newer: .after).map(text) == after)
    #expect(gap.midpoint(newer: .before).map(text) == before)
  }

  @Test(arguments: [("80", "80"), ("80", "8000"), ("8000", "800000"), ("", "00"), ("", "0000")])
  func findsNoRoomBetweenZeros(lower: String, upper: String) {
    let gap = PlaceGap(lower: bytes(lower), upper: bytes(upper))
    #expect(gap.midpoint(newer: .after) == nil)
    #expect(gap.midpoint(newer: .before) == nil)
  }

  @Test(arguments: TestSeeds.some(of: 300))
  func liesStrictlyInsideWhateverFollows(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    // Few different bytes and common beginnings provoke carries, borrows and prefixes.
    let alphabet: [UInt8] = [0, 1, 127, 128, 254, 255]
    func randomBytes(_ range: ClosedRange<Int>) -> [UInt8] {
      let length = Int.random(in: range, using: &random)
      return (0..<length).map { _ in alphabet[Int.random(in: 0..<6, using: &random)] }
    }
    let start = randomBytes(0...3)
    let ends = [start + randomBytes(0...4), start + randomBytes(1...4)]
      .sorted { $0.lexicographicallyPrecedes($1) }
    for upper in [ends[1], nil] {
      for newer in [PlaceNeighbour.after, .before] {
        let gap = PlaceGap(lower: ends[0], upper: upper)
        guard let midpoint = gap.midpoint(newer: newer) else {
          let isPadding = upper.map { $0.drop(while: { $0 == 0 }).isEmpty || isZeroPadded(ends) }
          #expect(isPadding == true, "room between \(ends)")
          continue
        }
        for tail: [UInt8] in [[], [1], [255, 255, 255]] {
          #expect(ends[0].lexicographicallyPrecedes(midpoint + tail), "\(ends) \(midpoint)")
          if let upper {
            #expect((midpoint + tail).lexicographicallyPrecedes(upper), "\(ends) \(midpoint)")
          }
        }
      }
    }
  }

  /// Whether the second is the first with zeros appended.
  private func isZeroPadded(_ ends: [[UInt8]]) -> Bool {
    ends[1].starts(with: ends[0]) && !ends[1].dropFirst(ends[0].count).contains { $0 > 0 }
  }

  private func bytes(_ text: String) -> [UInt8] { Place(text)?.bytes ?? [] }

  private func text(_ bytes: [UInt8]) -> String { Place(bytes: bytes)?.description ?? "" }
}

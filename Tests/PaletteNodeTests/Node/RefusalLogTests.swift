import Testing

@testable import PaletteNode

struct RefusalLogTests {
  @Test func writesTenLinesASecondAndCountsTheRest() {
    var log = RefusalLog()
    let first = (0..<1500).map { log.add("reason \($0)", at: 1_000_000 + $0 / 2) }
    #expect(first.prefix(10).allSatisfy { $0 == .line })
    #expect(first[10] == .omitted(isFirst: true))
    #expect(first[11...].allSatisfy { $0 == .omitted(isFirst: false) })
    #expect(log.removeOmitted() == (1490, "reason 1499"))
    #expect(log.removeOmitted().count == 0)
    // The second is not over, so the next one is left out too, and asks again.
    #expect(log.add("x", at: 1_000_999) == .omitted(isFirst: true))
    #expect(log.add("x", at: 1_001_000) == .line)
    #expect(log.removeOmitted() == (1, "x"))
  }

  @Test func goesOnWhenTheClockGoesBack() {
    var log = RefusalLog()
    for _ in 0..<20 { _ = log.add("x", at: 1_000_000) }
    #expect(log.add("x", at: 5) == .line)
  }
}

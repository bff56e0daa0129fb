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

struct LibraryLinesTests {
  @Test func strangersCannotFillTheLog() {
    let lines = LibraryLines()
    let written = (0..<300).compactMap {
      lines.line(for: "Ran out of header data space", atMilliseconds: Int64($0))
    }
    #expect(written == Array(repeating: "Ran out of header data space", count: 10))
    #expect(
      lines.line(for: "other", atMilliseconds: 2_000)
        == "other (290 lines like this were left out before)"
    )
    #expect(lines.line(for: "other", atMilliseconds: 2_001) == "other")
  }
}

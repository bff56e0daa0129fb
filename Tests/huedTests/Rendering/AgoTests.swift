import PaletteMerge
import Testing

@testable import hued

struct AgoTests {
  @Test(arguments: [
    ("2026-01-31T08:00:00.000Z", "just now"), ("2026-01-31T07:59:50.000Z", "10 seconds ago"),
    ("2026-01-31T07:59:00.000Z", "1 minute ago"), ("2026-01-31T06:00:00.000Z", "2 hours ago"),
    ("2026-01-30T08:00:00.000Z", "1 day ago"), ("2025-12-01T08:00:00.000Z", "2025-12-01"),
    ("2026-01-31T08:00:20.000Z", "just now"), ("2027-01-31T08:00:00.000Z", "2027-01-31"),
    ("no time", "no time"),
  ])
  func saysHowLongAgo(_ moment: String, _ words: String) throws {
    let now = try #require(Moment(iso8601: "2026-01-31T08:00:00.000Z"))
    #expect(Ago.text(moment, now: now) == words)
  }
}

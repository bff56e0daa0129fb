import PaletteMerge
import Testing

struct MomentSpokenTests {
  private let now = Moment(milliseconds: 1_795_261_121_123)

  @Test(arguments: [
    ("now", "2026-11-21T11:38:41.123Z"),
    ("10 minutes ago", "2026-11-21T11:28:41.123Z"),
    ("1 minute ago", "2026-11-21T11:37:41.123Z"),
    ("a minute ago", "2026-11-21T11:37:41.123Z"),
    ("an hour ago", "2026-11-21T10:38:41.123Z"),
    ("2 hours ago", "2026-11-21T09:38:41.123Z"),
    ("30 seconds ago", "2026-11-21T11:38:11.123Z"),
    ("0 seconds ago", "2026-11-21T11:38:41.123Z"),
    ("yesterday", "2026-11-20T11:38:41.123Z"),
    ("3 days ago", "2026-11-18T11:38:41.123Z"),
    ("a week ago", "2026-11-14T11:38:41.123Z"),
    ("2 weeks ago", "2026-11-07T11:38:41.123Z"),
    ("9 months ago", "2026-02-21T11:38:41.123Z"),
    ("a year ago", "2025-11-21T11:38:41.123Z"),
    ("2h ago", "2026-11-21T09:38:41.123Z"),
    ("5 min ago", "2026-11-21T11:33:41.123Z"),
    ("1 day 2 hours ago", "2026-11-20T09:38:41.123Z"),
    ("  10   Minutes AGO ", "2026-11-21T11:28:41.123Z"),
    ("2026-01-02", "2026-01-02T00:00:00.000Z"),
  ])
  func understands(_ text: String, _ expected: String) {
    #expect(Moment(spoken: text, now: now)?.description == expected)
  }

  @Test(arguments: [
    "", "ago", "minutes ago", "10 ago", "10 minutes", "ten minutes ago", "-1 days ago",
    "1.5 days ago",
    "10 fortnights ago", "10 minutes ago ago", "tomorrow", "in 2 days", "2 ss ago",
    "9999999999999999 years ago", "9223372036854775807 weeks ago", "3000 years ago",
    "99999999999999999999 days ago", "2026-02-30",
  ])
  func refuses(_ text: String) {
    #expect(Moment(spoken: text, now: now) == nil)
  }

  @Test func staysInTheMonth() {
    let last = Moment(iso8601: "2028-03-31T12:00Z")
    #expect(
      last.flatMap { Moment(spoken: "1 month ago", now: $0) } == Moment(iso8601: "2028-02-29T12:00")
    )
  }
}

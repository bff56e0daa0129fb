import Foundation
import PaletteMerge
import Testing

struct MomentTextTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"),
      (1, "1970-01-01T00:00:00.001Z"),
      (-1, "1969-12-31T23:59:59.999Z"),
      (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (1_795_261_121_123, "2026-11-21T11:38:41.123Z"),
      (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
      (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ] as [(Int64, String)]
  )
  func writesAndReads(_ milliseconds: Int64, _ text: String) {
    #expect(Moment(milliseconds: milliseconds).description == text)
    #expect(Moment(iso8601: text)?.milliseconds == milliseconds)
  }

  @Test func clampsWhatCannotBeWritten() {
    #expect(Moment(milliseconds: .min).description == "0001-01-01T00:00:00.000Z")
    #expect(Moment(milliseconds: .max).description == "9999-12-31T23:59:59.999Z")
    #expect(Moment(milliseconds: 1 << 48).description == "9999-12-31T23:59:59.999Z")
  }

  @Test(arguments: [
    ("2026-11-21", "2026-11-21T00:00:00.000Z"),
    ("2026-11-21T11:38", "2026-11-21T11:38:00.000Z"),
    ("2026-11-21 11:38:41", "2026-11-21T11:38:41.000Z"),
    ("2026-11-21t11:38:41z", "2026-11-21T11:38:41.000Z"),
    ("2026-11-21T11:38:41.1Z", "2026-11-21T11:38:41.100Z"),
    ("2026-11-21T11:38:41,12", "2026-11-21T11:38:41.120Z"),
    ("2026-11-21T11:38:41.123999Z", "2026-11-21T11:38:41.123Z"),
    ("2026-11-21T11:38:41+01:00", "2026-11-21T10:38:41.000Z"),
    ("2026-11-21T11:38:41 -0530", "2026-11-21T17:08:41.000Z"),
    ("2026-11-21T23:38+02", "2026-11-21T21:38:00.000Z"),
    ("2027-01-01T00:30+01:00", "2026-12-31T23:30:00.000Z"),
  ])
  func readsVariants(_ text: String, _ expected: String) {
    #expect(Moment(iso8601: text)?.description == expected)
  }

  @Test(arguments: [
    "", "2026", "2026-11", "2026-1-1", "26-11-21", "2026-13-01", "2026-00-10", "2026-02-29",
    "2026-04-31", "2026-11-21T", "2026-11-21T11", "2026-11-21T24:00", "2026-11-21T11:60",
    "2026-11-21T11:38:60", "2026-11-21T11:38:41.", "2026-11-21T11:38:41ZZ",
    "2026-11-21T11:38:41+24:00",
    "2026-11-21T11:38:41+1", "2026-11-21x", " 2026-11-21", "2026-11-21 ", "0000-01-01",
    "0001-01-01T00:00+01:00", "9999-12-31T23:59-01:00", "+026-11-21", "\u{0662}026-11-21",
  ])
  func refuses(_ text: String) {
    #expect(Moment(iso8601: text) == nil)
  }

  @Test(arguments: 0..<300 as Range<Int64>)
  func agreesWithFoundation(step: Int64) throws {
    let milliseconds = -62_135_596_800_000 + step * 1_051_788_000_000 + step * 86_461_007
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let date = Date(timeIntervalSince1970: Double(milliseconds / 1000))
    let text = Moment(milliseconds: milliseconds / 1000 * 1000).description
    // Foundation changes to the Julian calendar before October 1582.
    guard text > "1582-10-15" else { return }
    #expect(text == date.formatted(style))
  }

  @Test func numbersEveryDay() {
    var expected = Moment.earliest.milliseconds
    for year in 1...9999 as ClosedRange<Int64> {
      for month in 1...12 as ClosedRange<Int64> {
        let text = Moment(milliseconds: expected).description
        let date = CivilDate(year: year, month: month, day: 1)
        guard date?.daysSince1970 == expected / 86_400_000 else {
          Issue.record("\(year)-\(month) is not \(text)")
          return
        }
        expected += CivilDate.days(inMonth: month, of: year) * 86_400_000
      }
    }
    #expect(expected == Moment.latest.milliseconds + 1)
  }
}

import PaletteMerge
import Testing

struct DurationTextTests {
  @Test(arguments: [
    ("90s", 90), ("10m", 600), ("2h", 7200), ("7d", 604_800), ("1w", 604_800), ("0s", 0),
  ])
  func reads(_ text: String, _ seconds: Int) {
    #expect(Duration(compact: text) == .seconds(seconds))
  }

  @Test(arguments: [
    "", "s", "10", "10 m", "1.5h", "-1h", "+1h", "10ms", "1y", "1h30m", "10M",
    "99999999999999999999d",
    "9223372036854775807d",
  ])
  func refuses(_ text: String) {
    #expect(Duration(compact: text) == nil)
  }

  @Test(arguments: ["90s", "10m", "2h", "7d", "0s", "25h"])
  func writes(_ text: String) {
    #expect(Duration(compact: text)?.compactText == text)
  }

  @Test func movesMoments() {
    let start = Moment(milliseconds: 1000)
    #expect(start.advanced(by: .milliseconds(2500)).milliseconds == 3500)
    #expect(start.advanced(by: .seconds(-2)).milliseconds == -1000)
    #expect(start.advanced(by: .seconds(Int64.max)).milliseconds == .max)
    #expect(start.advanced(by: .seconds(Int64.min)).milliseconds == .min)
  }
}

import PaletteCommands
import Testing

@testable import hued

struct ProgressMeterTests {
  /// A meter that has seen a thousand colors a second.
  private static func running(until seconds: Double, of total: Int? = 10_000) -> ProgressMeter {
    var meter = ProgressMeter("Importing", at: 0)
    for step in 0...Int(seconds * 10) {
      let progress = Progress("Importing", .colors, done: step * 100, of: total)
      meter.update(progress, at: Double(step) / 10)
    }
    return meter
  }

  @Test func tellsCountRateAndTimeLeft() {
    let line = Self.running(until: 4).line(columns: 200, at: 4)
    #expect(
      line == "Importing [#########---------------]  4,000 of 10,000 colors, 1,000/s, 6 s left"
    )
  }

  /// What fits least is left out first, and no line is ever as wide as the terminal.
  @Test(arguments: 1...120)
  func fitsTheTerminal(columns: Int) {
    let meters = [
      Self.running(until: 4), Self.running(until: 4, of: nil), ProgressMeter("Checking", at: 0),
    ]
    for meter in meters {
      #expect(DisplayWidth.of(meter.line(columns: columns, at: 4)) < max(columns, 2))
    }
  }

  @Test func keepsTheTimeLeftWhereThereIsLittleRoom() {
    #expect(
      Self.running(until: 4).line(columns: 50, at: 4)
        == "Importing  4,000 of 10,000 colors, 6 s left"
    )
    #expect(Self.running(until: 4).line(columns: 22, at: 4) == "Importing  6 s left")
  }

  /// Nothing is foretold from the first moments, nor when nothing moves.
  @Test func foretellsNothingWithoutARate() {
    #expect(!Self.running(until: 0.3).line(columns: 200, at: 0.3).contains("left"))
    var meter = ProgressMeter("Backing up", at: 0)
    for second in 0...9 {
      meter.update(Progress("Backing up", .pages, done: 7, of: 9), at: Double(second))
    }
    #expect(meter.line(columns: 60, at: 9) == "Backing up [##################------]  7 of 9 pages")
  }

  /// The rate is of late, and of the present work alone.
  @Test func measuresThePresentWork() {
    var meter = Self.running(until: 4)
    meter.update(Progress("Comparing", .palettes, done: 0, of: 4), at: 4)
    meter.update(Progress("Comparing", .palettes, done: 2, of: 4), at: 8)
    #expect(meter.line(columns: 99, at: 8).hasSuffix("]  2 of 4 palettes, 0.5/s, 4 s left"))
  }

  @Test func tellsTheTimeWhereNothingCanBeCounted() {
    #expect(ProgressMeter("Checking", at: 3).line(columns: 80, at: 78) == "Checking  1 min 15 s")
  }

  @Test(arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")])
  func groupsDigits(number: Int, text: String) {
    #expect(ProgressMeter.number(number, .colors) == text)
  }

  @Test func tellsBytesInMillions() {
    #expect(ProgressMeter.number(12_345_678, .bytes) == "12.3")
  }
}

import PaletteModel

/// The clock of a library: what it reads, how wrong peers say that it is, and the stamps it gives.
final class StoreClock {
  private let milliseconds: () -> Int64
  private var stamps = StampClock()
  /// What is added to the clock for stamps; usually 0.
  private(set) var offsetMilliseconds: Int64 = 0

  init(milliseconds: @escaping () -> Int64) {
    self.milliseconds = milliseconds
  }

  /// The reading of the clock, in milliseconds since 1970.
  var nowMilliseconds: Int64 { milliseconds() }

  /// The time by the corrected clock.
  var correctedMilliseconds: Int64 { nowMilliseconds &+ offsetMilliseconds }

  /// The stamp of the next change made here.
  func nextStamp() -> Stamp { stamps.next(milliseconds: correctedMilliseconds) }

  /// Adds something else to the clock from now on.
  func correct(byMilliseconds offset: Int64) { offsetMilliseconds = offset }
}

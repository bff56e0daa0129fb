/// A point in time of the wall clock, in milliseconds since 1970 began in UTC.
///
/// It is written as `2026-11-21T11:38:41.123Z`, always UTC and always with milliseconds, so that texts
/// sort as moments do.
public struct Moment: Hashable, Sendable {
  /// Milliseconds since 1970 began in UTC, without leap seconds; negative before.
  public let milliseconds: Int64

  /// Creates a moment from milliseconds since 1970.
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// The first moment that can be written: the beginning of the year 1.
  public static let earliest = Moment(milliseconds: -62_135_596_800_000)

  /// The last moment that can be written: the end of the year 9999.
  public static let latest = Moment(milliseconds: 253_402_300_799_999)

  /// The moment so much later, no further than milliseconds reach.
  public func advanced(by duration: Duration) -> Moment {
    let (seconds, attoseconds) = duration.components
    let (whole, isTooFar) = seconds.multipliedReportingOverflow(by: 1000)
    let fraction = attoseconds / 1_000_000_000_000_000
    let (sum, overflows) = milliseconds.addingReportingOverflow(whole + fraction)
    guard !isTooFar, !overflows else { return Moment(milliseconds: seconds < 0 ? .min : .max) }
    return Moment(milliseconds: sum)
  }
}

extension Moment: Comparable {
  /// Orders moments from early to late.
  public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }
}

import PaletteModel

/// How long ago something was, in the words of people.
enum Ago {
  /// The words for a moment in ISO 8601, as seen from another; the text itself where it is no moment.
  static func text(_ moment: String, now: Moment) -> String {
    guard let then = Moment(iso8601: moment) else { return moment }
    let (distance, overflows) = now.milliseconds.subtractingReportingOverflow(then.milliseconds)
    guard !overflows else { return moment }
    // Clocks of several machines differ a little, which is no news from the future.
    guard distance > -60_000 else { return String(moment.prefix(10)) }
    let seconds = distance / 1000
    switch seconds {
    case ..<5: return "just now"
    case ..<60: return words(seconds, "second")
    case ..<3600: return words(seconds / 60, "minute")
    case ..<86_400: return words(seconds / 3600, "hour")
    case ..<(31 * 86_400): return words(seconds / 86_400, "day")
    default: return String(moment.prefix(10))
    }
  }

  private static func words(_ number: Int64, _ unit: String) -> String {
    "\(number) \(unit)\(number == 1 ? "" : "s") ago"
  }
}

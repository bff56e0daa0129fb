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

  /// Creates a moment from what a person types: ISO 8601, or a text as `10 minutes ago`.
  ///
  /// Also understood: `now`, `yesterday` (24 hours ago), `a week ago`, `2h ago`, and several amounts
  /// together, `1 day 2 hours ago`. Months and years go back on the calendar.
  public init?(spoken text: String, now: Moment) {
    if let moment = Moment(iso8601: text) {
      self = moment
      return
    }
    var words = Self.words(text)
    switch words {
    case ["now"]:
      self = now
      return
    case ["yesterday"]:
      words = ["1", "day", "ago"]
    default:
      break
    }
    guard words.popLast() == "ago", !words.isEmpty, words.count.isMultiple(of: 2) else {
      return nil
    }
    var moment = now
    for index in stride(from: 0, to: words.count, by: 2) {
      guard let amount = Self.amount(words[index]), let unit = TimeUnit(words[index + 1]),
        let earlier = moment.earlier(by: amount, unit)
      else { return nil }
      moment = earlier
    }
    self = moment
  }

  /// The words of a text, lower case; a number ends where its unit begins.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    for part in text.split(whereSeparator: \.isWhitespace) {
      let digits = part.prefix { $0.isASCII && $0.isNumber }
      let rest = part[digits.endIndex...]
      if !digits.isEmpty { words.append(String(digits)) }
      if !rest.isEmpty { words.append(rest.lowercased()) }
    }
    return words
  }

  private static func amount(_ word: String) -> Int64? {
    if word == "a" || word == "an" || word == "one" { return 1 }
    return word.first?.isNumber == true ? Int64(word) : nil
  }

  private func earlier(by amount: Int64, _ unit: TimeUnit) -> Moment? {
    guard let length = unit.milliseconds else {
      return earlier(byMonths: amount, times: unit == .year ? 12 : 1)
    }
    let (distance, isTooLong) = amount.multipliedReportingOverflow(by: length)
    let (result, overflows) = milliseconds.subtractingReportingOverflow(distance)
    return isTooLong || overflows ? nil : Moment(milliseconds: result).written
  }

  private func earlier(byMonths amount: Int64, times factor: Int64) -> Moment? {
    let (months, isTooLong) = amount.multipliedReportingOverflow(by: factor)
    let days = milliseconds.dividedDown(by: Self.millisecondsPerDay)
    let date = CivilDate(daysSince1970: days)
    let (index, overflows) = (date.year * 12 + date.month - 1).subtractingReportingOverflow(months)
    guard !isTooLong, !overflows, index >= 12 else { return nil }
    let (year, month) = (index / 12, index % 12 + 1)
    let day = min(date.day, CivilDate.days(inMonth: month, of: year))
    guard let target = CivilDate(year: year, month: month, day: day) else { return nil }
    let moved = (target.daysSince1970 - days) * Self.millisecondsPerDay
    return Moment(milliseconds: milliseconds + moved).written
  }

  /// This moment if it can be written.
  private var written: Moment? { self >= .earliest && self <= .latest ? self : nil }
}

extension Moment: Comparable {
  /// Orders moments from early to late.
  public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }
}

extension Moment: CustomStringConvertible {
  static let millisecondsPerDay: Int64 = 86_400_000

  /// The moment in ISO 8601, as `2026-11-21T11:38:41.123Z`.
  ///
  /// What lies beyond the years 1 to 9999 is written as the nearest moment within.
  public var description: String {
    let total = min(max(self, .earliest), .latest).milliseconds
    let days = total.dividedDown(by: Self.millisecondsPerDay)
    let time = total - days * Self.millisecondsPerDay
    let date = CivilDate(daysSince1970: days)
    return String(unsafeUninitializedCapacity: 24) { text in
      var position = 0
      func append(_ value: Int64, digits: Int, then mark: Unicode.Scalar) {
        var rest = value
        for index in (position..<position + digits).reversed() {
          text[index] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
        text[position + digits] = UInt8(ascii: mark)
        position += digits + 1
      }
      append(date.year, digits: 4, then: "-")
      append(date.month, digits: 2, then: "-")
      append(date.day, digits: 2, then: "T")
      append(time / 3_600_000, digits: 2, then: ":")
      append(time / 60_000 % 60, digits: 2, then: ":")
      append(time / 1000 % 60, digits: 2, then: ".")
      append(time % 1000, digits: 3, then: "Z")
      return position
    }
  }

  /// Creates a moment from ISO 8601.
  ///
  /// That is a date, then if wanted `T` or a space and a time of day, whose seconds and fraction may
  /// be missing, then `Z` or an offset as `+01:00`. Without an offset it is UTC.
  public init?(iso8601 text: String) {
    var reader = ISO8601Reader(text)
    guard let moment = reader.moment() else { return nil }
    self = moment
  }
}

/// A unit in which people tell how long ago something was.
enum TimeUnit: CaseIterable {
  case second
  case minute
  case hour
  case day
  case week
  case month
  case year

  /// Creates a unit from its letter, its usual short form or its name, singular or plural.
  init?(_ text: some StringProtocol) {
    let unit = Self.allCases.first { unit in
      unit.spellings.contains { $0 == text || $0 + "s" == text && $0.utf8.count > 1 }
    }
    guard let unit else { return nil }
    self = unit
  }

  private var spellings: [String] {
    switch self {
    case .second: ["s", "sec", "second"]
    case .minute: ["m", "min", "minute"]
    case .hour: ["h", "hr", "hour"]
    case .day: ["d", "day"]
    case .week: ["w", "week"]
    case .month: ["month"]
    case .year: ["y", "yr", "year"]
    }
  }

  /// The length in milliseconds; nil for months and years, which vary.
  var milliseconds: Int64? {
    switch self {
    case .second: 1000
    case .minute: 60_000
    case .hour: 3_600_000
    case .day: 86_400_000
    case .week: 7 * 86_400_000
    case .month, .year: nil
    }
  }
}

extension Duration {
  /// Creates a duration from a whole number and one of the letters s, m, h, d, w: `90s`, `7d`.
  public init?(compact text: String) {
    let digits = text.utf8.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    guard text.utf8.count == digits.count + 1, let amount = Int64(Substring(digits)),
      let letter = text.last, let length = TimeUnit(String(letter))?.milliseconds
    else { return nil }
    let (milliseconds, overflows) = amount.multipliedReportingOverflow(by: length)
    guard !overflows else { return nil }
    self = .milliseconds(milliseconds)
  }

  /// The duration in the largest of the letters d, h, m, s that makes it a whole number.
  public var compactText: String {
    let seconds = components.seconds
    for (letter, length) in [("d", 86_400), ("h", 3600), ("m", 60)] as [(String, Int64)]
    where seconds != 0 && seconds.isMultiple(of: length) {
      return "\(seconds / length)\(letter)"
    }
    return "\(seconds)s"
  }
}

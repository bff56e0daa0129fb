extension Moment {
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

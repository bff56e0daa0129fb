/// A day of the Gregorian calendar, also for the centuries before it was made.
package struct CivilDate: Hashable, Sendable {
  /// The year, 1 to 9999 for all that can be written.
  package var year: Int64
  /// The month, 1 to 12.
  package var month: Int64
  /// The day of the month, from 1.
  package var day: Int64

  /// Creates a day of the calendar, nil if the calendar has no such day.
  package init?(year: Int64, month: Int64, day: Int64) {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...Self.days(inMonth: month, of: year)).contains(day)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// The number of days a month has.
  package static func days(inMonth month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2:
      year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// Both directions count years from March, so that the leap day comes last and each month's first
/// day follows from one linear formula; an era is the 400 years after which the calendar repeats.
extension CivilDate {
  private static let daysPerEra: Int64 = 146_097
  /// From the first of March of the year 0 to the first of January 1970.
  private static let daysBefore1970: Int64 = 719_468

  /// Days since the first of January 1970.
  package var daysSince1970: Int64 {
    let marchYear = month > 2 ? year : year - 1
    let era = marchYear.dividedDown(by: 400)
    let yearOfEra = marchYear - era * 400
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * Self.daysPerEra + dayOfEra - Self.daysBefore1970
  }

  /// Creates the day that is so many days after the first of January 1970.
  package init(daysSince1970: Int64) {
    let days = daysSince1970 + Self.daysBefore1970
    let era = days.dividedDown(by: Self.daysPerEra)
    let dayOfEra = days - era * Self.daysPerEra
    let leapDays = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
    let yearOfEra = (dayOfEra - leapDays) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }
}

extension Int64 {
  /// The quotient, rounded towards negative infinity.
  func dividedDown(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

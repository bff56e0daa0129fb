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

/// Reads the text of a moment from front to back.
struct ISO8601Reader {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = text[...].utf8
  }

  mutating func moment() -> Moment? {
    guard let year = digits(4), skip("-"), let month = digits(2), skip("-"), let day = digits(2),
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    var milliseconds = date.daysSince1970 * Moment.millisecondsPerDay
    if !rest.isEmpty {
      guard skip("T") || skip("t") || skip(" "), let time = time(), let offset = offset() else {
        return nil
      }
      milliseconds += time - offset
    }
    let moment = Moment(milliseconds: milliseconds)
    guard rest.isEmpty, moment >= .earliest, moment <= .latest else { return nil }
    return moment
  }

  private mutating func time() -> Int64? {
    guard let hour = digits(2), hour < 24, skip(":"), let minute = digits(2), minute < 60 else {
      return nil
    }
    let minutes = hour * 60 + minute
    guard skip(":") else { return minutes * 60_000 }
    guard let second = digits(2), second < 60 else { return nil }
    guard skip(".") || skip(",") else { return (minutes * 60 + second) * 1000 }
    guard let fraction = fraction() else { return nil }
    return (minutes * 60 + second) * 1000 + fraction
  }

  /// Whole milliseconds of a fraction of a second; further digits are cut.
  private mutating func fraction() -> Int64? {
    var value: Int64 = 0
    var count = 0
    while let digit = digit() {
      if count < 3 { value = value * 10 + digit }
      count += 1
    }
    for _ in min(count, 3)..<3 { value *= 10 }
    return count == 0 ? nil : value
  }

  /// The offset from UTC in milliseconds; none is 0.
  private mutating func offset() -> Int64? {
    if rest.isEmpty || skip("Z") || skip("z") { return 0 }
    _ = skip(" ")
    let sign: Int64 = skip("-") ? -1 : 1
    guard sign == -1 || skip("+"), let hours = digits(2), hours < 24 else { return nil }
    if rest.isEmpty { return sign * hours * 3_600_000 }
    _ = skip(":")
    guard let minutes = digits(2), minutes < 60 else { return nil }
    return sign * (hours * 60 + minutes) * 60_000
  }

  private mutating func digit() -> Int64? {
    guard let byte = rest.first, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else {
      return nil
    }
    rest.removeFirst()
    return Int64(byte - UInt8(ascii: "0"))
  }

  private mutating func digits(_ count: Int) -> Int64? {
    var value: Int64 = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  private mutating func skip(_ mark: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: mark) else { return false }
    rest.removeFirst()
    return true
  }
}

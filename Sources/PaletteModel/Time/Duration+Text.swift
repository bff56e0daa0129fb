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

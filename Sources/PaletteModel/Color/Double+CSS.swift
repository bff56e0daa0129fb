extension Double {
  /// The shortest CSS number that parses back to this very number.
  ///
  /// Written out without an exponent, except where that would take a long row of zeros.
  var cssText: String {
    guard self != 0, isFinite else { return self == 0 ? "0" : description }
    var text = description
    if text.hasSuffix(".0") { text.removeLast(2) }
    guard let mark = text.firstIndex(of: "e"), let exponent = Int(text[text.index(after: mark)...]),
      abs(exponent) <= 24
    else { return text }
    let sign = text.hasPrefix("-") ? "-" : ""
    let digits = text[..<mark].filter { $0 != "-" && $0 != "." }
    guard exponent > 0 else {
      return sign + "0." + String(repeating: "0", count: -exponent - 1) + digits
    }
    return sign + digits + String(repeating: "0", count: exponent + 1 - digits.count)
  }
}

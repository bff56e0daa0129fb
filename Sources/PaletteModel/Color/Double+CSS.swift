extension Double {
  /// The shortest CSS number that parses back to this very number.
  ///
  /// Written out without an exponent, except where that would take a long row of zeros.
  var cssText: String {
    guard self != 0, isFinite else { return self == 0 ? "0" : description }
    var text = description
    // Bytes are compared, since finding characters costs more than writing the digits.
    if text.utf8.suffix(2).elementsEqual(".0".utf8) { text.removeLast(2) }
    guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "e")),
      let exponent = Int(text[text.index(after: mark)...]), abs(exponent) <= 24
    else { return text }
    let sign = text.hasPrefix("-") ? "-" : ""
    let digits = text[..<mark].filter { $0 != "-" && $0 != "." }
    guard exponent > 0 else {
      return sign + "0." + String(repeating: "0", count: -exponent - 1) + digits
    }
    return sign + digits + String(repeating: "0", count: exponent + 1 - digits.count)
  }
}

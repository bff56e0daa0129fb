extension Quoting {
  /// The part of a file that means a text.
  func quoted(_ text: String) -> String {
    switch self {
    case .none: return text
    case .cell:
      let special: Set<Unicode.Scalar> = [",", ";", "\t", "\"", "\n", "\r"]
      guard text.unicodeScalars.contains(where: special.contains) else { return text }
      return "\"" + text.replacingBytes(of: "\"", with: "\"\"") + "\""
    case .xml: return text.escapedForXML
    case .json: return String(JSON(text).text.dropFirst().dropLast())
    case .quotes(let quote):
      let mark = String(UnicodeScalar(quote))
      return text.replacingBytes(of: "\\", with: "\\\\").replacingBytes(of: mark, with: "\\" + mark)
    }
  }

  /// The text that a part of a file means.
  func plain(_ text: String) -> String {
    switch self {
    case .none, .xml: text
    case .cell: text.filter { $0 != "\"" }
    case .json: (try? JSON(parsing: "\"\(text)\""))?.stringValue ?? text
    case .quotes: text.filter { $0 != "\\" }
    }
  }
}

/// The few signs beyond ASCII that the program itself prints.
enum Glyphs {
  /// For a terminal whose locale is not UTF-8: each sign by one of ASCII that is as wide.
  ///
  /// What others named is left as it is, or it could not be recognised any more.
  static func inASCII(_ text: String) -> String {
    guard text.contains(where: { table[$0] != nil }) else { return text }
    return String(text.map { table[$0] ?? $0 })
  }

  private static let table: [Character: Character] = [
    "…": "~", "▶": ">", "✓": "+", "✗": "x", "↵": "|", "Δ": "d",
  ]
}

/// Lays out prose and lists of terms for help texts.
package enum TextBlock {
  /// The text broken into lines of at most `width` columns, each after `indent` spaces.
  package static func paragraph(_ text: String, indent: Int = 0, width: Int = 80) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, indent + line.count + 1 + word.count > width {
        lines.append(margin + line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    lines.append(margin + line)
    return lines.joined(separator: "\n") + "\n"
  }

  /// Terms with their explanations in a second column.
  package static func definitions(_ entries: [(term: String, meaning: String)]) -> String {
    let column = min(24, (entries.map(\.term.count).max() ?? 0) + 4)
    return entries.map { entry in
      let term = "  " + entry.term
      let meaning = paragraph(entry.meaning, indent: column)
      guard term.count + 2 <= column else { return term + "\n" + meaning }
      return term + meaning.dropFirst(term.count)
    }.joined()
  }
}

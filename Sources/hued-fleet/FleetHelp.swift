/// The texts of help.
enum FleetHelp {
  private static let width = 78

  /// The help for a command, or for all.
  static func text(for verb: FleetVerb?) -> String {
    guard let verb else { return overview }
    let words = ["hued-fleet", verb.rawValue] + verb.positionals
    var text = "\(verb.summary).\n\nUsage: \(words.joined(separator: " ")) [FLAG]...\n"
    if let details = verb.details { text += "\n" + wrapped(details) }
    if !verb.flags.isEmpty { text += "\nFlags:\n" + list(verb.flags) }
    return text + "\nFlags of all commands:\n" + list(FleetVerb.common)
  }

  private static var overview: String {
    let verbs = FleetVerb.allCases.map { verb in
      (([verb.rawValue] + verb.positionals).joined(separator: " "), verb.summary)
    }
    return """
      hued-fleet runs hubs that share their libraries in a PostgreSQL database.

      Usage: hued-fleet COMMAND [FLAG]...

      \(rows(verbs))
      'hued-fleet help COMMAND' says more. Exit codes are those of 'hued': 2 bad usage
      or a name that is taken, 3 not found, 5 database not reachable, 6 no permission,
      7 its disk is full, 8 a newer schema, or a server below version 13.

      """
  }

  private static func list(_ flags: [FleetVerb.Flag]) -> String {
    rows(
      flags.map { flag in ("--" + flag.name + (flag.value.map { " " + $0 } ?? ""), flag.summary) }
    )
  }

  private static func rows(_ rows: [(String, String)]) -> String {
    let left = rows.map(\.0.count).max() ?? 0
    return rows.map { name, summary in
      let first = "  " + name + String(repeating: " ", count: left - name.count + 2)
      let lines = wrapped(summary, width: width - left - 4).split(separator: "\n")
      let gap = "\n" + String(repeating: " ", count: left + 4)
      return first + lines.joined(separator: gap) + "\n"
    }.joined()
  }

  private static func wrapped(_ text: String, width: Int = width) -> String {
    var (lines, line) = ([String](), "")
    for word in text.split(whereSeparator: \.isWhitespace) {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return (lines + [line]).joined(separator: "\n") + "\n"
  }
}

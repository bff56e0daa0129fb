import PaletteProgram

/// The texts of help.
enum FleetHelp {
  /// The help for a command, or for all.
  static func text(for verb: FleetVerb?) -> String {
    guard let verb else { return overview }
    let words = ["hued-fleet", verb.rawValue] + verb.positionals
    var text = "\(verb.summary).\n\nUsage: \(words.joined(separator: " ")) [FLAG]...\n"
    if let details = verb.details { text += "\n" + TextBlock.paragraph(details) }
    if !verb.flags.isEmpty { text += "\nFlags:\n" + list(verb.flags) }
    return text + "\nFlags of all commands:\n" + list(FleetVerb.common)
  }

  private static var overview: String {
    let verbs = FleetVerb.allCases.map { verb in
      (([verb.rawValue] + verb.positionals).joined(separator: " "), verb.summary)
    }
    let end =
      "'hued-fleet help COMMAND' says more. Exit codes are those of 'hued': 2 bad usage or a name that is "
      + "taken, 3 not found, 5 database not reachable, 6 no permission, 7 its disk is full, 8 a newer schema, or "
      + "a server below version 13."
    return """
      hued-fleet runs hubs that share their libraries in a PostgreSQL database.

      Usage: hued-fleet COMMAND [FLAG]...

      \(TextBlock.definitions(verbs))
      \(TextBlock.paragraph(end))
      """
  }

  private static func list(_ flags: [FleetVerb.Flag]) -> String {
    TextBlock.definitions(
      flags.map { ("--" + $0.name + ($0.value.map { " " + $0 } ?? ""), $0.summary) }
    )
  }
}

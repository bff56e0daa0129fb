import PaletteCommands

extension APIError {
  /// The error for a command line that cannot be understood.
  static func usage(_ message: String, hint: String? = nil) -> APIError {
    APIError(code: "bad-usage", message: message, hint: hint)
  }

  static func unknownCommand(_ name: String) -> APIError {
    if name == "fleet" {
      return usage(
        "'fleet' is a program of its own",
        hint: "write 'hued fleet' without flags before it"
      )
    }
    return usage(
      "unknown command '\(name)'",
      hint: Suggestion.command(for: name).map { "did you mean 'hued \($0)'?" }
        ?? "'hued help' lists the commands"
    )
  }

  static func unknownFlag(_ text: String, of command: Command?) -> APIError {
    let flags = (command?.flags ?? []) + CommandTable.globalFlags
    let place = command.map { " for 'hued \($0.name)'" } ?? ""
    let message = "unknown flag '\(text)'\(place)"
    let close = Suggestion.closest(to: String(text.drop { $0 == "-" }), among: flags.map(\.name))
    if text.hasPrefix("--"), let close {
      return usage(message, hint: "did you mean '--\(close)'?")
    }
    let name = String(text.dropFirst(2))
    if command == nil, CommandTable.commands.contains(where: { $0.has(flag: name) }) {
      return usage(message, hint: "put '\(text)' behind the command that it belongs to")
    }
    if !text.hasPrefix("--"), text.count == 2 {
      // Every flag has one name, which is long.
      let longer = flags.map(\.name).filter { $0.hasPrefix(text.dropFirst()) }.map { "'--\($0)'" }
      if !longer.isEmpty {
        return usage(message, hint: "did you mean \(longer.joined(separator: " or "))?")
      }
    }
    if text.hasPrefix("--"), let command {
      return usage(message, hint: "'hued help \(command.name)' lists its flags")
    }
    return usage(message, hint: "put '--' before an argument that begins with a hyphen")
  }
}

extension Command {
  func has(flag name: String) -> Bool {
    flags.contains { $0.name == name }
  }

  /// The hint of most usage errors.
  var usageHint: String { "usage: \(usage)" }
}

/// Finds what somebody probably meant by a word that does not exist.
enum Suggestion {
  /// The command that a wrong name stands for, if one is near enough.
  static func command(for name: String) -> String? {
    let name = name.lowercased()
    for command in CommandTable.commands where command.otherNames.contains(name) {
      return command.name
    }
    return closest(to: name, among: CommandTable.commands.map(\.name))
  }

  /// The candidate with the fewest typing errors, if it has few for its length.
  static func closest(to word: String, among candidates: [String]) -> String? {
    let word = word.lowercased()
    guard !word.isEmpty else { return nil }
    let best =
      candidates
      .map { (candidate: $0, errors: errors(between: word, and: $0)) }
      .min { $0.errors < $1.errors }
    if let best, best.errors <= max(1, min(word.count, best.candidate.count) / 3) {
      return best.candidate
    }
    let longer = candidates.filter { $0.hasPrefix(word) }
    return longer.count == 1 ? longer.first : nil
  }

  /// The number of letters that were left out, added, replaced or swapped with their neighbour.
  static func errors(between left: String, and right: String) -> Int {
    Spelling.errors(between: left, and: right)
  }
}

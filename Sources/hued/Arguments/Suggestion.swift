import PaletteCommands

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

  /// How many letters were left out, added, replaced or swapped with their neighbour.
  static func errors(between left: String, and right: String) -> Int {
    Spelling.errors(between: Array(left), and: Array(right))
  }
}

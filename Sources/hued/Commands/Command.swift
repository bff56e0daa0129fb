/// Everything that is known about a command; parsing, help, man page and completions come from it.
struct Command {
  /// A line that can be typed, and what it does.
  struct Example {
    let line: String
    let meaning: String

    init(_ line: String, _ meaning: String) {
      self.line = line
      self.meaning = meaning
    }
  }

  let verb: Verb
  let group: CommandGroup
  /// One sentence without a full stop, in the third person.
  let summary: String
  /// What a user has to know beyond the summary, as paragraphs.
  var details: [String] = []
  var positionals: [Positional] = []
  var flags: [Flag] = []
  var choices: [Choice] = []
  let examples: [Example]
  /// What the same thing is called elsewhere: never accepted, but suggested from.
  var otherNames: [String] = []

  var name: String { verb.rawValue }

  /// The line that `--help` begins with, such as `hued drop PALETTE`.
  var usage: String {
    var parts = ["hued", name] + positionals.map(\.usage)
    var seen: Set<String> = []
    for flag in flags where !seen.contains(flag.name) {
      let choice = choices.first { $0.flags.contains(flag.name) }
      let members = choice.map { choice in flags.filter { choice.flags.contains($0.name) } }
      seen.formUnion(members?.map(\.name) ?? [])
      let text = (members ?? [flag]).map(\.usage).joined(separator: " | ")
      let isOne = members?.count == 1
      parts.append(choice?.isRequired != true ? "[\(text)]" : isOne ? text : "(\(text))")
    }
    return parts.joined(separator: " ")
  }
}

import PaletteCommands

/// The arguments of one run.
struct FleetArguments: Equatable {
  /// What is to be done.
  enum Action: Equatable {
    case help(FleetVerb?)
    case version
    case run(FleetVerb)
  }

  private(set) var action = Action.help(nil)
  /// What the command is about, in the order of its help.
  private(set) var positionals: [String] = []
  private var values: [String: String] = [:]

  /// The value of a flag; nil where it was not given.
  subscript(flag: String) -> String? { values[flag] }

  /// Returns whether a flag without a value was given.
  func isSet(_ flag: String) -> Bool { values[flag] != nil }

  /// Reads the arguments behind the name of the program.
  init(_ arguments: [String]) throws(APIError) {
    let words = arguments
    guard let verb = try Self.verb(words, into: &action) else { return }
    let flags = verb.flags + FleetVerb.common
    var index = words.firstIndex(of: verb.rawValue) ?? 0
    let before = words[..<index]
    var rest = Array(before) + Array(words[(index + 1)...])
    rest = rest.map {
      $0 == "-h" ? "--help" : $0 == "-q" ? "--quiet" : $0 == "-v" ? "--verbose" : $0
    }
    index = 0
    var endsFlags = false
    while index < rest.count {
      let word = rest[index]
      index += 1
      if word == "--" && !endsFlags {
        endsFlags = true
      } else if word.hasPrefix("--"), !endsFlags {
        let parts = word.dropFirst(2).split(
          separator: "=",
          maxSplits: 1,
          omittingEmptySubsequences: false
        )
        let name = String(parts[0])
        guard let flag = flags.first(where: { $0.name == name }) else {
          throw Self.usage("'\(verb.rawValue)' has no flag --\(name)", verb)
        }
        if flag.value == nil {
          guard parts.count == 1 else { throw Self.usage("--\(name) takes no value", verb) }
          values[name] = ""
        } else if parts.count == 2 {
          values[name] = String(parts[1])
        } else {
          guard index < rest.count else { throw Self.usage("--\(name) needs a value", verb) }
          values[name] = rest[index]
          index += 1
        }
      } else if word.hasPrefix("-"), word.count > 1, !endsFlags {
        throw Self.usage("there is no flag \(word)", verb)
      } else {
        positionals.append(word)
      }
    }
    guard !isSet("help") else {
      action = .help(verb)
      return
    }
    guard positionals.count <= verb.positionals.count else {
      throw Self.usage("'\(positionals[verb.positionals.count])' is one argument too many", verb)
    }
    guard positionals.count == verb.positionals.count else {
      throw Self.usage("\(verb.positionals[positionals.count]) is missing", verb)
    }
    action = .run(verb)
  }

  /// The command among words; nil where help or the version is asked for.
  private static func verb(
    _ words: [String],
    into action: inout Action
  ) throws(APIError) -> FleetVerb? {
    var skipsValue = false
    for (index, word) in words.enumerated() {
      if skipsValue {
        skipsValue = false
      } else if word == "--version" {
        action = .version
        return nil
      } else if word == "help" || word == "--help" || word == "-h" {
        let name = word == "help" && index + 1 < words.count ? words[index + 1] : nil
        action = .help(try name.map { name throws(APIError) in try named(name) })
        return nil
      } else if word.hasPrefix("-") {
        skipsValue = word == "--database"
      } else {
        return try named(word)
      }
    }
    guard words.isEmpty else {
      throw APIError(
        code: "bad-usage",
        message: "which command?",
        hint: "'hued-fleet help' lists the commands"
      )
    }
    return nil
  }

  private static func named(_ word: String) throws(APIError) -> FleetVerb {
    if let verb = FleetVerb(rawValue: word) { return verb }
    throw APIError(
      code: "bad-usage",
      message: "there is no command '\(word)'",
      hint: "'hued-fleet help' lists the commands"
    )
  }

  /// The error for arguments that a command cannot have.
  static func usage(_ message: String, _ verb: FleetVerb) -> APIError {
    APIError(code: "bad-usage", message: message, hint: "see 'hued-fleet help \(verb.rawValue)'")
  }
}

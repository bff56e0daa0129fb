import PaletteCommands

/// The arguments of one run.
struct FleetArguments: Equatable {
  /// The thing to do.
  enum Action: Equatable {
    case help(FleetVerb?)
    case version
    case run(FleetVerb)
  }

  private(set) var action = Action.help(nil)
  /// The things that the command is about, in the order of its help.
  private(set) var positionals: [String] = []
  private var values: [String: String] = [:]

  private static let short = ["-h": "--help", "-q": "--quiet", "-v": "--verbose"]
  /// The flag that no command has.
  private static let version = FleetVerb.Flag(name: "version", summary: "show the version")
  /// All flags by name; those of a name are alike in all commands.
  private static let flags: [String: FleetVerb.Flag] = {
    let all = FleetVerb.allCases.flatMap(\.flags) + FleetVerb.common + [version]
    return Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
  }()

  /// The value of a flag; nil where it was not given.
  subscript(flag: String) -> String? { values[flag] }

  /// Returns whether a flag was given.
  func isSet(_ flag: String) -> Bool { values[flag] != nil }

  /// Reads the arguments behind the name of the program.
  init(_ arguments: [String]) throws(APIError) {
    var words = try take(arguments)
    if words.first == "help" {
      words.removeFirst()
      values["help"] = ""
    }
    let name = words.isEmpty ? nil : words.removeFirst()
    let verb = try name.map { name throws(APIError) in
      guard let verb = FleetVerb(rawValue: name) else {
        throw Self.usage("there is no command '\(name)'", nil)
      }
      return verb
    }
    guard let verb, !isSet("help") else {
      guard arguments.isEmpty || isSet("help") || isSet("version") else {
        throw Self.usage("which command?", nil)
      }
      action = isSet("version") ? .version : .help(verb)
      return
    }
    let own = (verb.flags + FleetVerb.common).map(\.name)
    if let foreign = values.keys.sorted().first(where: { !own.contains($0) }) {
      throw Self.usage("'\(verb.rawValue)' has no flag --\(foreign)", verb)
    }
    guard words.count <= verb.positionals.count else {
      throw Self.usage("'\(words[verb.positionals.count])' is one argument too many", verb)
    }
    guard words.count == verb.positionals.count else {
      throw Self.usage("\(verb.positionals[words.count]) is missing", verb)
    }
    positionals = words
    action = .run(verb)
  }

  /// Takes the flags.
  ///
  /// - Returns: The other words.
  private mutating func take(_ arguments: [String]) throws(APIError) -> [String] {
    var (rest, words) = (arguments[...], [String]())
    while let word = rest.popFirst() {
      if word == "--" { return words + rest }
      guard word.hasPrefix("-"), word.count > 1 else {
        words.append(word)
        continue
      }
      let parts = (Self.short[word] ?? word).dropFirst(2)
        .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = parts.first.map(String.init) ?? ""
      guard (Self.short[word] ?? word).hasPrefix("--"), let flag = Self.flags[name] else {
        throw Self.usage("there is no flag \(word)", nil)
      }
      if flag.value == nil {
        guard parts.count == 1 else { throw Self.usage("--\(name) takes no value", nil) }
        values[name] = ""
      } else if let value = parts.dropFirst().first.map(String.init) ?? rest.popFirst() {
        values[name] = value
      } else {
        throw Self.usage("--\(name) needs a value", nil)
      }
    }
    return words
  }

  /// The error for arguments that a command cannot have.
  static func usage(_ message: String, _ verb: FleetVerb?) -> APIError {
    APIError(code: "bad-usage", message: message, hint: hint(for: verb))
  }

  /// The way to the help about a command, or all.
  static func hint(for verb: FleetVerb?) -> String {
    verb.map { "see 'hued-fleet help \($0.rawValue)'" }
      ?? "'hued-fleet help' lists the commands"
  }
}

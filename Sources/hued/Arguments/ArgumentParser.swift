import PaletteCommands
import PaletteJSON

/// Turns a command line into its meaning, by the command table alone.
struct ArgumentParser {
  /// A positional argument, and the flag right before it that may want it as its value.
  struct Operand {
    let text: String
    let flagBefore: String?
  }

  private let arguments: [String]
  private var index = 0
  var command: Command?
  var options = GlobalOptions()
  var operands: [Operand] = []
  /// The flags given, by name; a flag without a value has nil.
  var flags: [(flag: Flag, value: String?)] = []

  private init(_ arguments: [String]) {
    self.arguments = arguments
  }

  /// The meaning of the arguments behind the name of the program.
  static func parse(_ arguments: [String]) throws(APIError) -> CommandLineMeaning {
    let beforeEnd = arguments.prefix { $0 != "--" }
    if beforeEnd.contains(where: { $0 == "--help" || $0 == "-h" }) {
      return .help(try commandToExplain(among: beforeEnd))
    }
    if beforeEnd.contains("--version") { return .version }
    var parser = ArgumentParser(arguments)
    try parser.readArguments()
    return try parser.meaning()
  }

  /// Returns whether errors are to be JSON; asked before, and whatever else is wrong.
  static func wantsJSON(_ arguments: [String]) -> Bool {
    arguments.prefix { $0 != "--" }.contains("--json")
  }

  /// The first word that is no global flag and no value of one.
  private static func commandToExplain(
    among arguments: ArraySlice<String>
  ) throws(APIError) -> Command? {
    var skipsNext = false
    for argument in arguments {
      if skipsNext {
        skipsNext = false
      } else if argument.hasPrefix("-") {
        skipsNext = CommandTable.globalFlags.contains {
          "--\($0.name)" == argument && $0.value != .none
        }
      } else if let command = CommandTable.command(named: argument) {
        return command
      } else {
        throw .unknownCommand(argument)
      }
    }
    return nil
  }

  private mutating func readArguments() throws(APIError) {
    var flagBefore: String?
    while index < arguments.count {
      let argument = arguments[index]
      index += 1
      if argument == "--" {
        while index < arguments.count {
          try read(operand: arguments[index], after: nil)
          index += 1
        }
      } else if argument.hasPrefix("--") {
        flagBefore = try read(flag: argument)
      } else if argument.hasPrefix("-"), argument != "-", !Self.isNumber(argument) {
        throw .unknownFlag(argument, of: command)
      } else {
        try read(operand: argument, after: flagBefore)
        flagBefore = nil
      }
    }
  }

  private mutating func read(operand: String, after flag: String?) throws(APIError) {
    if command == nil {
      guard let named = CommandTable.command(named: operand) else {
        throw .unknownCommand(operand)
      }
      command = named
    } else {
      operands.append(Operand(text: operand, flagBefore: flag))
    }
  }

  /// Reads a flag and its value; returns its name if a value may still follow.
  private mutating func read(flag argument: String) throws(APIError) -> String? {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0].dropFirst(2))
    let known = (command?.flags ?? []) + CommandTable.globalFlags
    guard let flag = known.first(where: { $0.name == name }) else {
      throw .unknownFlag(String(parts[0]), of: command)
    }
    var value = parts.count == 2 ? String(parts[1]) : nil
    if case .required(let label) = flag.value, value == nil {
      value = try valueOfNextArgument(for: flag, label: label, known: known)
    }
    if flag.value == .none, value != nil { throw .usage("--\(name) takes no value") }
    let isSwitch = flag.value == .none && CommandTable.globalFlags.contains { $0.name == name }
    if !isSwitch, !flag.isRepeatable, flags.contains(where: { $0.flag.name == name }) {
      throw .usage("--\(name) is given more than once", hint: command?.usageHint)
    }
    flags.append((flag, value))
    if case .optional = flag.value, value == nil { return name }
    return nil
  }

  private mutating func valueOfNextArgument(
    for flag: Flag,
    label: String,
    known: [Flag]
  ) throws(APIError) -> String {
    guard index < arguments.count, arguments[index] != "--",
      !known.contains(where: { arguments[index] == "--\($0.name)" })
    else {
      throw .usage(
        "--\(flag.name) needs a value",
        hint: "write --\(flag.name) \(label), or --\(flag.name)=\(label)"
      )
    }
    index += 1
    return arguments[index - 1]
  }

  /// Returns whether an argument that begins with a hyphen is a negative number.
  private static func isNumber(_ argument: String) -> Bool {
    guard let character = argument.dropFirst().first else { return false }
    return character.isASCII && (character.isNumber || character == ".")
  }

  /// Gives every argument its parameter, once all have been read.
  mutating func meaning() throws(APIError) -> CommandLineMeaning {
    try readGlobalFlags()
    guard let command else {
      return .run(Invocation(command: .status, options: options, arguments: [], isOverview: true))
    }
    readOptionalValues(of: command)
    try checkChoices(of: command)
    var parameters = try positionalParameters(of: command)
    for (flag, text) in flags where command.has(flag: flag.name) {
      let value = try text.map { text throws(APIError) in
        try Self.value(text, of: flag.content, named: "--\(flag.name)")
      }
      guard flag.isRepeatable, let value else {
        parameters.append((flag.name, value ?? true))
        continue
      }
      let earlier = parameters.firstIndex { $0.key == flag.name }
      let values = earlier.flatMap { parameters.remove(at: $0).value.arrayValue } ?? []
      parameters.append((flag.name, JSON(values + [value])))
    }
    if command.traits.programPart == .help { return .help(try commandToExplain(parameters)) }
    return .run(Invocation(command: command, options: options, arguments: parameters))
  }

  private mutating func readGlobalFlags() throws(APIError) {
    for (flag, value) in flags {
      switch flag.name {
      case "json": options.json = true
      case "quiet": options.quiet = true
      case "verbose": options.verbose = true
      case "no-pager": options.pages = false
      case "wide": options.wide = true
      case "yes": options.yes = true
      case "home":
        guard let value, !value.isEmpty else { throw .usage("--home needs a folder") }
        options.home = value
      case "color":
        _ = try Self.value(value ?? "", of: flag.content, named: "--color")
        options.color = value.flatMap(GlobalOptions.Color.init)
      case "timeout":
        guard let seconds = value.flatMap(Double.init), seconds > 0, seconds.isFinite else {
          throw .usage("--timeout needs a number of seconds above 0, not '\(value ?? "")'")
        }
        options.timeoutSeconds = seconds
      default: break
      }
    }
    if options.quiet, options.verbose {
      throw .usage("--quiet and --verbose exclude each other")
    }
  }

  /// Moves an operand to the flag right before it, or the last one, when there is one too many.
  private mutating func readOptionalValues(of command: Command) {
    for (index, entry) in flags.enumerated() {
      guard case .optional = entry.flag.value, entry.value == nil,
        operands.count > command.positionals.count
      else { continue }
      let taken = operands.firstIndex { $0.flagBefore == entry.flag.name }
      flags[index].value = operands.remove(at: taken ?? operands.count - 1).text
    }
  }

  private func checkChoices(of command: Command) throws(APIError) {
    for choice in command.choices {
      let given = flags.map(\.flag.name).filter { choice.flags.contains($0) }
      let all = choice.flags.map { "--\($0)" }
      if given.count > 1 {
        let names = given.map { "--\($0)" }.joined(separator: " and ")
        throw .usage("\(names) exclude each other", hint: command.usageHint)
      }
      if given.isEmpty, choice.isRequired {
        let names = all.count > 1 ? "one of \(all.joined(separator: ", "))" : all.joined()
        throw .usage("'hued \(command.name)' needs \(names)", hint: hint(for: choice, of: command))
      }
    }
  }

  /// A hint for a call without any of the flags of which one is needed.
  private func hint(for choice: Choice, of command: Command) -> String {
    let flags = command.flags.filter { choice.flags.contains($0.name) }
    if operands.count > command.positionals.count, let extra = operands.last?.text,
      Int(extra) != nil, flags.contains(where: { $0.name == "at" })
    {
      return "did you mean '--at \(extra)'?"
    }
    guard flags.count == 1, case .word(let words) = flags[0].content,
      case .required(let label) = flags[0].value
    else { return command.usageHint }
    return "\(command.usageHint), where \(label) is \(Self.alternatives(words))"
  }

  private func positionalParameters(
    of command: Command
  ) throws(APIError) -> [(key: String, value: JSON)] {
    let missing = command.positionals.filter(\.need.isNeeded).dropFirst(operands.count)
    guard missing.isEmpty else {
      let labels = missing.map(\.label).joined(separator: " and ")
      throw .usage("'hued \(command.name)' needs \(labels)", hint: hint(for: command))
    }
    var rest = operands.map(\.text)[...]
    var parameters: [(key: String, value: JSON)] = []
    for (index, positional) in command.positionals.enumerated() {
      let isLeft = command.positionals.dropFirst(index + 1).count(where: \.need.isNeeded)
      if positional.need.isList {
        let texts = rest.dropLast(isLeft)
        if !texts.isEmpty { parameters.append((positional.name, JSON(texts.map { JSON($0) }))) }
        rest = rest.suffix(isLeft)
        continue
      }
      guard positional.need.isNeeded || rest.count > isLeft, let text = rest.popFirst() else {
        continue
      }
      let value = try Self.value(text, of: positional.content, named: positional.label)
      parameters.append((positional.name, value))
    }
    if let extra = rest.first {
      let takesText = command.positionals.last.map { ["NAME", "TEXT"].contains($0.label) } ?? false
      throw .usage(
        "unexpected argument '\(extra)'",
        hint: takesText
          ? "put a text with spaces in quotes; \(command.usageHint)" : command.usageHint
      )
    }
    return parameters
  }

  /// A hint for a call with too few operands.
  private func hint(for command: Command) -> String {
    guard let short = command.traits.hintIfShort, operands.count == short.operands else {
      return command.usageHint
    }
    return "\(command.usageHint); \(short.hint)"
  }

  private func commandToExplain(
    _ parameters: [(key: String, value: JSON)]
  ) throws(APIError) -> Command? {
    guard let name = parameters.first(where: { $0.key == "command" })?.value.stringValue else {
      return nil
    }
    guard let command = CommandTable.command(named: name) else { throw .unknownCommand(name) }
    return command
  }

  /// The value of one argument, as the API gets it.
  static func value(
    _ text: String,
    of content: Content,
    named name: String
  ) throws(APIError) -> JSON {
    switch content {
    case .text, .css, .palette, .color, .file, .path, .secret, .folder, .seconds, .readFormat,
      .writtenFormat, .suggestion, .member, .peer, .command:
      return JSON(text)
    case .position:
      guard let number = Int(text) else {
        throw APIError(
          code: "bad-position",
          message: "\(name) needs a whole number, not '\(text)'",
          hint: "positions count from 0"
        )
      }
      return JSON(number)
    case .count:
      guard let number = Int(text), number >= 0 else {
        throw APIError(
          code: "bad-value",
          message: "\(name) needs a number from 0 on, not '\(text)'"
        )
      }
      return JSON(number)
    case .percent:
      guard let number = number(of: text) else {
        throw APIError(
          code: "bad-value",
          message: "\(name) needs a number, not '\(text)'"
        )
      }
      return number
    case .word(let words):
      guard words.contains(text) else { throw unknownWord(text, named: name, words: words) }
      return JSON(text)
    }
  }

  private static func unknownWord(_ text: String, named name: String, words: [String]) -> APIError {
    .usage(
      "\(name) is \(alternatives(words)), not '\(text)'",
      hint: Suggestion.closest(to: text, among: words).map { "did you mean '\($0)'?" }
    )
  }

  /// The words of which one is needed.
  private static func alternatives(_ words: [String]) -> String {
    words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
  }

  /// A finite decimal number, with or without a percent sign.
  private static func number(of text: String) -> JSON? {
    let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
    guard digits.allSatisfy({ "0123456789.eE+-".contains($0) }), let number = Double(digits),
      number.isFinite
    else { return nil }
    return Int(exactly: number).map { JSON($0) } ?? JSON(number)
  }
}

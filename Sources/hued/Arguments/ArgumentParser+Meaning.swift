import PaletteCommands
import PaletteFormats

extension ArgumentParser {
  /// Gives every argument its parameter, once all have been read.
  mutating func meaning() throws(APIError) -> CommandLineMeaning {
    try readGlobalFlags()
    guard let command else {
      return .run(Invocation(command: .status, options: options, arguments: [], isOverview: true))
    }
    takeOptionalValues(of: command)
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
    if command == .help { return .help(try commandToExplain(parameters)) }
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
  private mutating func takeOptionalValues(of command: Command) {
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

  /// What somebody probably meant who gave none of the flags of which one is needed.
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
    let missing = command.positionals.dropFirst(operands.count).filter { $0.need != .optional }
    guard missing.isEmpty else {
      let labels = missing.map(\.label).joined(separator: " and ")
      throw .usage("'hued \(command.name)' needs \(labels)", hint: hint(for: command))
    }
    var rest = operands.map(\.text)[...]
    var parameters: [(key: String, value: JSON)] = []
    for positional in command.positionals {
      guard let text = rest.first else { break }
      if positional.need == .repeated {
        parameters.append((positional.name, JSON(rest.map { JSON($0) })))
        return parameters
      }
      rest.removeFirst()
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

  /// What somebody probably meant who gave too few operands.
  private func hint(for command: Command) -> String {
    guard command == .rename, operands.count == 2 else { return command.usageHint }
    return "\(command.usageHint); to rename a palette: \(Command.title.usage)"
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
}

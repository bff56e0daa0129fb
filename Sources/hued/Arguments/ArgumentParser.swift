import PaletteCommands

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

  /// Whether errors are to be JSON; asked before, and whatever else is wrong.
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

  /// Whether an argument that begins with a hyphen is a negative number.
  private static func isNumber(_ argument: String) -> Bool {
    guard let character = argument.dropFirst().first else { return false }
    return character.isASCII && (character.isNumber || character == ".")
  }
}

import PaletteCommands

/// What a command line asks for.
enum CommandLineMeaning {
  /// Help about one command, or about all of them.
  case help(Command?)
  /// The version.
  case version
  /// A command with its arguments.
  case run(Invocation)
}

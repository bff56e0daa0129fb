import PaletteCommands
import PaletteJSON

/// A command with checked arguments.
struct Invocation {
  let command: Command
  var options: GlobalOptions
  /// The arguments that were given, by parameter name.
  let arguments: [(key: String, value: JSON)]
  /// True if no command was given, so that the state of the library is shown with what to do next.
  var isOverview = false

  /// The value of an argument; `null` when it was not given.
  subscript(parameter: String) -> JSON {
    arguments.first { $0.key == parameter }?.value ?? nil
  }

  /// True if long output of it goes through a pager: what is read, not what an edit tells.
  var pages: Bool {
    options.pages && !options.json && command.traits.isPaged
  }
}

/// The meaning of a command line.
enum CommandLineMeaning {
  /// Help about one command, or about all of them.
  case help(Command?)
  /// The version.
  case version
  /// A command with its arguments.
  case run(Invocation)
}

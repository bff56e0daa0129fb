import PaletteCommands
import PaletteFormats

/// A command with checked arguments.
struct Invocation {
  let command: Command
  var options: GlobalOptions
  /// The arguments that were given, by parameter name.
  let arguments: [(key: String, value: JSON)]
  /// Whether no command was given, so that the state of the library is shown with what to do next.
  var isOverview = false

  /// The value of an argument; `null` when it was not given.
  subscript(parameter: String) -> JSON {
    arguments.first { $0.key == parameter }?.value ?? nil
  }
}

import PaletteCommands
import PaletteProgram

/// The texts of `--help` and `hued help`.
enum HelpText {
  /// Help about one command, or the overview.
  static func text(for command: Command?) -> String {
    command.map(text(for:)) ?? overview
  }

  private static var overview: String {
    var text = "hued keeps color palettes in sync between machines.\n\n"
    text += "Usage: hued [FLAGS] COMMAND [ARGUMENTS]\n"
    for group in CommandGroup.allCases {
      text += "\n\(group.rawValue):\n"
      text += TextBlock.definitions(
        CommandTable.commands(in: group).map { (term: $0.name, meaning: $0.summary) }
      )
    }
    text += "\nFlags of every command:\n" + definitions(CommandTable.globalFlags)
    text += "\nThe library is in --home, else in $HUED_HOME, else in $XDG_DATA_HOME/hued.\n"
    text += "'hued help COMMAND' explains a command and shows examples.\n"
    text +=
      "'hued fleet' runs hued-fleet: hubs that share a database, where one hub is not enough.\n"
    return text
  }

  private static func text(for command: Command) -> String {
    let usage = "Usage: \(command.usage)"
    var text = command.summary + ".\n\n"
    text += usage.count > 90 ? TextBlock.paragraph(usage) : usage + "\n"
    for paragraph in command.details {
      text += "\n" + TextBlock.paragraph(paragraph)
    }
    if !command.positionals.isEmpty {
      text += "\nArguments:\n"
      text += TextBlock.definitions(
        command.positionals.map { (term: $0.label, meaning: $0.explanation) }
      )
    }
    if !command.flags.isEmpty {
      text += "\nFlags:\n" + definitions(command.flags)
    }
    text += "\nFlags of every command:\n" + definitions(CommandTable.globalFlags)
    text += "\nExamples:\n"
    for example in command.examples {
      text += "  \(example.line)\n      \(example.meaning)\n"
    }
    return text
  }

  private static func definitions(_ flags: [Flag]) -> String {
    TextBlock.definitions(flags.map { (term: $0.usage, meaning: $0.explanation) })
  }
}

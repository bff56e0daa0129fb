import PaletteCommands
import PaletteProgram

/// The man page, in roff.
enum ManPage {
  static var text: String {
    var page = ".TH HUED 1 \"\" \"hued \(Release.version)\" \"User Commands\"\n"
    page += ".SH NAME\nhued \\- keep color palettes in sync between machines\n"
    page += ".SH SYNOPSIS\n.B hued\n[\\fIFLAGS\\fR] \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]\n"
    page += ".SH DESCRIPTION\n" + Roff.line(description)
    page += ".SH FLAGS\nThese can stand anywhere on the line, before \\fB\\-\\-\\fR.\n"
    page += CommandTable.globalFlags.map(definition).joined()
    for group in CommandGroup.allCases {
      page += ".SH \(group.rawValue.uppercased())\n"
      page += CommandTable.commands(in: group).map(section).joined()
    }
    page += ".SH EXIT STATUS\n"
    for code in ExitCode.allCases {
      page += ".TP\n.B \(code.rawValue)\n" + Roff.line(code.meaning)
    }
    page += ".SH ENVIRONMENT\n"
    for (name, meaning) in environment { page += ".TP\n.B \(name)\n" + Roff.line(meaning) }
    return page
  }

  private static let description =
    "Every machine keeps its palettes itself and works without a network. A PALETTE or COLOR is "
    + "given by its exact name, or by 4 or more characters of its id; an exact name wins. "
    + "Positions count from 0. On a terminal results are tables with swatches; when piped, they "
    + "are tab-separated lines without a header, and with --json exactly one JSON document."

  private static let environment = [
    ("HUED_HOME", "The folder of the library, where --home is not given."),
    ("XDG_DATA_HOME", "The library is in its folder hued; ~/.local/share when not set."),
    ("XDG_CONFIG_HOME", "The settings of that library are in its folder hued."),
    ("NO_COLOR", "When not empty, no swatches are shown unless --color always is given."),
    ("COLORTERM, TERM", "Tell how many colors the terminal can show."),
    ("PAGER", "Shows what is longer than the terminal, where it is set."),
    ("TMPDIR", "The folder for the copy that backup --drill restores; /tmp when not set."),
  ]

  private static func section(_ command: Command) -> String {
    var text = ".SS \"\(Roff.escaped(command.usage))\"\n" + Roff.line(command.summary + ".")
    for paragraph in command.details { text += ".PP\n" + Roff.line(paragraph) }
    for positional in command.positionals {
      text += ".TP\n.I \(Roff.escaped(positional.label))\n" + Roff.line(positional.explanation)
    }
    text += command.flags.map(definition).joined()
    for example in command.examples {
      text += ".PP\n" + Roff.line(example.meaning + ":")
      text += ".PP\n.RS 4\n.EX\n" + Roff.line(example.line) + ".EE\n.RE\n"
    }
    return text
  }

  private static func definition(_ flag: Flag) -> String {
    ".TP\n.B \(Roff.escaped(flag.usage))\n" + Roff.line(flag.explanation)
  }
}

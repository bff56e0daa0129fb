import PaletteCommands
import PaletteProgram

/// The man page, from the table of commands.
enum FleetManPage {
  /// The page in roff.
  static var text: String {
    var page = """
      .TH HUED-FLEET 1 "" "hued \(Release.version)" "User Commands"
      .SH NAME
      hued\\-fleet \\- hubs that share their color palettes in a PostgreSQL database
      .SH SYNOPSIS
      .B hued\\-fleet
      .I COMMAND
      .RI [ FLAG ]...
      .SH COMMANDS

      """
    for verb in FleetVerb.allCases {
      let words = [bold(verb.rawValue)] + verb.positionals.map { "\\fI\($0)\\fR" }
      page += ".TP\n\(words.joined(separator: " "))\n" + Roff.line(verb.summary + ".")
      if let details = verb.details { page += ".IP\n" + Roff.line(details) }
      for flag in verb.flags { page += ".RS\n" + entry(flag) + ".RE\n" }
    }
    page += ".SH OPTIONS OF ALL COMMANDS\n" + FleetVerb.common.map(entry).joined()
    return page + """
      .SH EXIT STATUS
      0 done; 2 bad usage, or a name that is taken; 3 something that was named does not exist; 5 the database
      cannot be reached; 6 no permission; 7 its disk is full; 8 newer tables, or a server below version 13.
      .SH ENVIRONMENT
      .B HUED_DATABASE
      is the database where no \\fB\\-\\-database\\fR is given; libpq's own variables, password file and service file
      count too.
      .SH SEE ALSO
      .BR hued (1)

      """
  }

  private static func entry(_ flag: FleetVerb.Flag) -> String {
    let value = flag.value.map { " \\fI\(Roff.escaped($0))\\fR" } ?? ""
    return ".TP\n\(bold("--" + flag.name))\(value)\n" + Roff.line(flag.summary + ".")
  }

  private static func bold(_ text: String) -> String { "\\fB\(Roff.escaped(text))\\fR" }
}

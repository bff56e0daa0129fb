import PaletteCommands

/// The values of the flags that every command takes.
struct GlobalOptions: Equatable {
  /// The choice of when swatches are shown.
  enum Color: String {
    case auto
    case always
    case never
  }

  var home: String?
  var json = false
  /// Nil where the settings decide.
  var color: Color?
  var quiet = false
  var verbose = false
  var wide = false
  /// True if long output may go through a pager.
  var pages = true
  /// Nil where the settings decide.
  var timeoutSeconds: Double?
  var yes = false
}

extension CommandTable {
  static let globalFlags: [Flag] = [
    Flag("home", "DIR", "use the library in this folder", content: .folder),
    Flag("json", nil, "print one JSON document"),
    Flag(
      "color",
      "WHEN",
      "show swatches: auto, always or never",
      content: .word(["auto", "always", "never"])
    ),
    Flag("quiet", nil, "print results only, nothing about edits that succeeded"),
    Flag("verbose", nil, "say more about what happens"),
    Flag("no-pager", nil, "never show long output through $PAGER"),
    Flag("wide", nil, "show tables whole, however narrow the terminal is"),
    Flag("timeout", "SECONDS", "give up after this time", content: .seconds),
    Flag("yes", nil, "answer every question with yes"),
    Flag("help", nil, "show help for the command"),
    Flag("version", nil, "show the version"),
  ]

  static func commands(in group: CommandGroup) -> [Command] {
    commands.filter { $0.group == group }
  }
}

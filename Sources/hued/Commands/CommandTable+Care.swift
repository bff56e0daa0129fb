extension CommandTable {
  static let careCommands: [Command] = [
    Command(
      verb: .status,
      group: .care,
      summary: "Shows the state of the library and of its peers",
      details: ["When piped, each line begins with a key; palettes and peers have a line each."],
      examples: [
        .init("hued status", "show everything"),
        .init("hued status --json", "show it to a script"),
      ],
      otherNames: ["state"]
    ),
    Command(
      verb: .backup,
      group: .care,
      summary: "Writes a copy of the library to a file",
      details: ["Replacing a file asks first on a terminal and needs --yes elsewhere."],
      positionals: [Positional("FILE", "the file to write", content: .file)],
      examples: [.init("hued backup ~/hued.backup", "keep a copy of all palettes")]
    ),
    Command(
      verb: .recover,
      group: .care,
      summary: "Replaces the library by a backup",
      details: [
        "The library continues as a new node and the old one is kept aside. Asks first on a "
          + "terminal and needs --yes elsewhere; works only while no node runs."
      ],
      positionals: [Positional("FILE", "a file that `hued backup` wrote", content: .file)],
      examples: [.init("hued recover ~/hued.backup", "go back to the copy")]
    ),
    Command(
      verb: .compact,
      group: .care,
      summary: "Forgets old history to save space",
      details: [
        "Removes changes that nothing depends on and that were replaced before TIME; values that "
          + "are shown always stay. TIME is ISO 8601 or an age, 30 days when not given. Asks first "
          + "on a terminal and needs --yes elsewhere."
      ],
      flags: [Flag("before", "TIME", "keep all history since this time")],
      examples: [
        .init("hued compact", "forget what is older than 30 days"),
        .init("hued compact --before '1 year ago' --yes", "forget less, without asking"),
      ],
      otherNames: ["gc", "vacuum", "prune"]
    ),
    Command(
      verb: .doctor,
      group: .care,
      summary: "Checks the library and the machine",
      details: ["The exit code is 7 when a check failed."],
      examples: [.init("hued doctor", "see whether all is well")],
      otherNames: ["check", "fsck", "verify"]
    ),
    Command(
      verb: .config,
      group: .care,
      summary: "Shows or changes settings",
      details: [
        "Without arguments every setting is printed, with where its value comes from. The settings "
          + "are color (auto, always or never), timeout (a number of seconds, or none) and name (what "
          + "others see beside your edits)."
      ],
      positionals: [
        Positional(
          "ACTION",
          "get or set",
          need: .optional,
          content: .word(["get", "set"])
        ),
        Positional("KEY", "the name of the setting", need: .optional),
        Positional("VALUE", "its new value, for set", need: .optional),
      ],
      examples: [
        .init("hued config", "show all settings"),
        .init("hued config get timeout", "print one value"),
        .init("hued config set color never", "change one"),
      ],
      otherNames: ["settings", "preferences"]
    ),
  ]

  static let shellCommands: [Command] = [
    Command(
      verb: .completion,
      group: .care,
      summary: "Prints a completion script for a shell",
      positionals: [
        Positional("SHELL", "bash, zsh or fish", content: .word(["bash", "zsh", "fish"]))
      ],
      examples: [
        .init("source <(hued completion bash)", "complete in this shell"),
        .init(
          "hued completion fish > ~/.config/fish/completions/hued.fish",
          "complete in every fish"
        ),
      ],
      otherNames: ["completions"]
    ),
    Command(
      verb: .man,
      group: .care,
      summary: "Prints the man page",
      examples: [.init("hued man | man -l -", "read it")],
      otherNames: ["manual"]
    ),
    Command(
      verb: .help,
      group: .care,
      summary: "Explains hued or one of its commands",
      positionals: [
        Positional("COMMAND", "the command to explain", need: .optional, content: .command)
      ],
      examples: [
        .init("hued help", "list all commands"),
        .init("hued help add", "explain one"),
      ]
    ),
  ]
}

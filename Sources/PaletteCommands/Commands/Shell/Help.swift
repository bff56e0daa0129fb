extension Command {
  package static let help = Command(
    "help",
    .care,
    .program,
    summary: "Explains hued or one of its commands",
    positionals: [
      Positional("COMMAND", "the command to explain", need: .optional, content: .command)
    ],
    examples: [
      .init("hued help", "list all commands"),
      .init("hued help add", "explain one"),
    ]
  )
}

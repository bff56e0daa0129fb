extension Command {
  package static let completion = Command(
    "completion",
    .care,
    .program,
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
  )
  .with(\.programPart, .completion)

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
  .with(\.programPart, .help)

  package static let man = Command(
    "man",
    .care,
    .program,
    summary: "Prints the man page",
    examples: [.init("hued man | man -l -", "read it")],
    otherNames: ["manual"]
  )
  .with(\.programPart, .man)
}

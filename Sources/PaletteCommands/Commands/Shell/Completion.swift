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
}

extension Command {
  package static let watch = Command(
    "watch",
    .node,
    .program,
    summary: "Shows a palette and everything that happens to it",
    details: [
      "On a terminal it has the whole screen: what changed is pointed at, with its author, and below "
        + "stand who is here and how the peers are. j, k, space, b, g, G and the arrows scroll, q ends. "
        + "When piped, the list is followed by a line for each step: insert, delete, move or update, "
        + "then position, old position, hex, name and id. With --json each line is an event: a snapshot first, then diffs, and "
        + "where joined peers stand when that changes.",
      "While no node runs, it follows the file: only edits on this machine show.",
    ],
    positionals: [.palette],
    examples: [
      .init("hued watch Sunset", "see it change"),
      .init("hued watch Sunset --json", "let a script follow"),
    ],
    otherNames: ["follow", "tail", "monitor"]
  )
  .with(\.programPart, .watch)
  .with(\.runsOn)
}

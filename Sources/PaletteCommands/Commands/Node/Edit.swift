extension Command {
  package static let edit = Command(
    "edit",
    .node,
    .program,
    summary: "Edits a palette on the whole screen of a terminal",
    details: [
      "The colors are a grid that follows what others do, and tells who did it. Arrows or h j k l go "
        + "about; Enter recolors by sliders in OKLCH, HSB or RGB, as one edit; n renames, t writes the "
        + "note, a adds, d deletes, < and > move, u undoes, U makes it again, c shows a conflict with "
        + "its authors, / searches, y copies. `?` shows every key, q ends.",
      "While no node runs, it edits and follows the file. Without a terminal the exit code is 2.",
    ],
    positionals: [.palette],
    examples: [.init("hued edit Sunset", "work on a palette")],
    otherNames: ["editor", "tui"]
  )
  .with(\.programPart, .edit)
  .with(\.runsOn)
}

extension CommandTable {
  static let timeCommands: [Command] = [
    Command(
      verb: .undo,
      group: .time,
      summary: "Takes back the last edit made here",
      details: [
        "Only edits of this library are undone, and only where nobody has written since. A whole "
          + "import is one edit. With nothing to undo it does nothing."
      ],
      positionals: [.palette],
      examples: [.init("hued undo Sunset", "take back the last edit of the palette")],
      otherNames: ["revert"]
    ),
    Command(
      verb: .redo,
      group: .time,
      summary: "Makes an undone edit again",
      positionals: [.palette],
      examples: [.init("hued redo Sunset", "make the edit again that was undone last")]
    ),
    Command(
      verb: .history,
      group: .time,
      summary: "Lists the changes of a palette, newest first",
      details: [
        "BY is what the author says to be called, NODE the id that the change was made under. When "
          + "piped, each line holds time, kind, id, dot, registers and author."
      ],
      positionals: [.palette],
      flags: [Flag("limit", "N", "show this many changes at most", content: .count)],
      examples: [
        .init("hued history Sunset", "show every change"),
        .init("hued history Sunset --limit 5", "show the newest five"),
      ],
      otherNames: ["log", "changes"]
    ),
    Command(
      verb: .conflicts,
      group: .time,
      summary: "Lists values that were written concurrently",
      details: [
        "One value of each conflict is shown everywhere; the others wait for the next write or "
          + "`hued resolve`. When piped, each line holds palette, id, register, value, node, "
          + "stamp, `shown` or `sibling`, and author."
      ],
      positionals: [
        Positional(
          "PALETTE",
          "only this palette: its exact name, or 4 or more characters of its id",
          need: .optional,
          content: .palette
        )
      ],
      examples: [
        .init("hued conflicts", "show the conflicts of all palettes"),
        .init("hued conflicts Sunset", "show those of one palette"),
      ],
      otherNames: ["diff"]
    ),
    Command(
      verb: .resolve,
      group: .time,
      summary: "Settles a conflict by choosing one of its values",
      positionals: [
        .palette, .color,
        Positional(
          "REGISTER",
          "what is in conflict: name, color or note",
          content: .suggestion(["name", "color", "note"])
        ),
        Positional("VALUE", "the value to keep, one of those that `hued conflicts` lists"),
      ],
      examples: [
        .init("hued resolve Sunset Orange color '#ff8800'", "keep this color"),
        .init("hued resolve Sunset Orange name Orange", "keep this name"),
      ],
      otherNames: ["merge", "choose"]
    ),
  ]
}

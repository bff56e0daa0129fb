extension CommandTable {
  static let colorPlaceCommands: [Command] = [
    Command(
      verb: .move,
      group: .colors,
      summary: "Moves a color to another position",
      positionals: [.palette, .color],
      flags: [at("0 to the number of colors less one, as it is afterwards"), before, after],
      choices: [Choice(["at", "before", "after"], isRequired: true)],
      examples: [
        .init("hued move Sunset Orange --at 0", "make it the first"),
        .init("hued move Sunset Orange --before Clay", "put it before another"),
      ],
      otherNames: ["mv", "reorder"]
    ),
    Command(
      verb: .remove,
      group: .colors,
      summary: "Removes colors from a palette",
      details: [
        "When one of the colors cannot be found, none is removed. `hued restore` brings a removed "
          + "color back."
      ],
      positionals: [
        .palette,
        Positional(
          "COLOR",
          as: "colors",
          "a color: its exact name, or 4 or more characters of its id",
          need: .repeated,
          content: .color
        ),
      ],
      examples: [
        .init("hued remove Sunset Orange", "remove one color"),
        .init("hued remove Sunset Orange Clay", "remove two in one step"),
      ],
      otherNames: ["rm", "delete", "del"]
    ),
    Command(
      verb: .restore,
      group: .colors,
      summary: "Brings back a removed color or a dropped palette",
      details: [
        "A color returns to its old place. Without COLOR the palette itself is brought back; only "
          + "what is removed is looked for."
      ],
      positionals: [
        .palette,
        Positional(
          "COLOR",
          "the removed color: its exact name, or 4 or more characters of its id",
          need: .optional
        ),
      ],
      examples: [
        .init("hued restore Sunset Orange", "bring a color back"),
        .init("hued restore Sunset", "bring a dropped palette back"),
      ],
      otherNames: ["undelete", "unremove", "undrop"]
    ),
  ]
}

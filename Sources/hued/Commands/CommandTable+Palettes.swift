extension CommandTable {
  static let paletteCommands: [Command] = [
    Command(
      verb: .new,
      group: .palettes,
      summary: "Creates an empty palette",
      details: ["A palette of this library with the same name is an error."],
      positionals: [Positional("NAME", "the name of the new palette")],
      examples: [.init("hued new Sunset", "make a palette called Sunset")],
      otherNames: ["create", "init", "make"]
    ),
    Command(
      verb: .palettes,
      group: .palettes,
      summary: "Lists the palettes of the library",
      details: ["When piped, each line holds name, number of colors and id."],
      examples: [
        .init("hued palettes", "show all palettes"),
        .init("hued palettes | cut -f1", "print their names alone"),
      ],
      otherNames: ["ls-palettes"]
    ),
    Command(
      verb: .drop,
      group: .palettes,
      summary: "Deletes a palette with all its colors",
      details: [
        "Asks first on a terminal and needs --yes elsewhere. `hued restore PALETTE` brings the "
          + "palette back."
      ],
      positionals: [.palette],
      examples: [
        .init("hued drop Sunset", "delete the palette after asking"),
        .init("hued drop Sunset --yes", "delete it without asking"),
      ],
      otherNames: ["destroy"]
    ),
    Command(
      verb: .title,
      group: .palettes,
      summary: "Renames a palette",
      positionals: [.palette, Positional("NAME", "the new name of the palette")],
      examples: [.init("hued title Sunset Dusk", "call the palette Dusk from now on")],
      otherNames: ["rename-palette"]
    ),
  ]
}

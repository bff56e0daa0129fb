extension RPCMethodTable {
  static let paletteMethods: [RPCMethod] = [
    RPCMethod(
      "palettes",
      .viewer,
      "Lists the palettes by name",
      result: .object([("palettes", .list(.reference("Palette")))])
    ),
    RPCMethod("new", .editor, "Creates an empty palette", [name], result: .reference("Palette")),
    RPCMethod(
      "title",
      .editor,
      "Renames a palette",
      [palette, name],
      result: .reference("Palette")
    ),
    RPCMethod(
      "drop",
      .editor,
      "Deletes a palette; 'restore' without a color brings it back",
      [palette],
      result: .reference("Palette")
    ),
  ]

  static let colorMethods: [RPCMethod] = [
    RPCMethod(
      "list",
      .viewer,
      "Lists the colors of a palette in order",
      [palette, .init("at", .text(time), "show the palette as it was at this time").optional],
      result: .reference("List")
    ),
    RPCMethod(
      "add",
      .editor,
      "Adds a color, at the end unless a position is given",
      [
        palette, value, name.optional,
        .init("id", .text("a UUID"), "the id of the new color, chosen by the caller").optional,
      ] + positions,
      result: .reference("Record")
    ),
    RPCMethod(
      "set",
      .editor,
      "Gives a color another value",
      [palette, color, value, seen],
      result: .reference("Record")
    ),
    RPCMethod(
      "rename",
      .editor,
      "Gives a color another name",
      [palette, color, name, seen],
      result: .reference("Record")
    ),
    RPCMethod(
      "note",
      .editor,
      "Writes the note of a color; an empty one removes it",
      [palette, color, .init("text", .text(), "the note, at most 1 KiB"), seen],
      result: .reference("Record")
    ),
    RPCMethod(
      "tweak",
      .editor,
      "Adds or subtracts points of HSL lightness",
      [
        palette, color, .init("direction", .word(["lighter", "darker"]), "which way"),
        .init("percent", .number, "how many points, 10 when not given").optional, seen,
      ],
      result: .reference("Record")
    ),
    RPCMethod(
      "move",
      .editor,
      "Moves a color; exactly one of at, before and after is needed",
      [palette, color] + positions + [seen],
      result: .reference("Record")
    ),
    RPCMethod(
      "remove",
      .editor,
      "Removes colors, all or none; what others edited since 'seen' stays, and is not in 'removed'",
      [
        palette, .init("colors", .list(.text()), "each as in 'color'"),
        .init("seen", .either([.text(), .list(.text())]), "as in 'set'; of several, one for each")
          .optional,
      ],
      result: .object([("removed", .list(.text("an id")))])
    ),
    RPCMethod(
      "restore",
      .editor,
      "Brings back a removed color (a Record), or without one a dropped palette (a Palette)",
      [palette, color.optional, seen],
      result: .reference("RecordOrPalette")
    ),
  ]
}

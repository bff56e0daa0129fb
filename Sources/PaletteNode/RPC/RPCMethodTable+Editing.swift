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
      [palette, value, name.optional] + positions,
      result: .reference("Record")
    ),
    RPCMethod(
      "set",
      .editor,
      "Gives a color another value",
      [palette, color, value],
      result: .reference("Record")
    ),
    RPCMethod(
      "rename",
      .editor,
      "Gives a color another name",
      [palette, color, name],
      result: .reference("Record")
    ),
    RPCMethod(
      "note",
      .editor,
      "Writes the note of a color; an empty one removes it",
      [palette, color, .init("text", .text(), "the note, at most 1 KiB")],
      result: .reference("Record")
    ),
    RPCMethod(
      "tweak",
      .editor,
      "Adds or subtracts points of HSL lightness",
      [
        palette, color, .init("direction", .word(["lighter", "darker"]), "which way"),
        .init("percent", .number, "how many points, 10 when not given").optional,
      ],
      result: .reference("Record")
    ),
    RPCMethod(
      "move",
      .editor,
      "Moves a color; exactly one of at, before and after is needed",
      [palette, color] + positions,
      result: .reference("Record")
    ),
    RPCMethod(
      "remove",
      .editor,
      "Removes colors, all or none",
      [palette, .init("colors", .list(.text()), "each as in 'color'")],
      result: .object([("removed", .list(.text("an id")))])
    ),
    RPCMethod(
      "restore",
      .editor,
      "Brings back a removed color (a Record), or without one a dropped palette (a Palette)",
      [palette, color.optional],
      result: .reference("RecordOrPalette")
    ),
  ]
}

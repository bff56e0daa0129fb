internal import PaletteMerge
internal import PaletteStore

extension Command {
  package static let note = Command(
    "note",
    .colors,
    .edit,
    view: .record("Noted"),
    summary: "Writes the note of a color",
    details: ["An empty TEXT removes the note. Put -- before a text that begins with a hyphen."],
    positionals: [.palette, .color, Positional("TEXT", "the note; it may hold line breaks")],
    examples: [
      .init("hued note Sunset Orange 'for buttons'", "write a note"),
      .init("hued note Sunset Orange -- -20%", "write one that begins with a hyphen"),
    ],
    otherNames: ["comment", "describe"],
    more: [.seen]
  ) { call in
    let value = RegisterValue(text: try call.parameters.note("text"))
    return try call.write([.note: value])
  }
}

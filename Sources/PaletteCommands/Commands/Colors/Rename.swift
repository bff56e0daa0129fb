internal import PaletteMerge
internal import PaletteStore

extension Command {
  package static let rename = Command(
    "rename",
    .colors,
    .edit,
    view: .record("Renamed"),
    summary: "Gives a color another name",
    positionals: [.palette, .color, Positional("NAME", "the new name of the color")],
    examples: [.init("hued rename Sunset Orange Tangerine", "call the color Tangerine")],
    more: [.seen]
  ) { call in
    let value = RegisterValue(text: try call.parameters.name("name"))
    return try call.write([.name: value])
  }
  .with(\.hintIfShort, (operands: 2, hint: "to rename a palette: \(Command.title.usage)"))
}

internal import PaletteMerge
internal import PaletteStore

extension Command {
  package static let set = Command(
    "set",
    .colors,
    .edit,
    view: .record("Set"),
    summary: "Gives a color another value",
    positionals: [.palette, .color, .value],
    examples: [.init("hued set Sunset Orange '#ff9100'", "make the orange a little lighter")],
    otherNames: ["recolor", "change"],
    more: [.seen]
  ) { call in
    let value = RegisterValue(color: try call.value())
    return try call.write([.color: value])
  }
}

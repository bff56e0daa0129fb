internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let move = Command(
    "move",
    .colors,
    .edit,
    summary: "Moves a color to another position",
    positionals: [.palette, .color],
    flags: [.at("0 to the number of colors less one, as it is afterwards"), .before, .after],
    choices: [Choice(["at", "before", "after"], isRequired: true)],
    examples: [
      .init("hued move Sunset Orange --at 0", "make it the first"),
      .init("hued move Sunset Orange --before Clay", "put it before another"),
    ],
    otherNames: ["mv", "reorder"],
    more: [.seen]
  ) { call in
    let argument = try call.parameters.text("color")
    guard let position = try Position(call.parameters) else {
      throw APIError(code: "bad-usage", message: "one of at, before and after is needed")
    }
    let (store, palette) = try call.editedPalette()
    let list = try store.colors(of: palette.id)
    let start = try list.index(named: argument)
    let end = try position.indexAfterMoving(from: start, in: list)
    let record = list[start].color.id
    let seen = try call.seen(of: record, in: palette.id, store)
    try store.write(as: call.author) { transaction throws(StoreError) in
      guard let writer = try transaction.palette(palette.id) else { return }
      let edits = try writer.moving(from: start, to: end, in: list)
      try writer.act(edits.map { $0.record == record ? $0.seeing(seen) : $0 })
    }
    return try store.answer(about: record, in: palette.id)
  }
}

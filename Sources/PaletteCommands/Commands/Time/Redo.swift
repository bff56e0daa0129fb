internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let redo = Command(
    "redo",
    .time,
    .edit,
    summary: "Makes an undone edit again",
    positionals: [.palette],
    examples: [.init("hued redo Sunset", "make the edit again that was undone last")]
  ) { call in
    let (store, palette) = try call.editedPalette()
    let outcome = try store.write(as: call.author) { transaction throws(StoreError) in
      try transaction.palette(palette.id)?.redo()
    }
    return try store.answer(about: outcome ?? nil, in: palette.id)
  }
}

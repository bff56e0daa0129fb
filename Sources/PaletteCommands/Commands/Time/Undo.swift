internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let undo = Command(
    "undo",
    .time,
    .edit,
    summary: "Takes back the last edit made here",
    details: [
      "Only edits of this library are undone, and only where nobody has written since. A whole "
        + "import is one edit. With nothing to undo it does nothing."
    ],
    positionals: [.palette],
    examples: [.init("hued undo Sunset", "take back the last edit of the palette")],
    otherNames: ["back"]
  ) { call in
    let (store, palette) = try call.editedPalette()
    let outcome = try store.write(as: call.author) { transaction throws(StoreError) in
      try transaction.palette(palette.id)?.undo()
    }
    return try store.answer(about: outcome ?? nil, in: palette, by: call.author)
  }

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
    return try store.answer(about: outcome ?? nil, in: palette, by: call.author)
  }
}

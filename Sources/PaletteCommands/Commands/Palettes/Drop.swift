internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let drop = Command(
    "drop",
    .palettes,
    .edit,
    view: .palette("Dropped"),
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
    otherNames: ["destroy"],
    question: .about("palette", before: "Drop the palette '", after: "' with all its colors?")
  ) { call in
    let (store, palette) = try call.editedPalette()
    try store.write(as: call.author) { transaction throws(StoreError) in
      _ = try transaction.palette(palette.id)?.author(.drop(palette.id))
    }
    return try store.answer(about: palette.id)
  }
}

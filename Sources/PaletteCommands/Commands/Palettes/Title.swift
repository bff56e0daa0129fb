internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let title = Command(
    "title",
    .palettes,
    .edit,
    view: .palette("Renamed to"),
    summary: "Renames a palette",
    positionals: [.palette, Positional("NAME", "the new name of the palette")],
    examples: [.init("hued title Sunset Dusk", "call the palette Dusk from now on")],
    otherNames: ["rename-palette"]
  ) { call in
    let name = try call.parameters.name("name")
    let (store, palette) = try call.editedPalette()
    try store.checkIsFree(name, except: palette.id)
    try store.write(as: call.author) { transaction throws(StoreError) in
      guard let writer = try transaction.palette(palette.id) else { return }
      let value = RegisterValue(text: name)
      let live = try writer.state(of: palette.id.record).values(of: .name)
      // Where several names meet, even the one that is shown has to be written to decide.
      guard live.contains(where: { $0.value != value }) else { return }
      try writer.author(.set(palette.id.record, [.name: value]))
    }
    return try store.answer(about: palette.id)
  }
}

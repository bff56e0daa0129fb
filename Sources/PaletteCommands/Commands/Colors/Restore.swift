internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let restore = Command(
    "restore",
    .colors,
    .edit,
    view: .recordOrPalette("Restored"),
    summary: "Brings back a removed color or a dropped palette",
    details: [
      "A color returns to its old place. Without COLOR the palette itself is brought back; only "
        + "what is removed is looked for."
    ],
    positionals: [
      .palette,
      Positional(
        "COLOR",
        "the removed color: its exact name, or 4 or more characters of its id",
        need: .optional
      ),
    ],
    examples: [
      .init("hued restore Sunset Orange", "bring a color back"),
      .init("hued restore Sunset", "bring a dropped palette back"),
    ],
    otherNames: ["undelete", "unremove", "undrop"],
    more: [.seen]
  ) { call in
    guard let argument = try call.parameters.optionalText("color") else {
      return RecordOrPalette.palette(try call.restorePalette())
    }
    let (store, palette) = try call.editedPalette()
    let removed = try store.candidates(in: palette.id, removed: true)
    if Lookup.color.matches(of: argument, among: removed).isEmpty {
      let listed = try store.candidates(in: palette.id)
      if !Lookup.color.matches(of: argument, among: listed).isEmpty {
        throw APIError(code: "not-removed", message: "the color '\(argument)' is not removed")
      }
    }
    let record = removed[try Lookup.removedColor.index(of: argument, among: removed)].id
    guard let edit = try store.restoring(record, in: palette.id) else {
      throw APIError.incomplete(record)
    }
    try Limit.checkColors(palette.count + 1)
    let seen = try call.seen(of: record, in: palette.id, store)
    try store.act([edit.seeing(seen)], in: palette.id, by: call.author)
    return .record(try store.answer(about: record, in: palette.id))
  }
}

extension LibraryCall {
  /// Brings back a palette that was dropped, or that a snapshot removed.
  fileprivate func restorePalette() throws -> PaletteAnswer {
    let argument = try parameters.text("palette")
    guard let store = try library.editing() else { throw LibraryCall.missing(argument) }
    let palettes = try store.palettes()
    let dropped = palettes.filter(\.isDropped).map { ($0.id, $0.name) }
    let hidden = try dropped + store.removedPaletteNames()
    let candidates = hidden.map { Lookup.Candidate(id: $0.0.record, name: $0.1) }
    if Lookup.palette.matches(of: argument, among: candidates).isEmpty {
      let visible = palettes.filter { !$0.isDropped }.map(\.candidate)
      if !Lookup.palette.matches(of: argument, among: visible).isEmpty {
        throw APIError(
          code: "not-removed",
          message: "the palette '\(argument)' is not dropped",
          hint:
            "'hued restore PALETTE COLOR' brings a removed color back, and 'hued revert' all of them"
        )
      }
    }
    let (id, name) = hidden[try Lookup.droppedPalette.index(of: argument, among: candidates)]
    try Limit.checkPalettes(palettes.count - dropped.count + 1)
    // What a snapshot removed together with the palette's name comes back with it.
    let isNameless = try store.summary(of: id) == nil
    let colors = isNameless ? try store.restoringRemovals(of: id) : []
    try store.write(as: author) { transaction throws(StoreError) in
      guard let writer = try transaction.palette(id) else { return }
      try writer.author(.restore(id.record, [.name: RegisterValue(text: name)]))
      try writer.act(colors)
    }
    return try store.answer(about: id)
  }
}

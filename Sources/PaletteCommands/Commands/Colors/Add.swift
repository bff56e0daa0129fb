internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let add = Command(
    "add",
    .colors,
    .edit,
    view: .record("Added"),
    summary: "Adds a color to a palette",
    details: [
      "VALUE is any CSS color. Without NAME the color is called by its hex, and without a "
        + "position it goes to the end.",
      "With - as VALUE the colors are read from the standard input, one a line: the value, and "
        + "behind a tab the name. They are added together, and undone together.",
    ],
    positionals: [
      .palette, .value, Positional("NAME", "the name of the new color", need: .optional),
    ],
    flags: [
      .at("0 to the number of colors"), .before, .after,
      Flag("note", "TEXT", "the note of the new color"),
    ],
    choices: [Choice(["at", "before", "after"])],
    examples: [
      .init("hued add Sunset '#ff8800' Orange", "append an orange"),
      .init("hued add Sunset 'oklch(70% 0.1 40)' Clay --at 0", "put one at the front"),
      .init("hued add Sunset rebeccapurple --after Orange", "put one behind another"),
      .init("hued add Sunset teal Sea --note 'for links'", "say at once what it is for"),
      .init("cat colors.txt | hued add Sunset -", "add one for each line, as one edit"),
    ],
    otherNames: ["insert", "append", "save"],
    more: [
      Parameter("id", .text("a UUID"), "the id of the new color, chosen by the caller").optional,
      Parameter(
        "colors",
        .list(.any),
        "several colors, each {\"value\"} with \"name\", \"note\" and \"id\" or without, to add together; "
          + "'value' is - then"
      ).optional,
    ]
  ) { call in
    if call.parameters.isGiven("colors") { return try addition.carryOut(call) }
    let value = try call.value()
    let name = try call.parameters.optionalName("name") ?? value.hex
    let note = try call.parameters.optionalNote("note") ?? ""
    let position = try Position(call.parameters)
    let (store, palette) = try call.editedPalette()
    try Limit.checkColors(palette.count + 1)
    var random = SystemRandomNumberGenerator()
    let id = try call.parameters.optionalID("id")
    if let id { try store.checkAreNew([id], in: palette.id) }
    let color = NamedColor(id: id ?? RecordID(using: &random), name: name, color: value, note: note)
    let index = try store.insert(color, at: position, in: palette, by: call.author)
    return AddedColors.one(try store.answer(about: color.id, in: palette.id, index: index))
  }
  .with(\.programPart, .addingLines)
  .planned(addition)
}

extension ChangeStore {
  /// - Returns: The index of the new color.
  fileprivate func insert(
    _ color: NamedColor,
    at position: Position?,
    in palette: PaletteSummary,
    by author: AuthorID
  ) throws -> Int {
    // The end needs no list, which may be long.
    guard let position, position != .at(palette.count) else {
      try write(as: author) { transaction throws(StoreError) in
        guard let writer = try transaction.palette(palette.id) else { return }
        try writer.act(try writer.appending([color]))
      }
      return palette.count
    }
    if case .at(let index) = position {
      _ = try Position.checked(index, upTo: palette.count)
      if try insert(color, inGapAt: index, of: palette.id, by: author) { return index }
    }
    let list = try colors(of: palette.id)
    let index = try position.indexForInserting(into: list)
    try write(as: author) { transaction throws(StoreError) in
      guard let writer = try transaction.palette(palette.id) else { return }
      try writer.act(try writer.inserting([color], into: list, at: index))
    }
    return index
  }

  /// Inserts where the gap leaves room, without reading the list.
  ///
  /// - Returns: Whether it did.
  private func insert(
    _ color: NamedColor,
    inGapAt index: Int,
    of palette: PaletteID,
    by author: AuthorID
  ) throws -> Bool {
    try write(as: author) { transaction throws(StoreError) in
      guard let writer = try transaction.palette(palette), let gap = try writer.gap(at: index),
        let edits = try writer.inserting([color], in: gap)
      else { return false }
      return try writer.act(edits)
    }
  }
}

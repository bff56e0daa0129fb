extension Command {
  package static let paletteWatch = Command(
    "palette.watch",
    .node,
    .connection,
    summary:
      "Gives a palette's colors, says whether the caller \"canUndo\" and \"canRedo\" something "
      + "there, and from then on gives every diff, as notifications palette.diff; "
      + "watching again begins anew; not in a batch",
    parameters: [Positional.palette.parameter],
    result: RPCEvents.snapshot
  )

  package static let paletteUnwatch = Command(
    "palette.unwatch",
    .node,
    .connection,
    summary: "Ends the diffs of a palette; not in a batch",
    parameters: [Positional.palette.parameter],
    result: .object([("unwatched", .text("the palette's id"))])
  )

  package static let palettePresent = Command(
    "palette.present",
    .node,
    .connection,
    summary: "States that a person looks at a palette, until another call or the end of the "
      + "connection, and tells who is there",
    parameters: [
      Positional.palette.parameter,
      Parameter("name", .text(), "what the person wants to be called"),
      Parameter("selection", .text(), "the color that is selected").optional,
      Parameter(
        "follow",
        .text(),
        "the \"who\" of another view: \"followed\" says which palette that is of"
      ).optional,
    ],
    result: RPCEvents.ownPresence
  )

  package static let libraryWatch = Command(
    "library.watch",
    .node,
    .connection,
    summary: "Lists the palettes, and from then on tells which one is made, renamed, dropped or "
      + "brought back, and once a second which of those listed were edited, as notifications "
      + "library.palettes; a token of one palette learns of that one; not in a batch",
    parameters: [
      Parameter(
        "limit",
        .integer,
        "list this many at most, and say \"more\": true where there are more; 'after' lists those"
      ).optional,
      Parameter(
        "after",
        .text(),
        "list what stands behind the palette with this id, which was listed last, beside it"
      ).optional,
      Parameter(
        "order",
        .word(["name", "edited"]),
        "'edited' lists those first that were edited last, says when, and tells of edits of all"
      ).optional,
    ],
    result: RPCEvents.palettes
  )
  .with(\.isWithinAnyScope)
}

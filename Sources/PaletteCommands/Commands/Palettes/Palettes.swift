internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let palettes = Command(
    "palettes",
    .palettes,
    .read,
    view: .palettes,
    summary: "Lists the palettes of the library",
    details: ["When piped, each line holds name, number of colors and id."],
    flags: [
      Flag("limit", "N", "show this many palettes at most", content: .count),
      Flag("after", "ID", "show only what comes behind the palette with this id in the list"),
    ],
    examples: [
      .init("hued palettes", "show all palettes"),
      .init("hued palettes --limit 50", "show the first fifty"),
      .init("hued palettes | cut -f1", "print their names alone"),
    ],
    otherNames: ["ls-palettes"],
    remark:
      "an answer that would be too long ends early, and `more` is true in every one that is not "
      + "the last: call again with the id of its last palette as `after`",
    more: [
      Parameter("dropped", .truth, "list those that were dropped and can be restored instead")
        .optional,
      Parameter("match", .text(), "list those alone whose names contain this, in either case")
        .optional,
      Parameter(
        "strip",
        .integer,
        "how many of its first colors each palette is to have; large libraries leave some out"
      ).optional,
    ]
  ) { call in
    let limit = try call.parameters.optionalCount("limit") ?? .max
    let last = try call.parameters.optionalID("after").map { PaletteID($0) }
    let part = try call.parameters.optionalText("match").map { NamePart($0) }
    let length = try call.parameters.optionalCount("strip") ?? 0
    let listing: PaletteListing = call.parameters.isSet("dropped") ? .dropped : .listed
    guard let store = try call.library.reading() else { return PalettesAnswer([PaletteAnswer]()) }
    return try store.read {
      let page = try store.palettePage(
        listing,
        after: last,
        limit: limit,
        byteLimit: length > 0 ? ChangeStore.pageBytes / 2 : ChangeStore.pageBytes
      ) { palette in part?.isIn(palette.name) ?? true }
      guard let page else {
        throw APIError(
          code: "not-found",
          message: "there is no palette \(last.map { "\($0)" } ?? "")",
          hint: "begin again without 'after'"
        )
      }
      var answers = page.palettes.map { PaletteAnswer($0) }
      if length > 0, listing == .listed {
        try Strip.add(min(length, Strip.longest), of: page.palettes, to: &answers, store)
      }
      return PalettesAnswer(answers, hasMore: page.hasMore)
    }
  }
  .with(\.isPaged)
  .with(\.programPart, .palettes)
}

/// The cost limits of showing the first colors of palettes: finding them means reading the whole
/// palette.
private enum Strip {
  static let longest = 64
  private static let colorsToRead = 20_000
  /// The cost of looking into a palette, however few colors it has.
  private static let leastCost = 20

  static func add(
    _ length: Int,
    of palettes: [PaletteSummary],
    to answers: inout [PaletteAnswer],
    _ store: ChangeStore
  ) throws {
    var budget = colorsToRead
    for (index, palette) in palettes.enumerated() where palette.count <= budget {
      budget -= max(palette.count, leastCost)
      let colors = try store.colors(of: palette.id).prefix(length)
      answers[index].strip = colors.map(\.color.color.hex)
      guard budget > 0 else { break }
    }
  }
}

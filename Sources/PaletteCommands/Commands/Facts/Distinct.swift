internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let distinct = Command(
    "distinct",
    .facts,
    .read,
    view: .colors,
    summary: "Chooses colors that are easy to tell apart",
    details: [
      "The least difference (CIEDE2000) between two of the N colors is as large as hued finds. With "
        + "--from they are chosen among the colors of that palette. The same question has the same "
        + "answer.",
      "When piped, each line holds one color as CSS, and with --from a tab and its name.",
    ],
    positionals: [Positional("N", as: "count", "how many colors, 100 at most", content: .count)],
    flags: [Flag("from", "PALETTE", "choose among the colors of this palette", content: .palette)],
    examples: [
      .init("hued distinct 8", "eight colors for a chart"),
      .init("hued distinct 3 --from Brand", "the three of a palette that differ most"),
    ]
  ) { call in
    let count = try call.parameters.colorCount("count", upTo: 100) ?? 1
    guard let argument = try call.parameters.optionalText("from") else {
      let colors = DistinctColors.everywhere
      let indexes = DistinctColors(among: colors).indexes(choosing: count)
      return ColorsAnswer(indexes.map { .init(colors[$0]) })
    }
    let colors = try call.namedColors(ofPalette: argument)
    let choice = DistinctColors(among: colors.map(\.color))
    guard choice.canChoose(count) else {
      throw APIError(
        code: "too-large",
        message: "\(count) of \(colors.count) colors take too long to choose",
        hint: "ask for fewer"
      )
    }
    let indexes = choice.indexes(choosing: count)
    return ColorsAnswer(indexes.map { .init(colors[$0].color, name: colors[$0].name) })
  }.reading(.much)
}

extension LibraryCall {
  /// The colors of the palette that an argument names.
  func namedColors(ofPalette argument: String) throws -> [NamedColor] {
    guard let store = try library.reading() else { throw Self.missing(argument) }
    return try store.read {
      try store.colors(of: try store.visiblePalette(argument).id).map(\.color)
    }
  }
}

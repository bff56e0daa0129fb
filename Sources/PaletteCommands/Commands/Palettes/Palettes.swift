internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let palettes = Command(
    "palettes",
    .palettes,
    .read,
    summary: "Lists the palettes of the library",
    details: ["When piped, each line holds name, number of colors and id."],
    examples: [
      .init("hued palettes", "show all palettes"),
      .init("hued palettes | cut -f1", "print their names alone"),
    ],
    otherNames: ["ls-palettes"],
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
    guard let store = try call.library.reading() else { return PalettesAnswer([PaletteAnswer]()) }
    let isAboutDropped = call.parameters.isSet("dropped")
    let part = try call.parameters.optionalText("match")?.lowercased()
    let length = try call.parameters.optionalCount("strip") ?? 0
    return try store.read {
      let all = try isAboutDropped ? store.droppedPalettes() : store.visiblePalettes()
      let palettes = all.filter { part.map($0.name.lowercased().contains) ?? true }
      var answers = palettes.map { PaletteAnswer($0) }
      guard length > 0, !isAboutDropped else { return PalettesAnswer(answers) }
      var budget = Strip.colorsToRead
      for (index, palette) in palettes.enumerated() where palette.count <= budget {
        budget -= max(palette.count, Strip.leastCost)
        let colors = try store.colors(of: palette.id).prefix(min(length, Strip.longest))
        answers[index].strip = colors.map(\.color.color.hex)
        guard budget > 0 else { break }
      }
      return PalettesAnswer(answers)
    }
  }
}

extension ChangeStore {
  /// The palettes that were dropped, by name.
  fileprivate func droppedPalettes() throws -> [PaletteSummary] {
    try palettes().filter(\.isDropped).sorted { ($0.name, $0.id) < ($1.name, $1.id) }
  }
}

/// What the first colors of palettes may cost: finding them means reading the whole palette.
private enum Strip {
  static let longest = 64
  static let colorsToRead = 20_000
  /// What looking into a palette costs however few colors it has.
  static let leastCost = 20
}

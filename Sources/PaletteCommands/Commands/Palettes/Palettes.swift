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
    ]
  ) { call in
    guard let store = try call.library.reading() else { return PalettesAnswer([]) }
    let isAboutDropped = call.parameters.isSet("dropped")
    let part = try call.parameters.optionalText("match")?.lowercased()
    return try store.read {
      let palettes = try isAboutDropped ? store.droppedPalettes() : store.visiblePalettes()
      return PalettesAnswer(palettes.filter { part.map($0.name.lowercased().contains) ?? true })
    }
  }
}

extension ChangeStore {
  /// The palettes that were dropped, by name.
  fileprivate func droppedPalettes() throws -> [PaletteSummary] {
    try palettes().filter(\.isDropped).sorted { ($0.name, $0.id) < ($1.name, $1.id) }
  }
}

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
    otherNames: ["ls-palettes"]
  ) { call in
    guard let store = try call.library.reading() else { return PalettesAnswer([]) }
    return PalettesAnswer(try store.read { try store.visiblePalettes() })
  }
}

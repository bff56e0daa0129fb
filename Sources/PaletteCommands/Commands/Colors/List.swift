internal import PaletteFormats
internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let list = Command(
    "list",
    .colors,
    .read,
    view: .list,
    summary: "Lists the colors of a palette in order",
    details: [
      "TIME is ISO 8601, such as 2026-01-31T08:00:00Z, or an age, such as \"10 minutes ago\".",
      "When piped, each line holds position, hex, name, color, id and note.",
    ],
    positionals: [.palette],
    flags: [Flag("at", "TIME", "show the palette as it was at this time")],
    examples: [
      .init("hued list Sunset", "show the colors"),
      .init("hued list Sunset --at '10 minutes ago'", "show what they were"),
    ],
    otherNames: ["ls", "show", "print"],
    more: [
      Parameter(
        "sample",
        .integer,
        "list this many of its colors at most, from anywhere in it, in order; the palette's count is "
          + "then theirs"
      ).optional
    ]
  ) { call in
    let moment = try call.parameters.optionalMoment("at", now: call.library.now)
    let sample = try call.parameters.optionalCount("sample")
    return try call.readingPalette { store, palette in
      if let moment { return try store.list(palette, at: moment) }
      if let sample {
        let colors = try store.sample(of: palette.id, count: sample)
        return ListAnswer(sheet: PaletteSheet(palette, colors))
      }
      let colors = try store.colors(of: palette.id, withSeen: true)
      return ListAnswer(sheet: PaletteSheet(palette, colors))
    }
  }.reading(.palette)
    .with(\.isPaged)
    .asking { try? $0.optionalMoment("at", now: $1)?.milliseconds }
}

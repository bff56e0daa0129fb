extension CommandTable {
  static let colorCommands: [Command] = [
    Command(
      verb: .list,
      group: .colors,
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
      otherNames: ["ls", "show", "print"]
    ),
    Command(
      verb: .add,
      group: .colors,
      summary: "Adds a color to a palette",
      details: [
        "VALUE is any CSS color. Without NAME the color is called by its hex, and without a "
          + "position it goes to the end."
      ],
      positionals: [
        .palette, .value, Positional("NAME", "the name of the new color", need: .optional),
      ],
      flags: [at("0 to the number of colors"), before, after],
      choices: [Choice(["at", "before", "after"])],
      examples: [
        .init("hued add Sunset '#ff8800' Orange", "append an orange"),
        .init("hued add Sunset 'oklch(70% 0.1 40)' Clay --at 0", "put one at the front"),
        .init("hued add Sunset rebeccapurple --after Orange", "put one behind another"),
      ],
      otherNames: ["insert", "append", "save"]
    ),
    Command(
      verb: .set,
      group: .colors,
      summary: "Gives a color another value",
      positionals: [.palette, .color, .value],
      examples: [.init("hued set Sunset Orange '#ff9100'", "make the orange a little lighter")],
      otherNames: ["recolor", "change", "edit"]
    ),
    Command(
      verb: .rename,
      group: .colors,
      summary: "Gives a color another name",
      positionals: [.palette, .color, Positional("NAME", "the new name of the color")],
      examples: [.init("hued rename Sunset Orange Tangerine", "call the color Tangerine")]
    ),
    Command(
      verb: .note,
      group: .colors,
      summary: "Writes the note of a color",
      details: ["An empty TEXT removes the note. Put -- before a text that begins with a hyphen."],
      positionals: [.palette, .color, Positional("TEXT", "the note; it may hold line breaks")],
      examples: [
        .init("hued note Sunset Orange 'for buttons'", "write a note"),
        .init("hued note Sunset Orange -- -20%", "write one that begins with a hyphen"),
      ],
      otherNames: ["comment", "describe"]
    ),
    Command(
      verb: .tweak,
      group: .colors,
      summary: "Makes a color lighter or darker",
      details: [
        "Adds or subtracts PERCENT points of HSL lightness, 10 when not given; hue, saturation "
          + "and alpha stay."
      ],
      positionals: [.palette, .color],
      flags: [
        Flag(
          "lighter",
          value: .optional("PERCENT"),
          "add lightness, 10 points when not given",
          content: .percent
        ),
        Flag(
          "darker",
          value: .optional("PERCENT"),
          "take lightness away, 10 points when not given",
          content: .percent
        ),
      ],
      choices: [Choice(["lighter", "darker"], isRequired: true)],
      examples: [
        .init("hued tweak Sunset Orange --lighter", "add 10 points of lightness"),
        .init("hued tweak Sunset Orange --darker 25", "take 25 points away"),
      ],
      otherNames: ["lighten", "darken", "lighter", "darker"]
    ),
  ]

  static func at(_ range: String) -> Flag {
    Flag("at", "N", "put it at this position, \(range)", content: .position)
  }

  static let before = Flag("before", "COLOR", "put it before this color", content: .color)
  static let after = Flag("after", "COLOR", "put it behind this color", content: .color)
}

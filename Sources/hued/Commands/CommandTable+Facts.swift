extension CommandTable {
  static let factCommands: [Command] = [
    Command(
      verb: .color,
      group: .facts,
      summary: "Shows a color in several notations",
      positionals: [.value],
      examples: [
        .init("hued color tomato", "show a CSS color"),
        .init("hued color 'hsb(16 72% 100%)'", "show one given as hue, saturation, brightness"),
      ],
      otherNames: ["info"]
    ),
    Command(
      verb: .convert,
      group: .facts,
      summary: "Converts a color to another color space",
      details: [
        "SPACE is one of CSS `color()` (srgb, srgb-linear, display-p3, a98-rgb, prophoto-rgb, "
          + "rec2020, xyz, xyz-d50, xyz-d65), or hsb, hsl, hwb, lab, lch, oklab or oklch."
      ],
      positionals: [.value],
      flags: [Flag("to", "SPACE", "the color space", content: .suggestion(spaces))],
      choices: [Choice(["to"], isRequired: true)],
      examples: [.init("hued convert tomato --to oklch", "print the same color in OKLCH")]
    ),
    Command(
      verb: .contrast,
      group: .facts,
      summary: "Measures the contrast of two colors",
      details: ["Prints the WCAG ratio and which levels it reaches. Alpha of A is laid over B."],
      positionals: [
        Positional("A", "the color in front, such as that of text"),
        Positional("B", "the color behind"),
      ],
      examples: [.init("hued contrast '#777' white", "see whether grey text can be read")],
      otherNames: ["wcag"]
    ),
    Command(
      verb: .name,
      group: .facts,
      summary: "Finds the nearest CSS color name",
      positionals: [.value],
      examples: [.init("hued name '#ff6450'", "print tomato and how far away it is")]
    ),
  ]

  static let spaces = [
    "srgb", "srgb-linear", "display-p3", "a98-rgb", "prophoto-rgb", "rec2020", "xyz", "xyz-d50",
    "xyz-d65", "hsb", "hsl", "hwb", "lab", "lch", "oklab", "oklch",
  ]
}

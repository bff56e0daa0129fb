internal import PaletteFormats
internal import PaletteModel

extension Command {
  package static let color = Command(
    "color",
    .facts,
    .fact,
    summary: "Shows a color in several notations",
    positionals: [.value],
    examples: [
      .init("hued color tomato", "show a CSS color"),
      .init("hued color 'hsb(16 72% 100%)'", "show one given as hue, saturation, brightness"),
    ],
    otherNames: ["info"]
  ) { call in
    ColorFacts(color: try call.parameters.color("value"))
  }
}

/// A color in several notations.
private struct ColorFacts: ObjectAnswer {
  let color: Color

  static let schemaName = "ColorFacts"
  static let fields: [Field<Self>] = [
    Field("color") { $0.color.css }, Field("hex") { $0.color.hex },
    Field("name", "the nearest CSS name") { $0.color.nearestCSSName.name },
    Field("rgb") { [$0.color.rgb.red, $0.color.rgb.green, $0.color.rgb.blue].map(\.withoutNoise) },
    Field("hsb") { $0.color.gamutMapped.components(in: .hsb).withoutNoise },
    Field("hsl") { $0.color.gamutMapped.components(in: .hsl).withoutNoise },
    Field("oklch") { $0.color.components(in: .oklch).withoutNoise },
    Field("alpha") { $0.color.alpha }, Field("inGamut") { $0.color.isInGamut },
  ]
}

internal import PaletteFormats
package import PaletteJSON
internal import PaletteModel

extension Command {
  package static let color = Command(
    "color",
    .facts,
    .fact,
    view: .colorFacts,
    summary: "Shows colors in several notations",
    positionals: [
      Positional("VALUE", Positional.value.explanation, need: .repeated, content: .css)
    ],
    examples: [
      .init("hued color tomato", "show a CSS color"),
      .init("hued color 'hsb(16 72% 100%)'", "show one given as hue, saturation, brightness"),
      .init("hued color tomato gold navy", "show three"),
    ],
    otherNames: ["info"],
    parameters: [
      Parameter("value", .either([.text(), .list(.text())]), "a color, or a list of them")
    ]
  ) { call in
    guard let values = try call.parameters.textOrTexts("value") else {
      return ColorFactsAnswer.one(ColorFacts(color: try call.parameters.color("value")))
    }
    guard values.count <= 10_000 else {
      throw APIError(code: "too-large", message: "10,000 colors at most can be shown at once")
    }
    let facts = try values.map { ColorFacts(color: try Color(argument: $0)) }
    return facts.count == 1 ? .one(facts[0]) : .several(SeveralFacts(colors: facts))
  }.forEachLine("value")
    .with(\.separatesLines)
}

/// The facts of a color, or of each of several.
package enum ColorFactsAnswer: Answer, JSONRepresentable {
  case one(ColorFacts)
  case several(SeveralFacts)

  package static let schema = Schema.either([ColorFacts.schema, SeveralFacts.schema])

  package var json: JSON {
    switch self {
    case .one(let answer): answer.json
    case .several(let answer): answer.json
    }
  }
}

package struct SeveralFacts: ObjectAnswer {
  let colors: [ColorFacts]

  package static let fields: [Field<Self>] = [Field("colors") { $0.colors }]
}

/// A color in several notations.
package struct ColorFacts: ObjectAnswer {
  let color: Color

  package static let schemaName = "ColorFacts"
  package static let fields: [Field<Self>] = [
    Field("color") { $0.color.css }, Field("hex") { $0.color.hex },
    Field("name", "the nearest CSS name") { $0.color.nearestCSSName.name },
    Field("rgb") { [$0.color.rgb.red, $0.color.rgb.green, $0.color.rgb.blue].map(\.withoutNoise) },
    Field("hsb") { $0.color.gamutMapped.components(in: .hsb).withoutNoise },
    Field("hsl") { $0.color.gamutMapped.components(in: .hsl).withoutNoise },
    Field("oklch") { $0.color.components(in: .oklch).withoutNoise },
    Field("alpha") { $0.color.alpha }, Field("inGamut") { $0.color.isInGamut },
  ]
}

extension Received where Form == ColorFactsAnswer {
  /// The facts of each; nil where it is one color.
  package var several: [Received<ColorFactsAnswer>]? {
    has("colors") ? parts("colors") : nil
  }
  package var color: String { text("color") }
  package var hex: String { text("hex") }
  package var isInGamut: Bool { !isFalse("inGamut") }
}

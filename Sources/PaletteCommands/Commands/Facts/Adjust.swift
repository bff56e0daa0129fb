internal import PaletteModel

/// Commands that turn a color into another by one number, as pipes want it.
extension Command {
  package static let lighten = adjusting(
    "lighten",
    "Makes a color lighter",
    "POINTS are of OKLCH lightness, which goes from 0 to 100, 10 if not given.",
    Positional.points,
    usual: 10
  ) { $0.withLightness(changedBy: $1) }

  package static let darken = adjusting(
    "darken",
    "Makes a color darker",
    "POINTS are of OKLCH lightness, which goes from 0 to 100, 10 if not given.",
    Positional.points,
    usual: 10
  ) { $0.withLightness(changedBy: -$1) }

  package static let saturate = adjusting(
    "saturate",
    "Makes a color more colorful",
    "PERCENT are of the chroma that it has in OKLCH, 10 if not given.",
    Positional.percent,
    usual: 10
  ) { $0.withChroma(multipliedBy: 1 + $1 / 100) }

  package static let desaturate = adjusting(
    "desaturate",
    "Makes a color greyer",
    "PERCENT are of the chroma that it has in OKLCH, 10 if not given; 100 makes it grey.",
    Positional.percent,
    usual: 10
  ) { $0.withChroma(multipliedBy: 1 - min($1, 100) / 100) }

  package static let rotate = adjusting(
    "rotate",
    "Turns the hue of a color",
    "DEGREES are of OKLCH hue, and may be negative; lightness and chroma stay, as far as sRGB has room.",
    Positional("DEGREES", "by how much, in degrees", content: .percent),
    usual: nil
  ) { $0.turned(by: $1) }

  package static let complement = adjusting(
    "complement",
    "Turns the hue of a color by half a circle",
    "The hue is that of OKLCH; lightness and chroma stay, as far as sRGB has room.",
    nil,
    usual: 180
  ) { $0.turned(by: $1) }

  package static let textcolor = Command(
    "textcolor",
    .facts,
    .fact,
    summary: "Finds whether black or white can be read better on a color",
    details: [
      "The one with the higher WCAG contrast. VALUE may be -, for each color of the standard input."
    ],
    positionals: [.value],
    examples: [.init("hued textcolor tomato", "the color for a text on tomato")],
    otherNames: ["ink"]
  ) { call in
    let ground = try call.parameters.color("value")
    let (black, white) = (
      Color(red8: 0, green8: 0, blue8: 0), Color(red8: 255, green8: 255, blue8: 255)
    )
    let isBlack = black.contrast(with: ground).ratio >= white.contrast(with: ground).ratio
    return ColorsAnswer([.init(isBlack ? black : white)])
  }.forEachLine("value")

  private static func adjusting(
    _ name: String,
    _ summary: String,
    _ detail: String,
    _ amount: Positional?,
    usual: Double?,
    _ adjusted: @escaping @Sendable (Color, Double) -> Color
  ) -> Command {
    let argument = amount.map { usual == nil ? " 30" : $0.name == "points" ? " 15" : " 25" } ?? ""
    return Command(
      name,
      .facts,
      .fact,
      summary: summary,
      details: [
        detail + " VALUE may be -, for each color of the standard input.",
        "When piped, it prints the color as CSS.",
      ],
      positionals: [.value] + (amount.map { [$0] } ?? []),
      examples: [
        .init("hued \(name) tomato\(argument)", "one color"),
        .init("hued \(name) tomato\(argument) | hued add Brand -", "add what comes of it"),
      ]
    ) { call in
      let color = try call.parameters.color("value")
      let given = try amount.flatMap { try call.parameters.optionalNumber($0.name) }
      guard let number = given ?? usual else { throw APIError.missing(amount?.name ?? "") }
      guard amount?.need != .optional || (0...1000).contains(number) else {
        throw APIError(
          code: "bad-value",
          message: "'\(name)' takes a number from 0 to 1000",
          hint: "the opposite has a command of its own: lighten and darken, saturate and desaturate"
        )
      }
      return ColorsAnswer([.init(adjusted(color, number))])
    }.forEachLine("value")
  }
}

extension Positional {
  fileprivate static let points = Positional(
    "POINTS",
    "how many points of lightness, 10 if not given",
    need: .optional,
    content: .percent
  )
  fileprivate static let percent = Positional(
    "PERCENT",
    "how many percent of the chroma, 10 if not given",
    need: .optional,
    content: .percent
  )
}

extension APIError {
  fileprivate static func missing(_ key: String) -> APIError {
    APIError(code: "bad-usage", message: "the argument '\(key)' is missing")
  }
}

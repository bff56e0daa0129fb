internal import PaletteModel

/// Commands that turn a color into another by one number, as pipes want it.
extension Command {
  package static let lighten = adjusting(
    "lighten",
    summary: "Makes a color lighter",
    by: .points
  ) { $0.withLightness(changedBy: $1) }

  package static let darken = adjusting(
    "darken",
    summary: "Makes a color darker",
    by: .points
  ) { $0.withLightness(changedBy: -$1) }

  package static let saturate = adjusting(
    "saturate",
    summary: "Makes a color more colorful",
    by: .percent()
  ) { $0.withChroma(multipliedBy: 1 + $1 / 100) }

  package static let desaturate = adjusting(
    "desaturate",
    summary: "Makes a color greyer",
    by: .percent("; 100 makes it grey")
  ) { $0.withChroma(multipliedBy: 1 - min($1, 100) / 100) }

  package static let rotate = adjusting(
    "rotate",
    summary: "Turns the hue of a color",
    by: .degrees
  ) { $0.turned(by: $1) }

  package static let complement = adjusting(
    "complement",
    summary: "Turns the hue of a color by half a circle",
    by: .halfCircle
  ) { $0.turned(by: $1) }

  private static func adjusting(
    _ name: String,
    summary: String,
    by amount: Amount,
    _ adjusted: @escaping @Sendable (Color, Double) -> Color
  ) -> Command {
    Command(
      name,
      .facts,
      .fact,
      view: .colors,
      summary: summary,
      details: [
        amount.detail + " VALUE may be -, for each color of the standard input.",
        "When piped, it prints the color as CSS.",
      ],
      positionals: [.value] + [amount.positional].compactMap(\.self),
      examples: [
        .init("hued \(name) tomato\(amount.example)", "one color"),
        .init("hued \(name) tomato\(amount.example) | hued add Brand -", "add what comes of it"),
      ]
    ) { call in
      let color = try call.parameters.color("value")
      return ColorsAnswer([.init(adjusted(color, try amount.number(in: call.parameters, of: name)))]
      )
    }.forEachLine("value")
  }
}

/// The number by which a command changes a color.
private struct Amount {
  /// The argument; nil where it is always the same number.
  var positional: Positional?
  /// The number where none is given; nil where one has to be.
  var usual: Double?
  /// The numbers that may be given; nil for any.
  var range: ClosedRange<Double>?
  let detail: String
  /// An argument for an example, with a blank before it.
  var example = ""

  static let points = Amount(
    positional: Positional(
      "POINTS",
      "how many points of lightness, 10 if not given",
      need: .optional,
      content: .percent
    ),
    usual: 10,
    range: 0...1000,
    detail: "POINTS are of OKLCH lightness, which goes from 0 to 100, 10 if not given.",
    example: " 15"
  )

  static func percent(_ remark: String = "") -> Amount {
    Amount(
      positional: Positional(
        "PERCENT",
        "how many percent of the chroma, 10 if not given",
        need: .optional,
        content: .percent
      ),
      usual: 10,
      range: 0...1000,
      detail: "PERCENT are of the chroma that it has in OKLCH, 10 if not given\(remark).",
      example: " 25"
    )
  }

  static let degrees = Amount(
    positional: Positional("DEGREES", "by how much, in degrees", content: .percent),
    detail:
      "DEGREES are of OKLCH hue, and may be negative; lightness and chroma stay, as far as sRGB has "
      + "room.",
    example: " 30"
  )

  static let halfCircle = Amount(
    usual: 180,
    detail: "The hue is that of OKLCH; lightness and chroma stay, as far as sRGB has room."
  )

  /// The number of a call.
  func number(in parameters: Parameters, of command: String) throws(APIError) -> Double {
    let given = try positional.flatMap { key throws(APIError) in
      try parameters.optionalNumber(key.name)
    }
    guard let number = given ?? usual else { throw .missing(positional?.name ?? "") }
    guard range?.contains(number) ?? true else {
      throw APIError(
        code: "bad-value",
        message: "'\(command)' takes a number from 0 to 1000",
        hint: "the opposite has a command of its own: lighten and darken, saturate and desaturate"
      )
    }
    return number
  }
}

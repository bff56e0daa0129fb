internal import PaletteModel

extension Command {
  package static let random = Command(
    "random",
    .facts,
    .fact,
    view: .colors,
    summary: "Makes colors by chance",
    details: [
      "They are of any hue, neither nearly black nor nearly white, and not grey. 'hued distinct' makes "
        + "colors that are easy to tell apart.",
      "When piped, each line holds one color as CSS.",
    ],
    positionals: [
      Positional(
        "N",
        as: "count",
        "how many colors, 10 if not given",
        need: .optional,
        content: .count
      )
    ],
    examples: [
      .init("hued random", "ten colors"),
      .init("hued random 5 | hued add Brand -", "add five colors as one edit"),
    ]
  ) { call in
    let count = try call.parameters.colorCount("count", upTo: 1000) ?? 10
    var generator = SystemRandomNumberGenerator()
    return ColorsAnswer((0..<count).map { _ in .init(.random(using: &generator)) })
  }
}

extension Color {
  /// A color of sRGB by chance that is seen as one.
  fileprivate static func random(using generator: inout some RandomNumberGenerator) -> Color {
    Color(
      .oklch,
      .random(in: 0.4...0.85, using: &generator),
      .random(in: 0.06...0.22, using: &generator),
      .random(in: 0..<360, using: &generator)
    ).roundedToBytes
  }
}

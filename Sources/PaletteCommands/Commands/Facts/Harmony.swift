internal import PaletteModel

extension Command {
  package static let harmony = Command(
    "harmony",
    .facts,
    .fact,
    view: .colors,
    summary: "Finds colors that go with one, by turning its hue",
    details: [
      "KIND is complementary, triad, tetrad, analogous or split. Hues are those of OKLCH; lightness "
        + "and chroma stay, as far as sRGB has room.",
      "When piped, each line holds one color as CSS.",
    ],
    positionals: [.value],
    flags: [
      Flag("kind", "KIND", "which harmony", content: .word(Harmony.allCases.map(\.rawValue)))
    ],
    choices: [Choice(["kind"], isRequired: true)],
    examples: [
      .init("hued harmony tomato --kind triad", "three colors, evenly around"),
      .init("hued harmony tomato --kind split | hued add Brand -", "add the colors as one edit"),
    ]
  ) { call in
    let color = try call.parameters.color("value")
    let word = try call.parameters.text("kind")
    guard let harmony = Harmony(rawValue: word) else {
      let words = Harmony.allCases.map(\.rawValue).joined(separator: ", ")
      throw APIError(
        code: "bad-value",
        message: "there is no harmony '\(word)'",
        hint: "the kinds are \(words)"
      )
    }
    return ColorsAnswer(harmony.degrees.map { .init(color.turned(by: $0)) })
  }.forEachLine("value")
}

/// Hues around a circle that are said to go together.
private enum Harmony: String, CaseIterable {
  case complementary
  case triad
  case tetrad
  case analogous
  case split

  /// By how much the hue is turned, for each color.
  var degrees: [Double] {
    switch self {
    case .complementary: [0, 180]
    case .triad: [0, 120, 240]
    case .tetrad: [0, 90, 180, 270]
    case .analogous: [-30, 0, 30]
    case .split: [0, 150, 210]
    }
  }
}

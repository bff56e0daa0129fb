internal import PaletteModel

extension Command {
  package static let contrast = Command(
    "contrast",
    .facts,
    .fact,
    view: .contrast,
    summary: "Measures the contrast of two colors",
    details: [
      "Prints the WCAG ratio and which levels it reaches. Alpha of A is laid over B. One of A and B may "
        + "be -, for each color of the standard input."
    ],
    positionals: [
      Positional("A", "the color in front, such as that of text", content: .css),
      Positional("B", "the color behind", content: .css),
    ],
    examples: [
      .init("hued contrast '#777' white", "see whether grey text can be read"),
      .init("hued contrast - white", "the same for each color of the standard input"),
    ],
    otherNames: ["wcag"]
  ) { call in
    let front = try call.parameters.color("a")
    return ContrastAnswer(contrast: front.contrast(with: try call.parameters.color("b")))
  }.forEachLine("a", "b")
    .with(\.separatesLines)

  package static let textcolor = Command(
    "textcolor",
    .facts,
    .fact,
    view: .colors,
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
}

/// The WCAG contrast of two colors, and the levels that it reaches.
package struct ContrastAnswer: ObjectAnswer {
  let contrast: Contrast

  package static let schemaName = "Contrast"
  package static let fields: [Field<Self>] = [
    Field("ratio") { $0.contrast.ratio.withoutNoise },
    Field("aa") { LevelAnswer(verdict: $0.contrast.aa) },
    Field("aaa") { LevelAnswer(verdict: $0.contrast.aaa) },
  ]
}

package struct LevelAnswer: ObjectAnswer {
  let verdict: Contrast.Verdict

  package static let fields: [Field<Self>] = [
    Field("normal") { $0.verdict.normal }, Field("large") { $0.verdict.large },
  ]
}

extension Received where Form == ContrastAnswer {
  package var ratio: Double? { number("ratio") }
  package var aa: Received<LevelAnswer> { part("aa") }
  package var aaa: Received<LevelAnswer> { part("aaa") }
}

extension Received where Form == LevelAnswer {
  package var normal: Bool { isSet("normal") }
  package var large: Bool { isSet("large") }
}

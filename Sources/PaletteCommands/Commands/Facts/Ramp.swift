internal import PaletteModel

extension Command {
  package static let ramp = Command(
    "ramp",
    .facts,
    .fact,
    summary: "Makes even steps from one color to another",
    details: [
      "A is the first of the N colors and B the last. SPACE is oklab if it is not given; 'hued help "
        + "convert' lists all.",
      "When piped, each line holds one color as CSS.",
    ],
    positionals: [
      Positional("A", "the first color"), Positional("B", "the last color"),
      Positional("N", as: "count", "how many colors, with both ends", content: .count),
    ],
    flags: [.inSpace],
    examples: [
      .init("hued ramp tomato gold 7", "seven colors from tomato to gold"),
      .init("hued ramp white navy 5 --in oklch | hued add Brand -", "add five colors as one edit"),
    ],
    otherNames: ["gradient", "scale"]
  ) { call in
    let (first, last) = (try call.parameters.color("a"), try call.parameters.color("b"))
    let space = try call.parameters.mixingSpace()
    let count = try call.parameters.colorCount("count", upTo: 1000) ?? 2
    return ColorsAnswer(
      (0..<count).map { step in
        let part = count == 1 ? 0 : Double(step) / Double(count - 1)
        return .init(first.mixed(with: last, part: part, in: space))
      }
    )
  }
}

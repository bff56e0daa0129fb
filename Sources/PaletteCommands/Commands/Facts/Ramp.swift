internal import PaletteModel

extension Command {
  package static let ramp = Command(
    "ramp",
    .facts,
    .fact,
    view: .colors,
    summary: "Makes even steps from one color to another, and on to more",
    details: [
      "A is the first of the N colors, the last one named is the last, and those between are as far from "
        + "each other. SPACE is oklab if it is not given; 'hued help "
        + "convert' lists all.",
      "When piped, each line holds one color as CSS.",
    ],
    positionals: [
      Positional("A", "the first color"), Positional("B", "the next color, or the last one"),
      Positional("C", as: "more", "more colors on the way", need: .any),
      Positional("N", as: "count", "how many colors, with both ends", content: .count),
    ],
    flags: [.inSpace],
    examples: [
      .init("hued ramp tomato gold 7", "seven colors from tomato to gold"),
      .init("hued ramp navy gold tomato 9", "nine colors by way of gold"),
      .init("hued ramp white navy 5 --in oklch | hued add Brand -", "add five colors as one edit"),
    ],
    otherNames: ["gradient", "scale"]
  ) { call in
    let more = try call.parameters.optionalTexts("more") ?? []
    guard more.count <= 1000 else {
      throw APIError(code: "bad-value", message: "a ramp goes by way of 1000 colors at most")
    }
    let stops =
      [try call.parameters.color("a"), try call.parameters.color("b")]
      + (try more.map { try Color(argument: $0) })
    let space = try call.parameters.mixingSpace()
    let count = try call.parameters.colorCount("count", upTo: 1000) ?? 2
    return ColorsAnswer(
      (0..<count).map { step in
        let way = count == 1 ? 0 : Double(step) * Double(stops.count - 1) / Double(count - 1)
        let leg = min(Int(way), stops.count - 2)
        let part = way - Double(leg)
        return .init(stops[leg].mixed(with: stops[leg + 1], part: part, in: space))
      }
    )
  }
}

internal import PaletteModel

extension Command {
  package static let mix = Command(
    "mix",
    .facts,
    .fact,
    view: .colors,
    summary: "Mixes two colors",
    details: [
      "P is how much of B is in it, in percent, 50 if it is not given. SPACE is oklab if it is not "
        + "given; 'hued help convert' lists all.",
      "When piped, it prints the color as CSS. One of A and B may be -, for each color of the standard "
        + "input.",
    ],
    positionals: [
      Positional("A", "the first color", content: .css),
      Positional("B", "the second color", content: .css),
    ],
    flags: [.inSpace, Flag("at", "P", "how much of B is in it, in percent", content: .percent)],
    examples: [
      .init("hued mix tomato gold", "the color in the middle"),
      .init("hued mix tomato gold --at 20 --in oklch", "nearer to tomato, by way of hues"),
    ],
    otherNames: ["blend"]
  ) { call in
    let percent = try call.parameters.optionalNumber("at") ?? 50
    guard (0...100).contains(percent) else {
      throw APIError(
        code: "bad-value",
        message: "--at is a number from 0 to 100, not \(percent.withoutPoint)"
      )
    }
    let (first, second) = (try call.parameters.color("a"), try call.parameters.color("b"))
    let space = try call.parameters.mixingSpace()
    return ColorsAnswer([.init(first.mixed(with: second, part: percent / 100, in: space))])
  }.forEachLine("a", "b")
}

extension Double {
  /// The number as it was probably written.
  fileprivate var withoutPoint: String { Int(exactly: self).map(String.init) ?? "\(self)" }
}

extension Flag {
  /// The space in which colors are mixed.
  static let inSpace = Flag(
    "in",
    "SPACE",
    "the color space to mix in, oklab if not given",
    content: .suggestion(ColorSpace.suggested)
  )
}

extension Parameters {
  /// The argument `in`: the space in which colors are mixed.
  func mixingSpace() throws(APIError) -> ColorSpace {
    guard let name = try optionalText("in") else { return .oklab }
    return try ColorSpace(argument: name)
  }

  /// An argument that is a number of colors.
  func colorCount(_ key: String, upTo limit: Int) throws(APIError) -> Int? {
    guard let count = try optionalCount(key) else { return nil }
    guard (1...limit).contains(count) else {
      throw APIError(
        code: "bad-value",
        message: "\(count) colors are not possible",
        hint: "ask for 1 to \(limit)"
      )
    }
    return count
  }
}

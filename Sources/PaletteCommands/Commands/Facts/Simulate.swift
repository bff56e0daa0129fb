internal import PaletteModel

extension Command {
  package static let simulate = Command(
    "simulate",
    .facts,
    .read,
    view: .colors,
    summary: "Shows colors as people with a color deficiency see them",
    details: [
      "D is protan, deutan, tritan or achroma. X is a palette or a color; - reads colors from the "
        + "standard input.",
      "When piped, each line holds one color as CSS, and of a palette a tab and its name.",
    ],
    positionals: [
      Positional("X", as: "subject", "a palette, a color, or - for colors from the standard input")
    ],
    flags: [
      Flag(
        "deficiency",
        "D",
        "which deficiency",
        content: .word(ColorDeficiency.allCases.map(\.rawValue))
      )
    ],
    choices: [Choice(["deficiency"], isRequired: true)],
    examples: [
      .init("hued simulate Brand --deficiency deutan", "a palette without green cones"),
      .init("hued simulate tomato --deficiency protan", "one color"),
    ],
    otherNames: ["colorblind"]
  ) { call in
    let word = try call.parameters.text("deficiency")
    guard let deficiency = ColorDeficiency(rawValue: word) else {
      let words = ColorDeficiency.allCases.map(\.rawValue).joined(separator: ", ")
      throw APIError(
        code: "bad-value",
        message: "there is no deficiency '\(word)'",
        hint: "write one of \(words)"
      )
    }
    let subject = try call.parameters.text("subject")
    do {
      let colors = try call.namedColors(ofPalette: subject)
      return ColorsAnswer(colors.map { .init($0.color.seen(with: deficiency), name: $0.name) })
    } catch let missing as APIError where missing.code == "not-found" {
      // A word that is neither was probably meant as a color when it looks like one.
      do throws(APIError) {
        return ColorsAnswer([.init(try Color(argument: subject).seen(with: deficiency))])
      } catch {
        throw subject.contains("(") || subject.hasPrefix("#")
          ? error
          : APIError(
            code: "not-found",
            message: "'\(subject)' is neither a palette nor a color",
            hint: error.hint ?? missing.hint
          )
      }
    }
  }.forEachLine("subject")
}

internal import PaletteFormats
internal import PaletteModel

extension Command {
  package static let convert = Command(
    "convert",
    .facts,
    .fact,
    view: .convertedColor,
    summary: "Converts a color to another color space",
    details: [
      "SPACE is one of CSS `color()` (srgb, srgb-linear, display-p3, a98-rgb, prophoto-rgb, "
        + "rec2020, xyz, xyz-d50, xyz-d65), or hsb, hsl, hwb, lab, lch, oklab or oklch."
    ],
    positionals: [.value],
    flags: [Flag("to", "SPACE", "the color space", content: .suggestion(ColorSpace.suggested))],
    choices: [Choice(["to"], isRequired: true)],
    examples: [.init("hued convert tomato --to oklch", "print the same color in OKLCH")]
  ) { call in
    let space = try ColorSpace(argument: try call.parameters.text("to"))
    return ConvertedColor(color: try call.parameters.color("value"), space: space)
  }.forEachLine("value")
}

/// A color in another space.
package struct ConvertedColor: ObjectAnswer {
  let color: Color
  let space: ColorSpace

  private var converted: Color {
    var converted = color.converted(to: space)
    // What was authored stays as it was; a computed number is read by people.
    if space != color.space { converted.components = converted.components.withoutNoise }
    return converted
  }

  package static let schemaName = "Converted"
  package static let fields: [Field<Self>] = [
    Field("color") { $0.converted.css }, Field("space") { $0.space.cssName },
    Field("components") { $0.color.components(in: $0.space).withoutNoise },
    Field("alpha") { $0.color.alpha }, Field("hex") { $0.color.hex },
  ]
}

extension Received where Form == ConvertedColor {
  package var color: String { text("color") }
  package var hex: String { text("hex") }
}

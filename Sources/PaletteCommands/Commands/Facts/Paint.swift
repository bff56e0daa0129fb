internal import PaletteFormats
internal import PaletteModel

extension Command {
  package static let paint = Command(
    "paint",
    .facts,
    .fact,
    view: .paintedText,
    summary: "Prints a text in a color",
    details: ["In color on a terminal, or with --color always; plain text elsewhere."],
    positionals: [.value, Positional("TEXT", "the text")],
    examples: [
      .init("hued paint tomato 'Sold out'", "a text in tomato"),
      .init("hued --color always paint gold Ready | cat", "in color through a pipe as well"),
    ]
  ) { call in
    PaintedText(text: try call.parameters.text("text"), color: try call.parameters.color("value"))
  }
}

/// A text and the color in which it is printed.
package struct PaintedText: ObjectAnswer {
  let text: String
  let color: Color

  package static let fields: [Field<Self>] = [
    Field("text") { $0.text }, Field("color", "CSS") { $0.color.css },
    Field("hex", "#rrggbb or #rrggbbaa") { $0.color.hex },
  ]
}

extension Received where Form == PaintedText {
  package var paintedText: String { text("text") }
  package var hex: String { text("hex") }
}

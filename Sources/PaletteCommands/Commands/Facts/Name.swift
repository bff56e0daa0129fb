internal import PaletteModel

extension Command {
  package static let nearestName = Command(
    "name",
    .facts,
    .fact,
    view: .colorNames,
    summary: "Finds the nearest CSS color name",
    positionals: [.value],
    examples: [.init("hued name '#ff6450'", "print tomato and how far away it is")]
  ) { call in
    NearestName(nearest: try call.parameters.color("value").nearestCSSName)
  }.forEachLine("value")

  package static let colors = Command(
    "colors",
    .facts,
    .fact,
    view: .colors,
    summary: "Lists the color names of CSS",
    details: ["When piped, each line holds a color as CSS, a tab and its name."],
    examples: [
      .init("hued colors", "all names with their colors"),
      .init("hued colors | grep green | hued add Brand -", "add those of a kind, with their names"),
    ],
    otherNames: ["names"]
  ) { _ in
    ColorsAnswer(Color.cssColors.map { .init($0.color, name: $0.name) })
  }
}

/// The nearest CSS name, and how far away it is.
package struct NearestName: ObjectAnswer {
  let nearest: (name: String, color: Color, deltaE: Double)

  package static let fields: [Field<Self>] = [
    Field("name") { $0.nearest.name }, Field("hex") { $0.nearest.color.hex },
    Field("deltaE") { $0.nearest.deltaE.withoutNoise },
  ]
}

extension Received where Form == NearestName {
  package var name: String { text("name") }
  package var hex: String { text("hex") }
  package var deltaE: Double? { number("deltaE") }
}

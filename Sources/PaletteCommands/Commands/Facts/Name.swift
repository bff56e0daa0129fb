internal import PaletteModel

extension Command {
  package static let nearestName = Command(
    "name",
    .facts,
    .fact,
    summary: "Finds the nearest CSS color name",
    positionals: [.value],
    examples: [.init("hued name '#ff6450'", "print tomato and how far away it is")]
  ) { call in
    NearestName(nearest: try call.parameters.color("value").nearestCSSName)
  }.forEachLine("value")
}

/// The nearest CSS name, and how far away it is.
private struct NearestName: ObjectAnswer {
  let nearest: (name: String, color: Color, deltaE: Double)

  static let fields: [Field<Self>] = [
    Field("name") { $0.nearest.name }, Field("hex") { $0.nearest.color.hex },
    Field("deltaE") { $0.nearest.deltaE.withoutNoise },
  ]
}

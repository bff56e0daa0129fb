internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let new = Command(
    "new",
    .palettes,
    .create,
    view: .palette("Created"),
    summary: "Creates an empty palette",
    details: ["A palette of this library with the same name is an error."],
    positionals: [Positional("NAME", "the name of the new palette")],
    examples: [.init("hued new Sunset", "make a palette called Sunset")],
    otherNames: ["create", "init", "make"],
    more: [
      Parameter("id", .text("a UUID"), "the id of the new palette, chosen by the caller").optional
    ]
  ) { call in
    let name = try call.parameters.name("name")
    let store = try call.library.creating()
    try Limit.checkPalettes(try store.checkIsFree(name) + 1)
    var random = SystemRandomNumberGenerator()
    let id = PaletteID(try call.parameters.optionalID("id") ?? RecordID(using: &random))
    guard try store.frontier(of: id).isEmpty else {
      throw APIError(code: "bad-value", message: "there is a palette with the id \(id) already")
    }
    try store.write(as: call.author) { transaction throws(StoreError) in
      try transaction.palette(beginning: id).begin(named: name)
    }
    return try store.answer(about: id)
  }
}

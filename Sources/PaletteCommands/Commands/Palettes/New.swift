internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let new = Command(
    "new",
    .palettes,
    .create,
    summary: "Creates an empty palette",
    details: ["A palette of this library with the same name is an error."],
    positionals: [Positional("NAME", "the name of the new palette")],
    examples: [.init("hued new Sunset", "make a palette called Sunset")],
    otherNames: ["create", "init", "make"]
  ) { call in
    let name = try call.parameters.name("name")
    let store = try call.library.creating()
    try Limit.checkPalettes(try store.checkIsFree(name) + 1)
    var random = SystemRandomNumberGenerator()
    let id = PaletteID(RecordID(using: &random))
    try store.write(as: call.author) { transaction throws(StoreError) in
      try transaction.palette(beginning: id).begin(named: name)
    }
    return try store.answer(about: id)
  }
}

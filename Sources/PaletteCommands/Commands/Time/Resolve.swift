internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let resolve = Command(
    "resolve",
    .time,
    .edit,
    summary: "Settles a conflict by choosing one of its values",
    positionals: [
      .palette, .color,
      Positional(
        "REGISTER",
        "what is in conflict: name, color or note",
        content: .suggestion(["name", "color", "note"])
      ),
      Positional("VALUE", "the value to keep, one of those that `hued conflicts` lists"),
    ],
    examples: [
      .init("hued resolve Sunset Orange color '#ff8800'", "keep this color"),
      .init("hued resolve Sunset Orange name Orange", "keep this name"),
    ],
    otherNames: ["merge", "choose"],
    more: [.seen]
  ) { call in
    let argument = try call.parameters.text("color")
    let word = try call.parameters.text("register")
    let text = try call.parameters.text("value")
    guard let register = Register(word) else {
      throw APIError(
        code: "bad-value",
        message: "there is no register '\(word)'",
        hint: "it is name, color or note"
      )
    }
    let (store, palette) = try call.editedPalette()
    let record = try store.recordInConflict(argument, in: palette)
    let values = try store.liveValues(of: record, in: palette.id)
    guard let conflict = Conflict(register, of: record, among: values) else {
      throw APIError(code: "no-conflict", message: "the \(word) of '\(argument)' has one value")
    }
    let value = try conflict.value(chosenBy: text)
    let seen = try call.seen(of: record, in: palette.id, store)
    let edit = Edit.set(record, [register: value]).seeing(seen)
    if record == palette.id.record {
      try store.write(as: call.author) { transaction throws(StoreError) in
        _ = try transaction.palette(palette.id)?.author(edit)
      }
      return RecordOrPalette.palette(try store.answer(about: palette.id))
    }
    try store.act([edit], in: palette.id, by: call.author)
    return .record(try store.answer(about: record, in: palette.id))
  }
}

extension ChangeStore {
  fileprivate func recordInConflict(
    _ argument: String,
    in palette: PaletteSummary
  ) throws -> RecordID {
    let candidates = try candidates(in: palette.id)
    if Lookup.color.matches(of: argument, among: candidates).isEmpty,
      RecordID.range(withPrefix: argument.trimmed)?.contains(palette.id.record) == true
    {
      return palette.id.record
    }
    return candidates[try Lookup.color.index(of: argument, among: candidates)].id
  }
}

extension Conflict {
  fileprivate func value(chosenBy text: String) throws(APIError) -> RegisterValue {
    let wanted = RegisterValue(register, parsing: text)
    let listed = choices.map(\.value)
    if let wanted, let value = listed.first(where: { $0 == wanted }) { return value }
    // A name that came from elsewhere may begin or end with white space.
    let texts = listed.map { $0.text(of: register) }
    if let index = texts.firstIndex(where: { $0.hasSameBytes(as: text) }) { return listed[index] }
    throw APIError(
      code: "bad-value",
      message: "'\(text)' is none of the values in conflict",
      hint: "they are " + texts.map { "'\($0)'" }.joined(separator: ", ")
    )
  }
}

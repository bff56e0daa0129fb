internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let resolve = Command(
    "resolve",
    .time,
    .edit,
    view: .record("Resolved"),
    summary: "Settles a conflict by choosing one of its values",
    details: [
      "Without VALUE it asks on a terminal, for one conflict after the other; elsewhere it lists the "
        + "values, and the exit code is 2. REGISTER is needed only where several are in conflict.",
      "Where the name of the palette itself is in conflict, COLOR is that name once more.",
    ],
    positionals: [
      .palette, .color,
      Positional(
        "REGISTER",
        "what is in conflict: \(Conflict.wordList)",
        need: .optional,
        content: .suggestion(Conflict.words)
      ),
      Positional(
        "VALUE",
        "the value to keep, one of those that `hued conflicts` lists",
        need: .optional
      ),
    ],
    examples: [
      .init("hued resolve Sunset Orange", "be asked which value stays"),
      .init("hued resolve Sunset Orange color '#ff8800'", "keep this color"),
      .init("hued resolve Sunset Orange name Orange", "keep this name"),
    ],
    otherNames: ["merge", "choose"],
    more: [.seen]
  ) { call in
    let argument = try call.parameters.text("color")
    let registers = try Self.registers(named: try call.parameters.optionalText("register"))
    let (store, palette) = try call.editedPalette()
    let record = try store.recordInConflict(argument, in: palette)
    let values = try store.liveValues(of: record, in: palette.id)
    let conflicts = registers.compactMap { Conflict($0, of: record, among: values) }
    guard let conflict = conflicts.first else {
      let words = registers.count == 1 ? "the \(registers[0]) of '\(argument)' has one value" : nil
      throw APIError(
        code: "no-conflict",
        message: words ?? "nothing of '\(argument)' is in conflict"
      )
    }
    guard conflicts.count == 1 else {
      let names = conflicts.map(\.register.description).joined(separator: " and ")
      throw APIError(
        code: "bad-value",
        message: "the \(names) of '\(argument)' are in conflict",
        hint: "say which one is meant: hued resolve PALETTE COLOR REGISTER VALUE"
      )
    }
    let register = conflict.register
    guard let text = try call.parameters.optionalText("value") else {
      throw APIError(
        code: "bad-value",
        message: "the \(register) of '\(argument)' has \(conflict.choices.count) values",
        hint: "name the one to keep: \(conflict.listed)"
      )
    }
    let value = try conflict.value(chosenBy: text)
    let seen = try call.seen(of: record, in: palette.id, store)
    let edit = Edit.set(record, [register: value]).seeing(seen)
    try store.settle(edit, in: palette.id, by: call.author)
    guard record == palette.id.record else {
      return RecordOrPalette.record(try store.answer(about: record, in: palette.id))
    }
    return .palette(try store.answer(about: palette.id))
  }
  .with(\.programPart, .resolving)
}

extension Command {
  /// The registers that may be meant.
  fileprivate static func registers(named word: String?) throws(APIError) -> [Register] {
    guard let word else { return Conflict.registers }
    guard let register = Register(word) else {
      throw APIError(
        code: "bad-value",
        message: "there is no register '\(word)'",
        hint: "it is \(Conflict.wordList)"
      )
    }
    return [register]
  }
}

extension ChangeStore {
  fileprivate func recordInConflict(
    _ argument: String,
    in palette: PaletteSummary
  ) throws -> RecordID {
    let candidates = try candidates(in: palette.id)
    let name = argument.trimmed
    if Lookup.color.matches(of: argument, among: candidates).isEmpty,
      name.hasSameBytes(as: palette.name)
        || RecordID.range(withPrefix: name)?.contains(palette.id.record) == true
    {
      return palette.id.record
    }
    return candidates[try Lookup.color.index(of: argument, among: candidates)].id
  }
}

extension Conflict {
  /// Its values as they are written on a command line.
  fileprivate var listed: String {
    choices.map { "'\($0.value.text(of: register))'" }.joined(separator: ", ")
  }

  fileprivate func value(chosenBy text: String) throws(APIError) -> RegisterValue {
    let wanted = RegisterValue(register, parsing: text)
    let values = choices.map(\.value)
    if let wanted, let value = values.first(where: { $0 == wanted }) { return value }
    // A name that came from elsewhere may begin or end with white space.
    let texts = values.map { $0.text(of: register) }
    if let index = texts.firstIndex(where: { $0.hasSameBytes(as: text) }) { return values[index] }
    throw APIError(
      code: "bad-value",
      message: "'\(text)' is none of the values in conflict",
      hint: "they are \(listed)"
    )
  }
}

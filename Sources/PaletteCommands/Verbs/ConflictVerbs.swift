internal import PaletteFormats
internal import PaletteModel
internal import PaletteStore

/// The commands about values that were written concurrently.
enum ConflictVerbs {
  /// `conflicts [PALETTE]`: every register with several values.
  static func conflicts(_ call: LibraryCall) throws -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("conflicts")
    writer.beginArray()
    if try call.parameters.optionalText("palette") != nil {
      try call.readingPalette { store, palette in
        var names = AuthorNames(call.library, store, in: palette.id)
        try writer.conflicts(of: palette.id, store, &names)
      }
    } else if let store = try call.library.reading() {
      try store.read {
        for palette in try store.visiblePalettes() where palette.conflicts > 0 {
          var names = AuthorNames(call.library, store, in: palette.id)
          try writer.conflicts(of: palette.id, store, &names)
        }
      }
    }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }

  /// `resolve PALETTE COLOR REGISTER VALUE`: keeps one of the values.
  ///
  /// COLOR may be the id of the palette itself, whose name is in conflict then.
  static func resolve(_ call: LibraryCall) throws -> Reply {
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
    let record = try record(argument, in: palette, store)
    let values = try store.liveValues(of: record, in: palette.id)
    guard let conflict = Conflict(register, of: record, among: values) else {
      throw APIError(code: "no-conflict", message: "the \(word) of '\(argument)' has one value")
    }
    let value = try chosen(text, of: conflict)
    let seen = try call.seen(of: record, in: palette.id, store)
    let edit = Edit.set(record, [register: value]).seeing(seen)
    if record == palette.id.record {
      try store.write(as: call.author) { transaction throws(StoreError) in
        _ = try transaction.palette(palette.id)?.author(edit)
      }
      return .document(try store.paletteAnswer(palette.id))
    }
    try store.act([edit], in: palette.id, by: call.author)
    return try store.reply(about: record, in: palette.id)
  }

  private static func record(
    _ argument: String,
    in palette: PaletteSummary,
    _ store: ChangeStore
  ) throws -> RecordID {
    let candidates = try store.candidates(in: palette.id)
    if Lookup.color.matches(of: argument, among: candidates).isEmpty,
      RecordID.range(withPrefix: argument.trimmed)?.contains(palette.id.record) == true
    {
      return palette.id.record
    }
    return candidates[try Lookup.color.index(of: argument, among: candidates)].id
  }

  private static func chosen(
    _ text: String,
    of conflict: Conflict
  ) throws(APIError) -> RegisterValue {
    let wanted = RegisterValue(conflict.register, parsing: text)
    let listed = conflict.choices.map(\.value)
    if let wanted, let value = listed.first(where: { $0 == wanted }) { return value }
    // A name that came from elsewhere may begin or end with white space.
    let texts = listed.map { $0.text(of: conflict.register) }
    if let index = texts.firstIndex(where: { $0.hasSameBytes(as: text) }) { return listed[index] }
    throw APIError(
      code: "bad-value",
      message: "'\(text)' is none of the values in conflict",
      hint: "they are " + texts.map { "'\($0)'" }.joined(separator: ", ")
    )
  }
}

extension JSONWriter {
  fileprivate mutating func conflicts(
    of palette: PaletteID,
    _ store: ChangeStore,
    _ names: inout AuthorNames
  ) throws {
    for conflict in try store.listedConflicts(of: palette) {
      beginObject()
      member("palette", palette.description)
      member("id", conflict.record.description)
      member("register", conflict.register.description)
      key("values")
      beginArray()
      for (index, choice) in conflict.choices.enumerated() {
        beginObject()
        member("value", choice.value.text(of: conflict.register))
        member("node", choice.dot.node.description)
        member("author", try names.name(of: choice.dot.node))
        member("stamp", choice.stamp.description)
        member("shown", index == 0)
        endObject()
      }
      endArray()
      endObject()
    }
  }
}

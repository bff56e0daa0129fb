internal import PaletteFormats
internal import PaletteModel
internal import PaletteStore

/// The commands about which colors a palette has, and in which order.
enum OrderVerbs {
  /// `list PALETTE`: the colors in order.
  static func list(_ call: LibraryCall) throws -> [UInt8] {
    let moment = try call.parameters.optionalMoment("at", now: call.library.now)
    return try call.readingPalette { store, palette in
      let sheet =
        if let moment { try store.sheet(palette, at: moment) } else {
          PaletteSheet(palette, try store.colors(of: palette.id))
        }
      var writer = JSONWriter(capacity: sheet.colors.count * 200 + 200)
      writer.document(of: sheet)
      return writer.bytes
    }
  }

  /// `add PALETTE VALUE [NAME]`: a new color, at the end unless a position is given.
  static func add(_ call: LibraryCall) throws -> Reply {
    let value = try call.parameters.color("value")
    let name = try call.parameters.optionalName("name") ?? value.hex
    let position = try Position(call.parameters)
    let (store, palette) = try call.editedPalette()
    try Limit.checkColors(palette.count + 1)
    var random = SystemRandomNumberGenerator()
    let color = NamedColor(id: RecordID(using: &random), name: name, color: value)
    let index = try insert(color, at: position, in: palette, store)
    return try store.reply(about: color.id, in: palette.id, index: index)
  }

  /// `move PALETTE COLOR`: the same color elsewhere.
  static func move(_ call: LibraryCall) throws -> Reply {
    let argument = try call.parameters.text("color")
    guard let position = try Position(call.parameters) else {
      throw APIError(code: "bad-usage", message: "one of at, before and after is needed")
    }
    let (store, palette) = try call.editedPalette()
    let list = try store.colors(of: palette.id)
    let start = try list.index(named: argument)
    let end = try position.indexAfterMoving(from: start, in: list)
    try store.write { transaction throws(StoreError) in
      guard let writer = try transaction.palette(palette.id) else { return }
      try writer.act(try writer.moving(from: start, to: end, in: list))
    }
    return try store.reply(about: list[start].color.id, in: palette.id)
  }

  /// `remove PALETTE COLOR...`: hides all of them, or none when one cannot be found.
  static func remove(_ call: LibraryCall) throws -> [UInt8] {
    let arguments = try call.parameters.texts("colors")
    let (store, palette) = try call.editedPalette()
    var seen: Set<RecordID> = []
    let records = try store.listedColors(arguments, in: palette.id).filter {
      seen.insert($0).inserted
    }
    try store.act(records.map { .delete($0) }, in: palette.id)
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("removed", records.map(\.description))
    writer.endObject()
    return writer.bytes
  }

  /// `restore PALETTE [COLOR]`: a removed color at its old place, or a dropped palette.
  static func restore(_ call: LibraryCall) throws -> Reply {
    guard let argument = try call.parameters.optionalText("color") else {
      return .document(try PaletteVerbs.restore(call))
    }
    let (store, palette) = try call.editedPalette()
    let removed = try store.candidates(in: palette.id, removed: true)
    if Lookup.color.matches(of: argument, among: removed).isEmpty {
      let listed = try store.candidates(in: palette.id)
      if !Lookup.color.matches(of: argument, among: listed).isEmpty {
        throw APIError(code: "not-removed", message: "the color '\(argument)' is not removed")
      }
    }
    let record = removed[try Lookup.removedColor.index(of: argument, among: removed)].id
    guard let edit = try store.restoring(record, in: palette.id) else { return .document([]) }
    try Limit.checkColors(palette.count + 1)
    try store.act([edit], in: palette.id)
    return try store.reply(about: record, in: palette.id)
  }

  /// - Returns: The index of the new color.
  private static func insert(
    _ color: NamedColor,
    at position: Position?,
    in palette: PaletteSummary,
    _ store: ChangeStore
  ) throws -> Int {
    // The end needs no list, which may be long.
    guard let position, position != .at(palette.count) else {
      try store.write { transaction throws(StoreError) in
        guard let writer = try transaction.palette(palette.id) else { return }
        try writer.act(try writer.appending([color]))
      }
      return palette.count
    }
    let list = try store.colors(of: palette.id)
    let index = try position.indexForInserting(into: list)
    try store.write { transaction throws(StoreError) in
      guard let writer = try transaction.palette(palette.id) else { return }
      try writer.act(try writer.inserting([color], into: list, at: index))
    }
    return index
  }
}

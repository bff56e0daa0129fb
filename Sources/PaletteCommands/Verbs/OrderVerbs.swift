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
          PaletteSheet(palette, try store.colors(of: palette.id, withSeen: true))
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
    let id = try call.parameters.optionalID("id")
    if let id, try !store.liveValues(of: id, in: palette.id).isEmpty {
      throw APIError(code: "bad-value", message: "there is a color with the id \(id) already")
    }
    let color = NamedColor(id: id ?? RecordID(using: &random), name: name, color: value)
    let index = try insert(color, at: position, in: palette, store, by: call.author)
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
    let record = list[start].color.id
    let seen = try call.seen(of: record, in: palette.id, store)
    try store.write(as: call.author) { transaction throws(StoreError) in
      guard let writer = try transaction.palette(palette.id) else { return }
      let edits = try writer.moving(from: start, to: end, in: list)
      try writer.act(edits.map { $0.record == record ? $0.seeing(seen) : $0 })
    }
    return try store.reply(about: record, in: palette.id)
  }

  /// `remove PALETTE COLOR...`: hides all of them, or none when one cannot be found.
  static func remove(_ call: LibraryCall) throws -> [UInt8] {
    let arguments = try call.parameters.texts("colors")
    let (store, palette) = try call.editedPalette()
    var records = try store.listedColors(arguments, in: palette.id)
    var edits = records.map { Edit.delete($0) }
    if let seen = try call.seen(of: records, in: palette.id, store) {
      edits = zip(edits, seen).map { $0.seeing($1) }
    }
    var known: Set<RecordID> = []
    edits = edits.filter { known.insert($0.record).inserted }
    try store.act(edits, in: palette.id, by: call.author)
    // What somebody edited meanwhile stays, whole.
    records = try edits.map(\.record).filter { try !store.isListed($0, in: palette.id) }
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
    let seen = try call.seen(of: record, in: palette.id, store)
    try store.act([edit.seeing(seen)], in: palette.id, by: call.author)
    return try store.reply(about: record, in: palette.id)
  }

  /// - Returns: The index of the new color.
  private static func insert(
    _ color: NamedColor,
    at position: Position?,
    in palette: PaletteSummary,
    _ store: ChangeStore,
    by author: AuthorID
  ) throws -> Int {
    // The end needs no list, which may be long.
    guard let position, position != .at(palette.count) else {
      try store.write(as: author) { transaction throws(StoreError) in
        guard let writer = try transaction.palette(palette.id) else { return }
        try writer.act(try writer.appending([color]))
      }
      return palette.count
    }
    let list = try store.colors(of: palette.id)
    let index = try position.indexForInserting(into: list)
    try store.write(as: author) { transaction throws(StoreError) in
      guard let writer = try transaction.palette(palette.id) else { return }
      try writer.act(try writer.inserting([color], into: list, at: index))
    }
    return index
  }
}

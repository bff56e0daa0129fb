internal import PaletteJSON
internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

/// The answer of adding: the new color, or all of them.
enum AddedColors: Answer, JSONRepresentable {
  case one(RecordAnswer)
  case several(AddedList)

  static let schema = Schema.named("Added", .either([RecordAnswer.schema, AddedList.schema]))

  var json: JSON {
    switch self {
    case .one(let answer): answer.json
    case .several(let answer): answer.json
    }
  }

  var bytes: [UInt8] {
    switch self {
    case .one(let answer): answer.bytes
    case .several(let answer): answer.bytes
    }
  }
}

/// Colors that were added together, in their order.
struct AddedList: ObjectAnswer {
  let colors: [RecordAnswer]

  static let fields: [Field<Self>] = [Field("colors") { $0.colors }]
}

extension LibraryCall {
  /// Adds the colors of the argument `colors` as one action; nil where there is no such argument.
  func addSeveral() throws -> AddedColors? {
    guard let colors = try parameters.namedColors("colors") else { return nil }
    let position = try Position(parameters)
    let (store, palette) = try editedPalette()
    try Limit.checkColors(palette.count + colors.count)
    let list = try position.map { _ in try store.colors(of: palette.id) } ?? []
    let start = try position?.indexForInserting(into: list) ?? palette.count
    try store.checkAreNew(colors.map(\.id), in: palette.id)
    try store.write(as: author) { transaction throws(StoreError) in
      guard let writer = try transaction.palette(palette.id) else { return }
      try writer.act(
        position == nil
          ? try writer.appending(colors) : try writer.inserting(colors, into: list, at: start)
      )
    }
    return .several(
      AddedList(
        colors: try colors.enumerated().map { offset, color in
          try store.answer(about: color.id, in: palette.id, index: start + offset)
        }
      )
    )
  }
}

extension ChangeStore {
  /// Refuses ids of new colors that the palette knows already.
  func checkAreNew(_ ids: [RecordID], in palette: PaletteID) throws {
    var isTaken: Set<RecordID> = []
    for id in ids {
      guard isTaken.insert(id).inserted, try liveValues(of: id, in: palette).isEmpty else {
        throw APIError(code: "bad-value", message: "there is a color with the id \(id) already")
      }
    }
  }
}

extension Parameters {
  /// An argument that is a list of new colors if it is there: each a value, with or without a name, a note and an id
  /// of the caller's choice.
  fileprivate func namedColors(_ key: String) throws(APIError) -> [NamedColor]? {
    guard isGiven(key) else { return nil }
    let elements = try documents(key)
    guard !elements.isEmpty else {
      throw APIError(code: "bad-usage", message: "the argument '\(key)' holds no colors")
    }
    var random = BufferedRandom()
    return try elements.map { element throws(APIError) in
      let entry = Parameters(element)
      let color = try entry.color("value")
      let name = try entry.optionalName("name") ?? color.hex
      let note = try entry.optionalNote("note") ?? ""
      let id = try entry.optionalID("id") ?? RecordID(using: &random)
      return NamedColor(id: id, name: name, color: color, note: note)
    }
  }
}

internal import PaletteFormats
internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

extension Command {
  /// What a view does to several colors at once, such as moving or recoloring a selection.
  package static let act = Command(
    "act",
    .colors,
    .edit,
    summary: "Makes several edits of a palette as one action, which one undo takes back",
    remark:
      "each edit is {\"method\"} with the parameters of set, rename, note, add, move or remove; "
      + "'move' and 'remove' take several 'colors', and 'at' of 'move' is the position among the others",
    parameters: [
      Positional.palette.parameter,
      Parameter("edits", .list(.any), "the edits, in their order"),
    ]
  ) { call in
    let documents = try call.parameters.documents("edits")
    let (store, palette) = try call.editedPalette()
    let list = try store.colors(of: palette.id, withSeen: true)
    var draft = ActDraft(list.map(\.color), palette.id, store)
    for document in documents { try draft.take(Parameters(document)) }
    try Limit.checkColors(draft.colors.count)
    let diff = try PaletteDiff(from: list.map(\.color), to: draft.colors)
    let seen = draft.seen
    _ = try store.write(as: call.author) { transaction throws(StoreError) in
      try transaction.palette(palette.id)?.act(diff, on: list, seeing: { seen[$0] })
    }
    let touched = draft.touched
    return AddedList(
      colors: try store.colors(of: palette.id, withSeen: true).enumerated()
        .filter { touched.contains($1.color.id) }
        .map { index, color in try store.answer(about: color.color.id, in: palette.id, index: index)
        }
    )
  }
  .ofAPIAlone
}

/// The list that edits make of a palette's, one after the other.
private struct ActDraft {
  private(set) var colors: [NamedColor]
  /// The values that the caller had seen, for those edits that say so.
  private(set) var seen: [RecordID: SeenValues] = [:]
  /// The colors that are to be edited or added.
  private(set) var touched: Set<RecordID> = []
  private var indexes: [RecordID: Int]
  private let palette: PaletteID
  private let store: ChangeStore

  init(_ colors: [NamedColor], _ palette: PaletteID, _ store: ChangeStore) {
    self.colors = colors
    self.palette = palette
    self.store = store
    indexes = Dictionary(uniqueKeysWithValues: colors.enumerated().map { ($1.id, $0) })
  }

  mutating func take(_ edit: Parameters) throws {
    switch try edit.text("method") {
    case "set":
      let value = try edit.color("value")
      try change(edit) { $0.color = value }
    case "rename":
      let name = try edit.name("name")
      try change(edit) { $0.name = name }
    case "note":
      let text = try edit.optionalNote("text") ?? ""
      try change(edit) { $0.note = text }
    case "add": try add(edit)
    case "move": try move(edit)
    case "remove": _ = try removeSubjects(of: edit)
    case let method:
      throw APIError(
        code: "bad-usage",
        message: "'act' has no edit '\(method)'",
        hint: "it has set, rename, note, add, move and remove"
      )
    }
  }

  private mutating func change(_ edit: Parameters, _ body: (inout NamedColor) -> Void) throws {
    let id = try subject(try edit.text("color"))
    guard let index = indexes[id] else { throw APIError.gone(id) }
    if let values = try edit.optionalSeen("seen")?.first { try see(values, of: id) }
    body(&colors[index])
    touched.insert(id)
  }

  private mutating func add(_ edit: Parameters) throws {
    let value = try edit.color("value")
    var random = SystemRandomNumberGenerator()
    let color = NamedColor(
      id: try edit.optionalID("id") ?? RecordID(using: &random),
      name: try edit.optionalName("name") ?? value.hex,
      color: value,
      note: try edit.optionalNote("note") ?? ""
    )
    guard !touched.contains(color.id) else {
      throw APIError(code: "bad-value", message: "there are two colors with the id \(color.id)")
    }
    try store.checkAreNew([color.id], in: palette)
    try insert([color], at: try Position(edit))
  }

  private mutating func move(_ edit: Parameters) throws {
    let moved = try removeSubjects(of: edit)
    try insert(moved, at: try Position(edit))
  }

  /// Takes colors out of the list.
  private mutating func removeSubjects(of edit: Parameters) throws -> [NamedColor] {
    let ids = try edit.texts("colors").map { try subject($0) }
    if let values = try edit.optionalSeen("seen") {
      guard values.count == ids.count else {
        throw APIError(code: "bad-usage", message: "'seen' must have one text for each color")
      }
      for (id, values) in zip(ids, values) { try see(values, of: id) }
    }
    let gone = Set(ids)
    let removed = try ids.map { id in
      guard let index = indexes[id] else { throw APIError.gone(id) }
      return colors[index]
    }
    colors.removeAll { gone.contains($0.id) }
    touched.subtract(gone)
    index()
    return removed
  }

  private mutating func insert(_ added: [NamedColor], at position: Position?) throws {
    let index =
      switch position {
      case nil: colors.count
      case .at(let index): try Position.checked(index, upTo: colors.count)
      case .before(let color): try place(of: color)
      case .after(let color): try place(of: color) + 1
      }
    colors.insert(contentsOf: added, at: index)
    touched.formUnion(added.map(\.id))
    self.index()
  }

  private func place(of argument: String) throws -> Int {
    let id = try subject(argument)
    guard let index = indexes[id] else { throw APIError.gone(id) }
    return index
  }

  /// A color by its whole id: names may change from edit to edit.
  private func subject(_ argument: String) throws -> RecordID {
    guard let id = RecordID(argument) else {
      throw APIError(code: "bad-value", message: "'\(argument)' is no id of a color")
    }
    return id
  }

  private mutating func see(_ values: SeenValues, of record: RecordID) throws {
    guard try store.knows(values, of: record, in: palette) else { throw APIError.badSeen }
    if seen[record] == nil { seen[record] = values }
  }

  private mutating func index() {
    indexes = Dictionary(uniqueKeysWithValues: colors.enumerated().map { ($1.id, $0) })
  }
}

extension APIError {
  fileprivate static func gone(_ color: RecordID) -> APIError {
    APIError(code: "not-found", message: "there is no color \(color) any more")
  }
}

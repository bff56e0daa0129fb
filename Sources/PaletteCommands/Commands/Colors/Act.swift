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
    let (store, palette) = try call.editedPalette()
    let subject = EditPlan.Subject(call: call, store: store, palette: palette)
    var planned = try subject.acting()
    _ = try store.write(as: call.author) { transaction throws(StoreError) in
      guard let writer = try transaction.palette(palette.id) else { return }
      try planned.action?.write(in: writer, atMost: nil)
    }
    return try subject.colors(planned.records)
  }
  .planned(
    EditPlan(
      isLong: {
        try $0.call.parameters.documents("edits").count > EditPlan.shortEdits
          || $0.palette.count > 5 * EditPlan.shortColors
      },
      plan: { try $0.acting() },
      answer: { try $0.colors($1.records) }
    )
  )
  .ofAPIAlone
}

extension EditPlan.Subject {
  /// The edits as one action, and the colors that they are about.
  fileprivate func acting() throws -> EditPlan.Planned {
    let documents = try call.parameters.documents("edits")
    guard documents.count <= Limit.edits else {
      throw APIError(
        code: "too-large",
        message: "an action has \(Limit.edits) edits at most, and this has \(documents.count)"
      )
    }
    let list = try store.colors(of: palette.id, withSeen: true)
    var draft = ActDraft(list.map(\.color), palette.id, store)
    for document in documents { try draft.take(Parameters(document)) }
    try Limit.checkColors(draft.colors.count)
    let diff = try PaletteDiff(from: list.map(\.color), to: draft.colors)
    let action = LongAction(diff, on: list, seeing: draft.seen)
    return .init(action: action, records: Array(draft.touched))
  }

  /// Colors as they are now, in the order of the list.
  fileprivate func colors(_ records: [RecordID]) throws -> AddedList {
    let touched = Set(records)
    return AddedList(
      colors: try store.colors(of: palette.id, withSeen: true).enumerated()
        .filter { touched.contains($1.color.id) }
        .map { index, color in try store.answer(about: color.color.id, in: palette.id, index: index)
        }
    )
  }
}

/// The list that edits make of a palette's, one after the other.
private struct ActDraft {
  /// The values that the caller had seen, for those edits that say so.
  private(set) var seen: [RecordID: SeenValues] = [:]
  /// The colors that are to be edited or added.
  private(set) var touched: Set<RecordID> = []
  private var chain: ColorChain
  private let palette: PaletteID
  private let store: ChangeStore

  init(_ colors: [NamedColor], _ palette: PaletteID, _ store: ChangeStore) {
    chain = ColorChain(colors)
    self.palette = palette
    self.store = store
  }

  var colors: [NamedColor] { chain.colors }

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
    if let values = try edit.optionalSeen("seen")?.first { try see(values, of: id) }
    guard chain.change(id, body) else { throw APIError.gone(id) }
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
    guard Set(ids).count == ids.count else {
      throw APIError(code: "bad-usage", message: "'colors' names a color twice")
    }
    touched.subtract(ids)
    return try ids.map { id in
      guard let color = chain.remove(id) else { throw APIError.gone(id) }
      return color
    }
  }

  private mutating func insert(_ added: [NamedColor], at position: Position?) throws {
    var last: RecordID?
    switch position {
    case nil: last = chain.last
    case .at(let index): last = try chain.color(before: index)
    case .before(let argument): last = chain.color(before: try place(of: argument))
    case .after(let argument): last = try place(of: argument)
    }
    for color in added {
      chain.insert(color, after: last)
      last = color.id
    }
    touched.formUnion(added.map(\.id))
  }

  private func place(of argument: String) throws -> RecordID {
    let id = try subject(argument)
    guard chain.contains(id) else { throw APIError.gone(id) }
    return id
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
}

extension APIError {
  fileprivate static func gone(_ color: RecordID) -> APIError {
    APIError(code: "not-found", message: "there is no color \(color) any more")
  }
}

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
    view: .facts,
    summary: "Makes several edits of a palette as one action, which one undo takes back",
    remark:
      "each edit is {\"method\"} with the parameters of set, rename, note, add, move or remove; "
      + "'move' and 'remove' take several 'colors', and 'at' of 'move' is the position among the others",
    parameters: [
      Positional.palette.parameter,
      Parameter("edits", .list(.any), "the edits, in their order"),
    ]
  ) { call in try acting.carryOut(call) }
  .planned(acting)
  .ofAPIAlone

  private static let acting = EditPlan<AddedList>(
    isLong: { subject in
      let edits = try subject.call.parameters.documents("edits")
      if edits.count > EditSubject.shortEdits { return true }
      guard subject.palette.count > 5 * EditSubject.shortColors else { return false }
      let parameters = edits.map { Parameters($0) }
      return try !ChosenEdits.take(parameters) && !Parameters.append(parameters)
    },
    plan: { try $0.acting() },
    answer: { try $0.colors($1.records) }
  )
}

extension EditSubject {
  /// The edits as one action, and the colors that they are about.
  fileprivate func acting() throws -> PlannedEdit {
    let documents = try call.parameters.documents("edits")
    guard documents.count <= Limit.edits else {
      throw APIError(
        code: "too-large",
        message: "an action has \(Limit.edits) edits at most, and this has \(documents.count)"
      )
    }
    let parameters = documents.map { Parameters($0) }
    if try Parameters.append(parameters) {
      let colors = try parameters.map { try $0.newColor() }
      try Limit.checkColors(palette.count + colors.count)
      try store.checkAreNew(colors.map(\.id), in: palette.id)
      return .init(action: LongAction(appending: colors), records: colors.map(\.id))
    }
    if try ChosenEdits.take(parameters) {
      var chosen = ChosenEdits(palette.id, store)
      for edit in parameters { try chosen.take(edit) }
      return .init(action: LongAction(chosen.edits), records: chosen.touched)
    }
    let list = try store.colors(of: palette.id, withSeen: true)
    var draft = ActDraft(list.map(\.color), palette.id, store)
    for edit in parameters { try draft.take(edit) }
    try Limit.checkColors(draft.colors.count)
    let diff = try PaletteDiff(from: list.map(\.color), to: draft.colors)
    let action = LongAction(diff, on: list, seeing: draft.seen)
    return .init(action: action, records: Array(draft.touched))
  }

  /// Colors as they are now, in the order of the list.
  fileprivate func colors(_ records: [RecordID]) throws -> AddedList {
    guard records.count > Self.shortEdits else {
      let listed = try records.filter { try store.isListed($0, in: palette.id) }
      let answers = try listed.map { try store.answer(about: $0, in: palette.id) }
      return AddedList(colors: answers.sorted { $0.index ?? 0 < $1.index ?? 0 })
    }
    let touched = Set(records)
    return AddedList(
      colors: try store.colors(of: palette.id).enumerated()
        .filter { touched.contains($1.color.id) }
        .map { index, color in try store.answer(about: color.color.id, in: palette.id, index: index)
        }
    )
  }
}

/// Edits of colors that stay where they are or go, which need no list: each color is edited once in the end.
private struct ChosenEdits {
  private struct Chosen {
    var writes: [Register: RegisterValue] = [:]
    var seen: SeenValues?
    var isRemoved = false
  }

  /// The colors in the order in which they were named first.
  private var named: [RecordID] = []
  private var chosen: [RecordID: Chosen] = [:]
  private let palette: PaletteID
  private let store: ChangeStore

  init(_ palette: PaletteID, _ store: ChangeStore) {
    self.palette = palette
    self.store = store
  }

  /// Returns whether edits are of this kind.
  static func take(_ edits: [Parameters]) throws -> Bool {
    try edits.allSatisfy { ["set", "rename", "note", "remove"].contains(try $0.text("method")) }
  }

  /// The colors that were edited and stay.
  var touched: [RecordID] { named.filter { chosen[$0]?.isRemoved == false } }

  /// The edits of all colors.
  var edits: [Edit] {
    named.compactMap { id in
      guard let known = chosen[id] else { return nil }
      if known.isRemoved { return Edit.delete(id).seeing(known.seen) }
      guard !known.writes.isEmpty else { return nil }
      let writes = known.writes.sorted { $0.key < $1.key }
      return Edit.set(id, writes: writes.map { Change.Write($0, value: $1) }).seeing(known.seen)
    }
  }

  mutating func take(_ edit: Parameters) throws {
    let method = try edit.text("method")
    guard method != "remove" else { return try remove(edit) }
    let id = try RecordID(wholly: try edit.text("color"))
    var known = try look(at: id, seeing: try edit.optionalSeen("seen")?.first)
    switch method {
    case "set": known.writes[.color] = RegisterValue(color: try edit.color("value"))
    case "rename": known.writes[.name] = RegisterValue(text: try edit.name("name"))
    default: known.writes[.note] = try note(edit.optionalNote("text") ?? "", of: id)
    }
    put(known, id)
  }

  private mutating func remove(_ edit: Parameters) throws {
    for (id, values) in try edit.subjects() {
      var known = try look(at: id, seeing: values)
      known.isRemoved = true
      put(known, id)
    }
  }

  private mutating func put(_ known: Chosen, _ id: RecordID) {
    if chosen.updateValue(known, forKey: id) == nil { named.append(id) }
  }

  /// A color that is there still.
  private func look(at id: RecordID, seeing values: SeenValues?) throws -> Chosen {
    var known = chosen[id] ?? Chosen()
    if let values {
      guard try store.knows(values, of: id, in: palette) else { throw APIError.badSeen }
      if known.seen == nil { known.seen = values }
    }
    guard !known.isRemoved, try store.isListed(id, in: palette) else { throw APIError.gone(id) }
    return known
  }

  /// A note to write; nil for an empty one where there never was any.
  private func note(_ text: String, of id: RecordID) throws -> RegisterValue? {
    if text.isEmpty,
      try store.liveValues(of: id, in: palette).allSatisfy({ $0.value.register != .note })
    {
      return nil
    }
    return RegisterValue(text: text)
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
    let id = try RecordID(wholly: try edit.text("color"))
    if let values = try edit.optionalSeen("seen")?.first { try see(values, of: id) }
    guard chain.change(id, body) else { throw APIError.gone(id) }
    touched.insert(id)
  }

  private mutating func add(_ edit: Parameters) throws {
    let color = try edit.newColor()
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
    let subjects = try edit.subjects()
    for (id, values) in subjects {
      if let values { try see(values, of: id) }
    }
    let ids = subjects.map(\.id)
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
    let id = try RecordID(wholly: argument)
    guard chain.contains(id) else { throw APIError.gone(id) }
    return id
  }

  private mutating func see(_ values: SeenValues, of record: RecordID) throws {
    guard try store.knows(values, of: record, in: palette) else { throw APIError.badSeen }
    if seen[record] == nil { seen[record] = values }
  }
}

extension Parameters {
  /// Returns whether edits only add colors at the end, which needs no list.
  fileprivate static func append(_ edits: [Parameters]) throws -> Bool {
    try edits.allSatisfy { try $0.text("method") == "add" && Position($0) == nil }
  }

  /// The color that an edit adds.
  fileprivate func newColor() throws -> NamedColor {
    let value = try color("value")
    var random = SystemRandomNumberGenerator()
    return NamedColor(
      id: try optionalID("id") ?? RecordID(using: &random),
      name: try optionalName("name") ?? value.hex,
      color: value,
      note: try optionalNote("note") ?? ""
    )
  }

  /// The colors that an edit moves or removes, each with what the caller had seen of it.
  fileprivate func subjects() throws -> [(id: RecordID, seen: SeenValues?)] {
    let ids = try texts("colors").map { try RecordID(wholly: $0) }
    let seen = try optionalSeen("seen")
    guard seen == nil || seen?.count == ids.count else {
      throw APIError(code: "bad-usage", message: "'seen' must have one text for each color")
    }
    guard Set(ids).count == ids.count else {
      throw APIError(code: "bad-usage", message: "'colors' names a color twice")
    }
    return ids.enumerated().map { ($1, seen?[$0]) }
  }
}

extension RecordID {
  /// A color by its whole id: names may change from edit to edit.
  fileprivate init(wholly argument: String) throws {
    guard let id = RecordID(argument) else {
      throw APIError(code: "bad-value", message: "'\(argument)' is no id of a color")
    }
    self = id
  }
}

extension APIError {
  fileprivate static func gone(_ color: RecordID) -> APIError {
    APIError(code: "not-found", message: "there is no color \(color) any more")
  }
}

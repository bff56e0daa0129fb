import PaletteMerge
import PaletteModel

/// The edits of an action, given one at a time, so that each transaction can write a part of them.
enum ActionEdits: Sendable {
  /// The edits that a diff asks for; what is edited may have been seen in an older state.
  case diff(DiffEdits, seen: [RecordID: SeenValues])
  /// Colors for the end of the palette, which need no list; all get their places with the first of them.
  case appended([NamedColor])
  /// A color that moves from one index of a list to another, as somebody has seen it, or as it is.
  case moved(from: Int, to: Int, list: [ListedColor], seen: SeenValues?)
  /// Edits of which so many were given.
  case known([Edit], given: Int)

  /// The number of edits; what makes room for colors comes on top.
  var count: Int {
    switch self {
    case .diff(let edits, _): edits.count
    case .appended(let colors): colors.count
    case .moved: 1
    case .known(let edits, _): edits.count
    }
  }

  /// The number of them that were given.
  var given: Int {
    switch self {
    case .diff(let edits, _): edits.given
    case .appended, .moved: 0
    case .known(_, let given): given
    }
  }

  /// Gives the next edit; nil when all were given.
  mutating func next(in writer: PaletteWriter) throws(StoreError) -> Edit? {
    switch self {
    case .diff(var edits, let seen):
      defer { self = .diff(edits, seen: seen) }
      return try edits.next(in: writer) { seen[$0] }
    case .appended(let colors):
      self = .known(try writer.appending(colors), given: 0)
      return try next(in: writer)
    case .moved(let start, let end, let list, let seen):
      let edits = try writer.moving(from: start, to: end, in: list).map { edit in
        edit.record == list[start].color.id ? edit.seeing(seen) : edit
      }
      self = .known(edits, given: 0)
      return try next(in: writer)
    case .known(let edits, let given):
      guard given < edits.count else { return nil }
      self = .known(edits, given: given + 1)
      return edits[given]
    }
  }
}

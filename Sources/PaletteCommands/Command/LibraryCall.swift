internal import PaletteMerge
package import PaletteModel
package import PaletteStore

/// One call of a verb: its arguments and the library that it is about.
package struct LibraryCall {
  let parameters: Parameters
  let library: any LibraryAccess
  /// The author of the call's edits.
  let author: AuthorID
  /// The part that was done beforehand.
  var prepared: PreparedCall?

  /// Answers from one state of a palette, whatever is written meanwhile; with `orDropped` a dropped one answers as
  /// well, which is named by its whole id.
  func readingPalette<Answer>(
    orDropped: Bool = false,
    _ body: (ChangeStore, PaletteSummary) throws -> Answer
  ) throws -> Answer {
    let argument = try parameters.text("palette")
    guard let store = try library.reading() else { throw Self.missing(argument) }
    return try store.read {
      let id = orDropped ? RecordID(argument).map { PaletteID($0) } : nil
      let named = try id.flatMap { try store.summary(of: $0) }
      return try body(store, try named ?? store.visiblePalette(argument))
    }
  }

  /// Opens the library for writing and finds the palette that is to be changed.
  func editedPalette() throws -> (store: ChangeStore, palette: PaletteSummary) {
    let argument = try parameters.text("palette")
    guard let store = try library.editing() else { throw Self.missing(argument) }
    let palette = try store.visiblePalette(argument)
    try refuseViewers(palette, in: store)
    return (store, palette)
  }

  /// Refuses to edit a palette that came from peers where this library only reads.
  ///
  /// Nobody would ever take such an edit, and so it is better not made.
  private func refuseViewers(_ palette: PaletteSummary, in store: ChangeStore) throws {
    if let refusal = try store.refusal(ofEditing: palette.id, named: palette.name) { throw refusal }
  }

  /// The error where there is no library, and so no palette.
  package static func missing(_ argument: String) -> APIError {
    APIError(
      code: "not-found",
      message: "there is no palette '\(argument)'",
      hint: "there are no palettes here yet; 'hued new NAME' makes one"
    )
  }

  /// The state of a record that the caller has seen before editing it; nil if it does not say.
  func seen(
    of record: RecordID,
    in palette: PaletteID,
    _ store: ChangeStore
  ) throws -> SeenValues? {
    try seen(of: [record], in: palette, store)?.first
  }

  /// The state of each record that the caller has seen before editing it; nil if it does not say.
  func seen(
    of records: [RecordID],
    in palette: PaletteID,
    _ store: ChangeStore
  ) throws -> [SeenValues]? {
    guard let seen = try parameters.optionalSeen("seen") else { return nil }
    guard seen.count == records.count else {
      throw APIError(code: "bad-usage", message: "'seen' must have one text for each color")
    }
    for (record, values) in zip(records, seen) {
      guard try store.knows(values, of: record, in: palette) else { throw APIError.badSeen }
    }
    return seen
  }
}

extension ChangeStore {
  /// The reason why a palette had better not be edited here; nil where nothing speaks against it.
  package func refusal(ofEditing palette: PaletteID, named name: String) throws -> APIError? {
    let peers = try peers.all().filter { $0.shares(palette) }
    guard !peers.isEmpty, peers.allSatisfy({ $0.onlyShows(palette) }), try !wasMadeHere(palette)
    else { return nil }
    return APIError(
      code: "not-allowed",
      message: "'\(name)' was shared with this library to look at, not to edit",
      hint: "ask for a join code with the role editor"
    )
  }

  /// Returns whether this library made a palette, or may have: its first change there is not held any more.
  ///
  /// Whoever makes a palette begins with its name.
  private func wasMadeHere(_ palette: PaletteID) throws -> Bool {
    try frontier(of: palette).keys.filter(isOwn).contains { node in
      try change(Dot(node, 1), of: palette).map { $0.record == palette.record } ?? true
    }
  }
}

extension APIError {
  /// The error for a `seen` that names no values of its record.
  static let badSeen = APIError(
    code: "bad-seen",
    message: "'seen' names no values of this color",
    hint: "take it from the newest answer or event that holds the color"
  )
}

internal import PaletteModel
internal import PaletteStore

extension LibraryCall {
  /// What the caller has seen of a record that it edits; nil where it does not say.
  func seen(
    of record: RecordID,
    in palette: PaletteID,
    _ store: ChangeStore
  ) throws -> SeenValues? {
    try seen(of: [record], in: palette, store)?.first
  }

  /// What the caller has seen of each record that it edits; nil where it does not say.
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

extension APIError {
  /// What was said to be seen of a record names no values of it.
  static let badSeen = APIError(
    code: "bad-seen",
    message: "'seen' names no values of this color",
    hint: "take it from the newest answer or event that holds the color"
  )
}

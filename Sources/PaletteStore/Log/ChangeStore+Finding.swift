public import PaletteModel

extension ChangeStore {
  /// The names of a palette's colors, in no order.
  ///
  /// - Parameters:
  ///   - id: The palette.
  ///   - removed: Whether those that were removed are meant, by whom or what ever, instead of those
  ///     that are listed.
  /// - Returns: Each color's id and name.
  /// - Throws: `StoreError` when the store failed.
  public func names(
    of id: PaletteID,
    removed: Bool = false
  ) throws(StoreError) -> [(id: RecordID, name: String)] {
    guard let palette = try paletteRow(id) else { return [] }
    var names: [(id: RecordID, name: String)] = []
    if !removed { names.reserveCapacity(palette.colors) }
    let select = try box(removed ? .removedNames : .names)
    try select.statement.bind(palette.number, at: 1)
    try select.statement.rows { row throws(StoreError) in
      let flags = RecordFlags(rawValue: row.int64(1))
      let isWanted =
        removed
        ? flags.contains(.isDeleted) && !flags.contains(.isPalette) : flags.listedColors == 1
      if isWanted { names.append((try row.recordID(0), row.text(2))) }
    }
    return removed ? names + (try removalNames(of: palette)) : names
  }

  /// Where a color stands in its palette's list, from 0; nil when it is not listed.
  public func index(of record: RecordID, in id: PaletteID) throws(StoreError) -> Int? {
    try recordWithIndex(record, in: id)?.index
  }

  /// Whether a color is in its palette's list.
  public func isListed(_ record: RecordID, in id: PaletteID) throws(StoreError) -> Bool {
    if let isListed = cache.lists(record, in: id) { return isListed }
    guard let palette = try paletteRow(id) else { return false }
    return try shownRecord(record, in: palette)?.isListed ?? false
  }

  /// What is shown of a record, and where it stands in the list; nil when nothing of it is held.
  public func recordWithIndex(
    _ id: RecordID,
    in palette: PaletteID
  ) throws(StoreError) -> (shown: ShownRecord, index: Int?)? {
    guard let row = try paletteRow(palette),
      let shown = try shownRecord(id, in: row, withSeen: true)
    else { return nil }
    guard shown.isListed, let place = shown.place else { return (shown, nil) }
    return (shown, try index(of: id, at: place, in: row))
  }

  private func index(
    of record: RecordID,
    at place: Place,
    in palette: PaletteRow
  ) throws(StoreError) -> Int? {
    if let order = try cache.order(of: palette) { return order.index(of: record) }
    let select = try box(.countBefore)
    try select.statement.bind(palette.number, at: 1)
    try select.statement.bind(place.bytes, at: 2)
    try select.statement.bind(record, at: 3)
    return try select.statement.row { Int($0.int64(0)) }
  }
}

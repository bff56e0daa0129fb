internal import PaletteMerge
public import PaletteModel

/// Palettes in the order in which they were edited.
extension PaletteReader {
  /// The time of a palette's newest edit, in milliseconds since 1970, by the clock of whoever made it.
  ///
  /// It is read from the newest change of each author; where a snapshot stands for those, the time at
  /// which it came counts.
  ///
  /// - Parameter id: The palette.
  /// - Returns: The time; nil when nothing of the palette is held.
  /// - Throws: `StoreError` when the store failed.
  public func editedMilliseconds(of id: PaletteID) throws(StoreError) -> Int64? {
    guard let palette = try paletteRow(id), palette.number != 0 else { return nil }
    let select = try box(.newestOfAuthors)
    try select.statement.bind(palette.number, at: 1)
    var newest: Int64?
    try select.statement.rows { row in
      guard let stamp = row.withBytes(0, { ChangeRow.stamp(of: $0) }) else { return }
      newest = max(newest ?? .min, stamp.milliseconds)
    }
    if let newest { return newest }
    let last = try box(.lastMoment)
    try last.statement.bind(palette.number, at: 1)
    return try last.statement.row { $0.isNull(0) ? nil : $0.int64(1) } ?? nil
  }

  /// The palettes that lists show, those first that were edited last.
  ///
  /// - Parameters:
  ///   - last: The palette behind which the page begins; nil for the first.
  ///   - limit: The most palettes.
  ///   - isWanted: Which of them alone are meant.
  /// - Returns: The page; nil when `last` is none of them.
  /// - Throws: `StoreError` when the store failed.
  public func palettePageByEdit(
    after last: PaletteID? = nil,
    limit: Int = .max,
    where isWanted: (PaletteSummary) -> Bool = { _ in true }
  ) throws(StoreError) -> PalettePage? {
    let all = try palettePage(where: isWanted)?.palettes ?? []
    var edited: [(time: Int64, index: Int)] = []
    edited.reserveCapacity(all.count)
    for (index, palette) in all.enumerated() {
      edited.append((try editedMilliseconds(of: palette.id) ?? .min, index))
    }
    edited.sort { ($1.time, $0.index) < ($0.time, $1.index) }
    var start = 0
    if let last {
      guard let found = edited.firstIndex(where: { all[$0.index].id == last }) else { return nil }
      start = found + 1
    }
    var page = PalettePage()
    for (_, index) in edited[start...].prefix(limit) { page.append(all[index]) }
    page.hasMore = edited.count - start > limit
    return page
  }
}

extension Query {
  fileprivate static let newestOfAuthors = Query(
    """
    SELECT change.bytes FROM stream JOIN change ON change.id = stream.id << 32 | stream.held
    WHERE stream.palette = ?1
    """
  )
}

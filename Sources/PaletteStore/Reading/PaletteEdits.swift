internal import PaletteMerge
public import PaletteModel

/// Some palettes in the order in which they were edited, and whether there are more behind them.
public struct EditedPalettes: Sendable {
  /// The palettes, each with the time of its newest edit where that is known.
  public fileprivate(set) var palettes: [(palette: PaletteSummary, milliseconds: Int64?)] = []
  /// True if others come behind them.
  public fileprivate(set) var hasMore = false
}

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
    return try lastMoment(of: palette.number)
  }

  private func lastMoment(of palette: Int64) throws(StoreError) -> Int64? {
    let last = try box(.lastMoment)
    try last.statement.bind(palette, at: 1)
    return try last.statement.row { $0.isNull(0) ? nil : $0.int64(1) } ?? nil
  }

  /// The time of the newest edit of each palette of which changes are held, by its number.
  private func newestEdits() throws(StoreError) -> [Int64: Int64] {
    var newest: [Int64: Int64] = [:]
    try box(.newestOfAll).statement.rows { row in
      guard let stamp = row.withBytes(1, { ChangeRow.stamp(of: $0) }) else { return }
      newest[row.int64(0)] = max(newest[row.int64(0)] ?? .min, stamp.milliseconds)
    }
    return newest
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
  ) throws(StoreError) -> EditedPalettes? {
    let newest = try newestEdits()
    var all: [(palette: PaletteSummary, milliseconds: Int64?)] = []
    try box(.listedPalettes).statement.rows { row throws(StoreError) in
      let known = try PaletteRow(row)
      guard let palette = PaletteSummary(known), isWanted(palette) else { return }
      if let time = newest[known.number] {
        all.append((palette, time))
      } else {
        all.append((palette, try lastMoment(of: known.number)))
      }
    }
    let order = all.indices.map { (time: all[$0].milliseconds ?? .min, index: $0) }
      .sorted { ($1.time, $0.index) < ($0.time, $1.index) }
    var start = 0
    if let last {
      guard let found = order.firstIndex(where: { all[$0.index].palette.id == last }) else {
        return nil
      }
      start = found + 1
    }
    return EditedPalettes(
      palettes: order[start...].prefix(limit).map { all[$0.index] },
      hasMore: order.count - start > limit
    )
  }
}

extension Query {
  fileprivate static let newestOfAuthors = Query(
    """
    SELECT change.bytes FROM stream JOIN change ON change.id = stream.id << 32 | stream.held
    WHERE stream.palette = ?1
    """
  )
  fileprivate static let newestOfAll = Query(
    "SELECT stream.palette, change.bytes FROM stream JOIN change ON change.id = stream.id << 32 | stream.held"
  )
  fileprivate static let listedPalettes = Query(
    """
    SELECT \(Self.paletteColumns) FROM palette INDEXED BY paletteByTitle
    WHERE dropped = 0 AND title NOT NULL ORDER BY title, uuid
    """
  )
}

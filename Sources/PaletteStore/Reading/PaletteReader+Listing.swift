public import PaletteMerge
public import PaletteModel

extension PaletteReader {
  /// All palettes that have a name, dropped ones too, in the order of their ids.
  public func palettes() throws(StoreError) -> [PaletteSummary] {
    var rows: [PaletteRow] = []
    try box(.allPalettes).statement.rows { row throws(StoreError) in
      rows.append(try PaletteRow(row))
    }
    var summaries: [PaletteSummary] = []
    for row in rows {
      if let summary = PaletteSummary(row) { summaries.append(summary) }
    }
    return summaries.sorted { $0.id < $1.id }
  }

  /// The summary of a palette; nil if it is not held, or has no name yet.
  public func summary(of id: PaletteID) throws(StoreError) -> PaletteSummary? {
    try paletteRow(id).flatMap(PaletteSummary.init)
  }

  /// The digest of a palette; that of nothing when nothing of it is held.
  public func digest(of id: PaletteID) throws(StoreError) -> Digest {
    try paletteRow(id)?.digest ?? .zero
  }

  /// The colors of a palette in order; none when it is not held.
  ///
  /// - Parameters:
  ///   - id: The palette.
  ///   - withSeen: Whether each shall say which live values it has.
  ///   - report: Receives the number of those read now and then; what it throws ends the reading.
  /// - Returns: The colors.
  /// - Throws: `StoreError` when the store failed, or what `report` throws.
  public func colors(
    of id: PaletteID,
    withSeen: Bool = false,
    report: (Int) throws(StoreError) -> Void = { _ in }
  ) throws(StoreError) -> [ListedColor] {
    guard let palette = try paletteRow(id) else { return [] }
    var colors: [ListedColor] = []
    colors.reserveCapacity(palette.colors)
    let streams = withSeen ? try streams(of: palette) : nil
    let select = try box(withSeen ? .listWithDots : .list)
    try select.statement.bind(palette.number, at: 1)
    try select.statement.rows { row throws(StoreError) in
      let flags = RecordFlags(rawValue: row.int64(0))
      guard flags.listedColors == 1 else { return }
      let id = try row.recordID(withSeen ? SelectedColumns.end : SelectedColumns.firstDot)
      var color = try row.listedColor(id, flags)
      if let streams { color.seen = try seen(of: id, flags, row, in: palette, streams) }
      colors.append(color)
      if colors.count.isMultiple(of: 4_096) { try report(colors.count) }
    }
    return colors.inOrder()
  }

  /// Some colors of a palette in order, read without the others: those with the lowest ids, which
  /// stand anywhere in the list.
  ///
  /// - Parameters:
  ///   - id: The palette.
  ///   - count: The most colors.
  /// - Returns: The colors; none when the palette is not held.
  /// - Throws: `StoreError` when the store failed.
  public func sample(of id: PaletteID, count: Int) throws(StoreError) -> [ListedColor] {
    guard let palette = try paletteRow(id) else { return [] }
    var colors: [ListedColor] = []
    let select = try box(.sample)
    try select.statement.bind(palette.number, at: 1)
    try select.statement.bind(Int64(count), at: 2)
    try select.statement.rows { row throws(StoreError) in
      let id = try row.recordID(SelectedColumns.firstDot)
      colors.append(try row.listedColor(id, RecordFlags(rawValue: row.int64(0))))
    }
    return colors.inOrder()
  }

  /// The live values of a record, each with the stamp of its change, in order.
  public func liveValues(
    of record: RecordID,
    in id: PaletteID
  ) throws(StoreError) -> [(value: LiveValue, stamp: Stamp)] {
    guard let palette = try paletteRow(id) else { return [] }
    let streams = try streams(of: palette)
    var values: [(LiveValue, Stamp)] = []
    for value in try storedRecord(record, in: palette, streams).state.values {
      let stamp = try facts(of: value.dot, in: palette, streams).stamp
      values.append((value, stamp))
    }
    return values
  }

  /// The shown values of a record, listed or not; nil if nothing of it is held.
  public func record(_ id: RecordID, in palette: PaletteID) throws(StoreError) -> ShownRecord? {
    guard let row = try paletteRow(palette) else { return nil }
    return try shownRecord(id, in: row, withSeen: true)
  }

  /// The registers in conflict of every record that is listed, and of the palette's own.
  public func conflicts(of id: PaletteID) throws(StoreError) -> [RecordID: [Register]] {
    guard let palette = try paletteRow(id), palette.conflicts > 0 else { return [:] }
    var found: [RecordID: [Register]] = [:]
    let select = try box(.names)
    try select.statement.bind(palette.number, at: 1)
    try select.statement.rows { row throws(StoreError) in
      let flags = RecordFlags(rawValue: row.int64(1))
      if flags.countedConflicts > 0 { found[try row.recordID(0)] = flags.conflicts }
    }
    return found
  }

  /// The frontier: the point up to which each author's changes are held.
  public func frontier(of id: PaletteID) throws(StoreError) -> Frontier {
    guard let palette = try paletteRow(id) else { return [:] }
    return try streams(of: palette).frontier
  }

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
    return removed ? names + (try RemovalTable.names(of: palette, in: database)) : names
  }

  /// The index of a color in its palette's list, from 0; nil if it is not listed.
  public func index(of record: RecordID, in id: PaletteID) throws(StoreError) -> Int? {
    try recordWithIndex(record, in: id)?.index
  }

  /// Returns whether a color is in its palette's list.
  public func isListed(_ record: RecordID, in id: PaletteID) throws(StoreError) -> Bool {
    if let isListed = cache.lists(record, in: id) { return isListed }
    guard let palette = try paletteRow(id) else { return false }
    return try shownRecord(record, in: palette)?.isListed ?? false
  }

  /// The shown values of a record, and its place in the list; nil if nothing of it is held.
  package func recordWithIndex(
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

extension Statement {
  /// Reads the columns of `Query.list`.
  fileprivate func listedColor(
    _ id: RecordID,
    _ flags: RecordFlags
  ) throws(StoreError) -> ListedColor {
    guard let place = withBytes(SelectedColumns.value(.place), { Place($0) }),
      let color = withBytes(SelectedColumns.value(.color), { Color(encoded: $0) })
    else { throw StoreError(code: .corrupt, message: "a record has no readable place or color") }
    var named = NamedColor(id: id, name: text(SelectedColumns.value(.name)), color: color)
    for index in Register.optionalIndexes {
      let register = Register(knownIndex: index)
      named[text: register] = text(SelectedColumns.value(register))
    }
    return ListedColor(color: named, place: place, conflicts: flags.conflicts)
  }
}

/// The values that clients have seen of a record when they edit it.
extension PaletteReader {
  /// Returns whether values that somebody says to have seen are, or were, this record's.
  ///
  /// What was compacted away cannot be looked at any more, and is believed.
  package func knows(
    _ seen: SeenValues,
    of record: RecordID,
    in id: PaletteID
  ) throws(StoreError) -> Bool {
    guard let palette = try paletteRow(id) else { return false }
    let live = try self.record(record, in: id)?.seen
    let streams = try streams(of: palette)
    for dot in seen.dots where live?.contains(dot) != true {
      guard let stream = streams[dot.node], dot.sequence <= stream.held else { return false }
      guard let bytes = try changeBytes(dot, streams) else {
        guard dot.sequence <= stream.floor else { return false }
        continue
      }
      guard try ChangeRow.decode(bytes, in: id).record == record else { return false }
    }
    return true
  }

  /// The value of a register that was shown to whoever has seen these values.
  ///
  /// - Returns: The value; nil where history does not hold it any more.
  public func value(
    of register: Register,
    seenIn seen: SeenValues,
    in id: PaletteID
  ) throws(StoreError) -> RegisterValue? {
    guard let palette = try paletteRow(id) else { return nil }
    let streams = try streams(of: palette)
    var writers: [(change: Change, write: Change.Write)] = []
    var hashes: [Dot: ChangeHash] = [:]
    for dot in seen.dots {
      guard let bytes = try changeBytes(dot, streams) else { continue }
      let change = try ChangeRow.decode(bytes, in: id)
      hashes[dot] = ChangeHash(of: bytes, in: id)
      if let write = change.writes.first(where: { $0.register == register }) {
        writers.append((change, write))
      }
    }
    let saw = writers.flatMap(\.write.saw)
    let replaced = Set(saw.filter { seen in hashes[seen.dot].map(seen.fits) ?? false }.dots)
    return writers.filter { !replaced.contains($0.change.dot) }
      .max { ($0.change.stamp, $0.change.dot) < ($1.change.stamp, $1.change.dot) }?.write.value
  }
}

/// Colors and palettes that a snapshot removed.
extension PaletteReader {
  /// The names of palettes whose own names a snapshot removed.
  package func removedPaletteNames() throws(StoreError) -> [(id: PaletteID, name: String)] {
    try RemovalTable.paletteNames(in: database)
  }

  /// The edit that brings back a color that was removed: by its old place, or by all that was shown
  /// of it where a snapshot removed its values.
  ///
  /// - Returns: The edit; nil when nothing is known of the color.
  public func restoring(_ record: RecordID, in id: PaletteID) throws(StoreError) -> Edit? {
    guard let palette = try paletteRow(id) else { return nil }
    if let edit = try RemovalTable.addingBack(record, of: palette, in: database).first {
      return edit
    }
    guard let place = try shownRecord(record, in: palette)?.place else { return nil }
    return .restore(record, [.place: RegisterValue(placeBytes: place.bytes)])
  }

  /// The edits that bring back the listed colors of a palette that a snapshot removed.
  package func restoringRemovals(of id: PaletteID) throws(StoreError) -> [Edit] {
    guard let palette = try paletteRow(id) else { return [] }
    return try RemovalTable.addingBack(nil, of: palette, in: database)
  }
}

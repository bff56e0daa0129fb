internal import PaletteMerge
package import PaletteModel

/// Reads the palettes of a library: their rows, their records and the log of their changes.
public class PaletteReader {
  /// The most records of a transaction whose shown values are kept at hand, where state is kept.
  package static let recordsAtHand = 8

  let database: StoreDatabase
  let cache: StoreCache

  init(_ database: StoreDatabase) {
    self.database = database
    cache = StoreCache(database)
  }

  /// The prepared statement of a query.
  final func box(_ query: Query) throws(StoreError) -> PreparedQueries.Box {
    try database.box(query)
  }
}

/// The rows that all reading begins with.
extension PaletteReader {
  /// The row of a palette; nil where nothing of it is held.
  func paletteRow(_ id: PaletteID) throws(StoreError) -> PaletteRow? {
    if let row = cache.palettes?.row(of: id) { return row }
    if cache.palettes?.isAbsent(id) == true { return nil }
    let select = try box(.paletteByID)
    try select.statement.bind(id.record, at: 1)
    let found = try select.statement.row { row throws(StoreError) in try PaletteRow(row) }
    if let found { cache.palettes?.keep(found) } else { cache.palettes?.rememberAbsence(of: id) }
    return found
  }

  /// The authors of a palette.
  func streams(of palette: PaletteRow) throws(StoreError) -> StreamTable {
    if let kept = cache.palettes?.streams(of: palette.id) { return StreamTable(copying: kept) }
    let streams = try StreamTable(of: palette, in: database)
    if palette.number != 0 { cache.palettes?.keep(streams, of: palette.id) }
    return streams
  }

  /// The references of a palette's changes to changes that have not arrived.
  func references(of palette: PaletteRow) throws(StoreError) -> ReferenceTable {
    // A new palette has no references.
    let isKnown =
      palette.number == 0 || cache.palettes?.hasNothingAhead(in: palette.id) == true
    let references = try ReferenceTable(of: palette, in: database, isEmpty: isKnown)
    if !isKnown, !references.hasAny { cache.palettes?.rememberNothingAhead(in: palette.id) }
    return references
  }
}

/// Records.
extension PaletteReader {
  /// The shown values of a record; nil if nothing of it is held.
  func shownRecord(
    _ id: RecordID,
    in palette: PaletteRow,
    withSeen: Bool = false
  ) throws(StoreError) -> ShownRecord? {
    if let shown = cache.palettes?.record(id, of: palette.id) { return shown }
    let streams = withSeen ? try streams(of: palette) : nil
    let select = try box(.record)
    try select.statement.bind(palette.number, at: 1)
    try select.statement.bind(id, at: 2)
    return try select.statement.row { row throws(StoreError) in
      var seen: SeenValues?
      if let streams {
        let flags = RecordFlags(rawValue: row.int64(0))
        seen = try self.seen(of: id, flags, row, in: palette, streams)
      }
      return ShownRecord(id, row, seen: seen)
    }
  }

  /// The live values of a record, from the columns of its row that hold dots.
  func seen(
    of id: RecordID,
    _ flags: RecordFlags,
    _ row: borrowing Statement,
    in palette: PaletteRow,
    _ streams: StreamTable
  ) throws(StoreError) -> SeenValues? {
    var seen: SeenValues?
    func insert(_ number: Int64) throws(StoreError) {
      let dot = try streams.dot(ofValue: number)
      if seen == nil { seen = SeenValues(dot) } else { seen?.insert(dot) }
    }
    var last: Int64 = 0
    for column in SelectedColumns.firstDot..<SelectedColumns.end {
      let number = row.int64(column)
      // A dot is never 0, which is what NULL reads as. Most columns name the same one.
      guard number != 0, number != last else { continue }
      last = number
      try insert(number)
    }
    guard flags.contains(.hasSiblings) else { return seen }
    let select = try box(.siblings)
    try select.statement.bind(palette.number, at: 1)
    try select.statement.bind(id, at: 2)
    try select.statement.rows { row throws(StoreError) in try insert(row.int64(1)) }
    return seen
  }

  /// A record's rows.
  func storedRecord(
    _ id: RecordID,
    in palette: PaletteRow,
    _ streams: StreamTable
  ) throws(StoreError) -> StoredRecord {
    try StoredRecord(id, of: palette, streams, in: database)
  }

  /// The ids of all records of a palette.
  func recordIDs(of palette: PaletteRow) throws(StoreError) -> [RecordID] {
    var records: [RecordID] = []
    let select = try box(.names)
    try select.statement.bind(palette.number, at: 1)
    try select.statement.rows { row throws(StoreError) in records.append(try row.recordID(0)) }
    return records
  }

  /// The live values of a palette, and the dots among them that are covered.
  func liveMarks(
    of palette: PaletteRow
  ) throws(StoreError) -> (values: Set<ValueName>, covered: Set<ValueName>) {
    let streams = try streams(of: palette)
    var values: Set<ValueName> = []
    var covered: Set<ValueName> = []
    for record in try recordIDs(of: palette) {
      for value in try storedRecord(record, in: palette, streams).state.values {
        values.insert(ValueName(record: record, dot: value.dot, register: value.register))
        if value.isCovered {
          covered.insert(ValueName(record: record, dot: value.dot, register: nil))
        }
      }
    }
    return (values, covered)
  }
}

/// Changes.
extension PaletteReader {
  /// Stamp and hash of a change with a live value.
  func facts(
    of dot: Dot,
    in palette: PaletteRow,
    _ streams: StreamTable
  ) throws(StoreError) -> ChangeFacts {
    var facts: ChangeFacts?
    if let number = streams.changeNumber(dot) {
      let select = try box(.changeRow)
      try select.statement.bind(number, at: 1)
      facts = try select.statement.row { row throws(StoreError) in
        try ChangeFacts(row, 0, of: dot, in: palette.id)
      }
    }
    guard let facts else {
      throw StoreError(code: .corrupt, message: "the change \(dot) of a live value is missing")
    }
    return facts
  }

  /// The bytes of a change; nil when it is not held, or compacted away.
  func changeBytes(_ dot: Dot, _ streams: StreamTable) throws(StoreError) -> [UInt8]? {
    guard let number = streams.changeNumber(dot) else { return nil }
    let select = try box(.changeRow)
    try select.statement.bind(number, at: 1)
    return try select.statement.row { $0.changeBytes(0, of: dot) }
  }

  /// The link of a change, by the authors of its palette.
  func link(
    of dot: Dot,
    _ streams: StreamTable,
    in id: PaletteID
  ) throws(StoreError) -> UInt64? {
    if let head = streams[dot.node]?.head, head.sequence == dot.sequence { return head.link }
    return try changeBytes(dot, streams).map { ChangeHash(of: $0, in: id).link }
  }

  /// The first four bytes of the hash of a change whose row was compacted away, by the link that its
  /// author's next change has to it; nil where that is not here either.
  func nextProof(
    of dot: Dot,
    _ streams: StreamTable,
    in id: PaletteID
  ) throws(StoreError) -> UInt32? {
    guard dot.sequence < Dot.lastSequence,
      let bytes = try changeBytes(Dot(dot.node, dot.sequence + 1), streams)
    else { return nil }
    return UInt32(truncatingIfNeeded: try ChangeRow.decode(bytes, in: id).previous >> 32)
  }

  /// Lends every change row of a palette, author by author.
  package func forEachChange(
    of id: PaletteID,
    _ body: (_ arrival: Int64, _ bytes: [UInt8]) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard let palette = try paletteRow(id) else { return }
    let select = try box(.changeRows)
    for stream in try streams(of: palette).all.sorted(by: { $0.node < $1.node }) {
      try select.statement.bind(stream.changeNumber(0), at: 1)
      try select.statement.bind(stream.changeNumber(.max), at: 2)
      try select.statement.rows { row throws(StoreError) in
        let dot = Dot(stream.node, UInt32(truncatingIfNeeded: row.int64(0)))
        try body(row.int64(1), row.changeBytes(2, of: dot))
      }
    }
  }

  /// Returns whether a change does anything but say what its author, or its action, is called.
  ///
  /// The whole id counts, so that nobody hides a change by choosing an id with the same ending.
  func isEdit(_ change: Change, in palette: PaletteRow) throws(StoreError) -> Bool {
    guard change.namesAuthor || change.describesAction else { return true }
    return try shownRecord(change.record, in: palette)?.color != nil
  }
}

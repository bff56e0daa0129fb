public import PaletteMerge
public import PaletteModel

extension ChangeStore {
  /// The changes held of a palette, newest first by stamp, node and sequence.
  ///
  /// - Parameters:
  ///   - id: The palette.
  ///   - limit: How many are wanted; nil for all.
  ///   - before: Only those that come behind this one are wanted; nil for all.
  ///   - edits: Whether to leave out those by which authors say what they, or their actions, are called.
  /// - Returns: The changes; none where nothing of the palette is held.
  /// - Throws: `StoreError` when the store failed.
  public func history(
    of id: PaletteID,
    limit: Int? = nil,
    before: Change? = nil,
    edits: Bool = false
  ) throws(StoreError) -> [Change] {
    guard let palette = try paletteRow(id) else { return [] }
    var newest = NewestChanges(limit: limit)
    let select = try box(.newestChangeRows)
    for stream in try StreamTable(of: palette, in: self).all {
      try select.statement.bind(stream.changeNumber(0), at: 1)
      try select.statement.bind(stream.changeNumber(.max), at: 2)
      defer { select.statement.reset() }
      while try select.statement.step() {
        let dot = Dot(stream.node, UInt32(truncatingIfNeeded: select.statement.int64(0)))
        if let stamp = select.statement.withBytes(1, { ChangeRow.stamp(of: $0) }) {
          if newest.excludes(stamp) {
            // Where the author's clock has gone back, one further down may be newer.
            if stream.sortedFrom > 0, dot.sequence >= stream.sortedFrom { break }
            continue
          }
          if let before, (stamp, dot) >= (before.stamp, before.dot) { continue }
        }
        let change = try decode(select.statement.changeBytes(1, of: dot), in: id)
        if edits, try !isEdit(change, in: palette) { continue }
        newest.append(change)
      }
    }
    return newest.sorted
  }

  /// Whether a change does anything but say what its author, or its action, is called.
  ///
  /// The whole id counts, so that nobody hides a change by choosing an id with the same ending.
  func isEdit(_ change: Change, in palette: PaletteRow) throws(StoreError) -> Bool {
    guard change.namesAuthor || change.describesAction else { return true }
    return try shownRecord(change.record, in: palette)?.color != nil
  }

  /// A change of a palette; nil when it is not held, or no longer.
  public func change(_ dot: Dot, of id: PaletteID) throws(StoreError) -> Change? {
    guard let palette = try paletteRow(id),
      let stream = try StreamTable(of: palette, in: self)[dot.node]
    else { return nil }
    let select = try box(.newestChangeRows)
    try select.statement.bind(stream.changeNumber(dot.sequence), at: 1)
    try select.statement.bind(stream.changeNumber(dot.sequence), at: 2)
    return try select.statement.row { row throws(StoreError) in
      try decode(row.changeBytes(1, of: dot), in: id)
    }
  }

  /// The palette as the changes held with a stamp up to a time have it.
  ///
  /// - Returns: The state, or the time before which this library no longer knows the past.
  public func state(
    of id: PaletteID,
    atMilliseconds time: Int64
  ) throws(StoreError) -> PastState {
    // The last action that could have been made in that millisecond.
    let last = Stamp(milliseconds: time, counter: .max)
    return try state(of: id, after: ActionID(last, by: NodeID(.max)))
  }

  /// The palette as the changes held of all actions up to one have it.
  ///
  /// - Returns: The state, or the time before which this library no longer knows the past.
  public func state(of id: PaletteID, after action: ActionID) throws(StoreError) -> PastState {
    guard let palette = try paletteRow(id) else { return .known(PaletteState(id)) }
    if let since = palette.sinceMilliseconds, action.stamp.milliseconds < since {
      return .unknown(before: since)
    }
    let reading = try PastReading(of: palette, after: action, in: self)
    return .known(try reading.state(in: self))
  }

  /// The live values of a palette, and the dots among them that are covered.
  func liveMarks(
    of palette: PaletteRow
  ) throws(StoreError) -> (values: Set<ValueName>, covered: Set<ValueName>) {
    let streams = try StreamTable(of: palette, in: self)
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

  /// Decodes a change row.
  func decode(_ bytes: [UInt8], in palette: PaletteID) throws(StoreError) -> Change {
    do {
      return try Change(decoding: bytes, in: palette)
    } catch {
      throw StoreError(code: .corrupt, message: "a stored change is damaged: \(error)")
    }
  }

  /// Lends every change row of a palette, author by author.
  package func forEachChange(
    of id: PaletteID,
    _ body: (_ arrival: Int64, _ bytes: [UInt8]) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard let palette = try paletteRow(id) else { return }
    let select = try box(.changeRows)
    for stream in try StreamTable(of: palette, in: self).all.sorted(by: { $0.node < $1.node }) {
      try select.statement.bind(stream.changeNumber(0), at: 1)
      try select.statement.bind(stream.changeNumber(.max), at: 2)
      try select.statement.rows { row throws(StoreError) in
        let dot = Dot(stream.node, UInt32(truncatingIfNeeded: row.int64(0)))
        try body(row.int64(1), row.changeBytes(2, of: dot))
      }
    }
  }

  /// The changes that are held of some records, author by author.
  package func changes(
    of records: Set<RecordID>,
    in id: PaletteID
  ) throws(StoreError) -> [RecordID: [Change]] {
    var changes: [RecordID: [Change]] = [:]
    try forEachChange(of: id) { _, bytes throws(StoreError) in
      let change = try decode(bytes, in: id)
      if records.contains(change.record) { changes[change.record, default: []].append(change) }
    }
    return changes
  }

  /// Before which time, in milliseconds since 1970, the past of a palette is not known; nil when all
  /// of it is.
  public func historySince(of id: PaletteID) throws(StoreError) -> Int64? {
    try paletteRow(id)?.sinceMilliseconds
  }

  /// The numbers up to which rows of authors may be missing; only authors of whom some may be.
  public func floors(of id: PaletteID) throws(StoreError) -> [NodeID: UInt32] {
    guard let palette = try paletteRow(id) else { return [:] }
    var floors: [NodeID: UInt32] = [:]
    for stream in try StreamTable(of: palette, in: self).all where stream.floor > 0 {
      floors[stream.node] = stream.floor
    }
    return floors
  }

  /// Some rows of an author, from a number on.
  ///
  /// - Parameters:
  ///   - id: The palette.
  ///   - node: The author.
  ///   - numbers: Of which changes.
  ///   - byteLimit: How many bytes are enough.
  /// - Returns: The first of these rows that are here.
  /// - Throws: `StoreError` when the store failed.
  public func oldHistory(
    of id: PaletteID,
    by node: NodeID,
    _ numbers: ClosedRange<UInt32>,
    byteLimit: Int
  ) throws(StoreError) -> HistoryPart {
    var part = HistoryPart(last: numbers.upperBound, sinceMilliseconds: nil, changes: [])
    guard let palette = try paletteRow(id),
      let stream = try StreamTable(of: palette, in: self)[node]
    else {
      // Whoever has never heard of an author knows nothing of its past.
      part.sinceMilliseconds = .max
      return part
    }
    part.sinceMilliseconds = palette.sinceMilliseconds
    let select = try box(.nextChangeRows)
    try select.statement.bind(stream.changeNumber(numbers.lowerBound), at: 1)
    try select.statement.bind(stream.changeNumber(numbers.upperBound), at: 2)
    try select.statement.bind(Int64(max(1, byteLimit / 64)), at: 3)
    var rows: [(sequence: UInt32, bytes: [UInt8])] = []
    try select.statement.rows { row in
      let sequence = UInt32(truncatingIfNeeded: row.int64(0))
      rows.append((sequence, row.changeBytes(2, of: Dot(node, sequence))))
    }
    var size = 0
    let taken = rows.prefix { row in
      defer { size += row.bytes.count }
      return size + row.bytes.count <= byteLimit || size == 0
    }
    part.changes = taken.map(\.bytes)
    let isWhole = taken.count == rows.count && rows.count < max(1, byteLimit / 64)
    if !isWhole, let last = taken.last { part.last = last.sequence }
    return part
  }

  /// Takes rows into the log that were missing, without changing any state.
  ///
  /// - Parameters:
  ///   - parts: The rows of each author, by ascending numbers, all from one library.
  ///   - id: The palette.
  /// - Returns: Why they are not taken, and then nothing of them is; nil when they were.
  /// - Throws: `StoreError` when the store failed.
  public func mergeOldHistory(
    _ parts: [NodeID: HistoryPart],
    into id: PaletteID
  ) throws(StoreError) -> Refusal? {
    var refusal: Refusal?
    do throws(StoreError) {
      try write { transaction throws(StoreError) in
        refusal = try transaction.palette(id)?.mergeOldHistory(parts)
        if refusal != nil { throw StoreError(code: .failed, message: "the history was refused") }
      }
    } catch {
      guard refusal != nil else { throw error }
    }
    return refusal
  }
}

/// The answer to a question about the past.
public enum PastState: Sendable {
  /// The palette at that time.
  case known(PaletteState)
  /// History before this time, in milliseconds since 1970, was compacted away.
  case unknown(before: Int64)
}

/// Rows of one author that a library has, among those that another lacks.
public struct HistoryPart: Hashable, Sendable {
  /// Up to which number these are all the rows that the library has.
  public var last: UInt32
  /// Before which time, in milliseconds since 1970, the library knows no past; nil when it knows all.
  public var sinceMilliseconds: Int64?
  /// The rows, by ascending numbers; some may be missing in between.
  public var changes: [[UInt8]]

  /// Describes rows.
  public init(last: UInt32, sinceMilliseconds: Int64?, changes: [[UInt8]]) {
    self.last = last
    self.sinceMilliseconds = sinceMilliseconds
    self.changes = changes
  }
}

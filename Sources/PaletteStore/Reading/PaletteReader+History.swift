public import PaletteMerge
public import PaletteModel

extension PaletteReader {
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
    for stream in try streams(of: palette).all {
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
        let change = try ChangeRow.decode(select.statement.changeBytes(1, of: dot), in: id)
        if edits, try !isEdit(change, in: palette) { continue }
        newest.append(change)
      }
    }
    return newest.sorted
  }

  /// A change of a palette; nil when it is not held, or no longer.
  public func change(_ dot: Dot, of id: PaletteID) throws(StoreError) -> Change? {
    guard let palette = try paletteRow(id),
      let stream = try streams(of: palette)[dot.node]
    else { return nil }
    let select = try box(.newestChangeRows)
    try select.statement.bind(stream.changeNumber(dot.sequence), at: 1)
    try select.statement.bind(stream.changeNumber(dot.sequence), at: 2)
    return try select.statement.row { row throws(StoreError) in
      try ChangeRow.decode(row.changeBytes(1, of: dot), in: id)
    }
  }

  /// The changes that are held of some records, author by author.
  package func changes(
    of records: Set<RecordID>,
    in id: PaletteID
  ) throws(StoreError) -> [RecordID: [Change]] {
    var changes: [RecordID: [Change]] = [:]
    try forEachChange(of: id) { _, bytes throws(StoreError) in
      let change = try ChangeRow.decode(bytes, in: id)
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
  package func floors(of id: PaletteID) throws(StoreError) -> [NodeID: UInt32] {
    guard let palette = try paletteRow(id) else { return [:] }
    var floors: [NodeID: UInt32] = [:]
    for stream in try streams(of: palette).all where stream.floor > 0 {
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
  package func oldHistory(
    of id: PaletteID,
    by node: NodeID,
    _ numbers: ClosedRange<UInt32>,
    byteLimit: Int
  ) throws(StoreError) -> HistoryPart {
    var part = HistoryPart(last: numbers.upperBound, sinceMilliseconds: nil, changes: [])
    guard let palette = try paletteRow(id),
      let stream = try streams(of: palette)[node]
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
}

/// Rows of one author that a library has, among those that another lacks.
package struct HistoryPart: Hashable, Sendable {
  /// Up to which number these are all the rows that the library has.
  package var last: UInt32
  /// Before which time, in milliseconds since 1970, the library knows no past; nil when it knows all.
  package var sinceMilliseconds: Int64?
  /// The rows, by ascending numbers; some may be missing in between.
  package var changes: [[UInt8]]

  /// Describes rows.
  package init(last: UInt32, sinceMilliseconds: Int64?, changes: [[UInt8]]) {
    self.last = last
    self.sinceMilliseconds = sinceMilliseconds
    self.changes = changes
  }
}

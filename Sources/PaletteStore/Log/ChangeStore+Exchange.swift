public import PaletteModel

extension ChangeStore {
  /// The changes of a palette that a frontier lacks, in an order in which they can be merged.
  ///
  /// - Returns: The bytes of the changes; nil when some of them were compacted away here, so that
  ///   only a snapshot has what is lacking.
  public func changes(
    of id: PaletteID,
    after frontier: Frontier = [:]
  ) throws(StoreError) -> [[UInt8]]? {
    guard let palette = try paletteRow(id) else { return [] }
    var rows: [(arrival: Int64, bytes: [UInt8])] = []
    let select = try box(.changeRows)
    guard let lacking = try lacking(frontier, of: palette) else { return nil }
    for (node, numbers) in lacking {
      try select.statement.bind(numbers.lowerBound, at: 1)
      try select.statement.bind(numbers.upperBound, at: 2)
      try select.statement.rows { row in
        let dot = Dot(node, UInt32(truncatingIfNeeded: row.int64(0)))
        rows.append((row.int64(1), row.changeBytes(2, of: dot)))
      }
    }
    // Arrival is a causal order, and keeps every author's sequence.
    return rows.sorted { $0.arrival < $1.arrival }.map(\.bytes)
  }

  /// The next changes that a frontier lacks, in an order in which they can be merged.
  ///
  /// - Parameters:
  ///   - id: The palette.
  ///   - frontier: What is not lacking.
  ///   - byteLimit: How many bytes are enough; at least one change is given if one is lacking.
  /// - Returns: The number and bytes of changes; nil when some were compacted away here.
  /// - Throws: `StoreError` when the store failed.
  package func nextChanges(
    of id: PaletteID,
    after frontier: Frontier,
    byteLimit: Int
  ) throws(StoreError) -> ArraySlice<StoredChange>? {
    guard let palette = try paletteRow(id) else { return [] }
    var rows: [StoredChange] = []
    var bytes: [UInt8] = []
    // An author's rows beyond those read come after this arrival.
    var bound = Int64.max
    let select = try box(.nextChangeRows)
    let rowLimit = Int64(max(1, byteLimit / 64))
    guard let lacking = try lacking(frontier, of: palette) else { return nil }
    for (node, numbers) in lacking {
      try select.statement.bind(numbers.lowerBound, at: 1)
      try select.statement.bind(numbers.upperBound, at: 2)
      try select.statement.bind(rowLimit, at: 3)
      var count: Int64 = 0
      var last: Int64 = 0
      try select.statement.rows { row in
        count += 1
        last = row.int64(1)
        let dot = Dot(node, UInt32(truncatingIfNeeded: row.int64(0)))
        let start = bytes.count
        row.appendChangeBytes(2, of: dot, to: &bytes)
        let range = ChangeBytes(promising: start..<bytes.count)
        rows.append(StoredChange(dot: dot, arrival: last, bytes: range))
      }
      if count == rowLimit { bound = min(bound, last) }
    }
    // An author's own are in order already.
    if lacking.count > 1 { rows.sort { $0.arrival < $1.arrival } }
    var count = 0
    var size = 0
    while count < rows.count, rows[count].arrival <= bound, size < byteLimit {
      size += rows[count].bytes.count
      rows[count].bytes.come(to: bytes)
      count += 1
    }
    return rows[..<count]
  }

  /// The rows of changes that a frontier lacks, author by author; nil when some were compacted away.
  private func lacking(
    _ frontier: Frontier,
    of palette: PaletteRow
  ) throws(StoreError) -> [(node: NodeID, numbers: ClosedRange<Int64>)]? {
    var lacking: [(NodeID, ClosedRange<Int64>)] = []
    for stream in try StreamTable(of: palette, in: self).all {
      let held = frontier[stream.node]?.sequence ?? 0
      guard held < stream.held else { continue }
      if held < stream.floor { return nil }
      let numbers = stream.changeNumber(held) + 1...stream.changeNumber(stream.held)
      lacking.append((stream.node, numbers))
    }
    return lacking
  }

  /// The link of a change that is held; nil when it is not, or was compacted away.
  package func link(of dot: Dot, in id: PaletteID) throws(StoreError) -> UInt64? {
    guard let palette = try paletteRow(id) else { return nil }
    let streams = try StreamTable(of: palette, in: self)
    if let head = streams[dot.node]?.head, head.sequence == dot.sequence { return head.link }
    return try changeBytes(dot, streams).map { ChangeHash(of: $0, in: id).link }
  }

  /// Every palette of which something is held, with its digest.
  package func paletteDigests() throws(StoreError) -> [(palette: PaletteID, digest: Digest)] {
    var digests: [(PaletteID, Digest)] = []
    try box(.allPalettes).statement.rows { statement throws(StoreError) in
      let row = try PaletteRow(statement)
      if row.digest != .zero { digests.append((row.id, row.digest)) }
    }
    return digests
  }

  /// Every palette of which something is held in some buckets, with its digest.
  package func paletteDigests(
    inBuckets buckets: some Sequence<UInt8>
  ) throws(StoreError) -> [(palette: PaletteID, digest: Digest)] {
    var digests: [(PaletteID, Digest)] = []
    let select = try box(.digestsOfBucket)
    for bucket in buckets {
      try select.statement.bind([bucket], at: 1)
      try select.statement.rows { row throws(StoreError) in
        let digest = row.withBytes(1) { Digest($0) } ?? .zero
        if digest != .zero { digests.append((PaletteID(try row.recordID(0)), digest)) }
      }
    }
    return digests
  }

  /// Merges changes of a palette that came from elsewhere, in one durable step.
  ///
  /// - Returns: What became of each.
  @discardableResult
  public func merge(
    _ changes: [[UInt8]],
    into id: PaletteID
  ) throws(StoreError) -> [Arrival] {
    try write { transaction throws(StoreError) in
      try transaction.palette(beginning: id)
        .merge([changes.map { ArrivedChange(bytes: $0, in: id) }])
    }
  }
}

/// A change as the log holds it.
package struct StoredChange {
  /// The name of the change.
  package let dot: Dot
  /// When it came here, among the palette's changes.
  let arrival: Int64
  /// Its bytes.
  package fileprivate(set) var bytes: ChangeBytes
}

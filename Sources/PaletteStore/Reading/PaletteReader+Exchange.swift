public import PaletteMerge
public import PaletteModel

extension PaletteReader {
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
    for stream in try streams(of: palette).all {
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
    return try link(of: dot, streams(of: palette), in: id)
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

  /// A palette's whole state without its history; nil when nothing of it is held.
  public func snapshot(of id: PaletteID) throws(StoreError) -> Snapshot? {
    guard let palette = try paletteRow(id) else { return nil }
    let streams = try streams(of: palette)
    var live: [Dot: (registers: [Register], isCovered: Bool)] = [:]
    for record in try recordIDs(of: palette) {
      for value in try storedRecord(record, in: palette, streams).state.values {
        live[value.dot, default: ([], value.isCovered)].registers.append(value.register)
      }
    }
    var rows: [Snapshot.Row] = []
    for (dot, entry) in live.sorted(by: { $0.key < $1.key }) {
      guard let bytes = try changeBytes(dot, streams) else {
        throw StoreError(code: .corrupt, message: "the change of a live value is missing")
      }
      rows.append(Snapshot.Row(bytes: bytes, live: entry.registers, isCovered: entry.isCovered))
    }
    var wrote: [NodeID: UInt32] = [:]
    var dropped: [NodeID: UInt32] = [:]
    for stream in streams.all {
      if stream.wrote > 0 { wrote[stream.node] = stream.wrote }
      if stream.dropped > 0 { dropped[stream.node] = stream.dropped }
    }
    return Snapshot(
      frontier: streams.frontier,
      dropped: dropped,
      highestWrite: wrote,
      ahead: try ReferenceTable.all(of: palette, in: database),
      rows: rows
    )
  }

  /// The parts of a snapshot of a palette; nil if nothing of it is held.
  package func outline(of id: PaletteID) throws(StoreError) -> SnapshotOutline? {
    guard let palette = try paletteRow(id) else { return nil }
    let streams = try streams(of: palette)
    var outline = SnapshotOutline(
      frontier: streams.frontier,
      dropped: [:],
      highestWrite: [:],
      ahead: try ReferenceTable.all(of: palette, in: database)
    )
    for stream in streams.all {
      if stream.wrote > 0 { outline.highestWrite[stream.node] = stream.wrote }
      if stream.dropped > 0 { outline.dropped[stream.node] = stream.dropped }
    }
    var table = LiveTable(streams)
    var unknown: [Dot: [Register]] = [:]
    try readLive(palette, streams, into: &table, &unknown)
    try readSiblings(palette, streams, into: &table, &unknown)
    outline.unknown = unknown.mapValues { $0.sorted() }
    outline.rows = table.rows()
    return outline
  }

  private func readLive(
    _ palette: PaletteRow,
    _ streams: StreamTable,
    into table: inout LiveTable,
    _ unknown: inout [Dot: [Register]]
  ) throws(StoreError) {
    let select = try box(.liveDots)
    try select.statement.bind(palette.number, at: 1)
    try select.statement.rows { row throws(StoreError) in
      let flags = RecordFlags(rawValue: row.int64(0))
      for index in 0..<Register.knownCount {
        let number = row.int64(1 + Int32(index))
        guard number != 0 else { continue }
        let register = Register(knownIndex: index)
        table.insert(number, register.bit, isCovered: flags.contains(.covered(index)))
        if !register.isPacked {
          unknown[try streams.dot(ofValue: number), default: []].append(register)
        }
      }
    }
  }

  private func readSiblings(
    _ palette: PaletteRow,
    _ streams: StreamTable,
    into table: inout LiveTable,
    _ unknown: inout [Dot: [Register]]
  ) throws(StoreError) {
    let select = try box(.siblingDots)
    try select.statement.bind(palette.number, at: 1)
    try select.statement.rows { row throws(StoreError) in
      let register = Register(rawValue: UInt16(truncatingIfNeeded: row.int64(0)))
      let number = row.int64(1)
      table.insert(number, register.bit, isCovered: row.int64(2) != 0)
      if !register.isPacked {
        unknown[try streams.dot(ofValue: number), default: []].append(register)
      }
    }
  }

  /// Lends the bytes of changes, one after the other, for as long as `body` wants more.
  ///
  /// - Returns: Whether none that was wanted is gone.
  package func lend(
    _ rows: ArraySlice<SnapshotOutline.Row>,
    of id: PaletteID,
    to body: (UnsafeRawBufferPointer) -> Bool
  ) throws(StoreError) -> Bool {
    guard let palette = try paletteRow(id) else { return rows.isEmpty }
    let streams = try streams(of: palette)
    let select = try box(.changeBytes)
    defer { select.statement.reset() }
    var reached: Int64 = -1
    for row in rows {
      guard let number = streams.changeNumber(row.dot), let last = streams[row.dot.node]?.held
      else {
        return false
      }
      // Passing over a few rows costs less than looking one up.
      if reached < 0 || number <= reached || number - reached > 16 {
        select.statement.reset()
        try select.statement.bind(number, at: 1)
        try select.statement.bind(number - Int64(row.dot.sequence) + Int64(last), at: 2)
      }
      repeat {
        guard try select.statement.step() else { return false }
        reached = select.statement.int64(0)
      } while reached < number
      guard reached == number else { return false }
      let bytes = select.statement.changeBytes(1, of: row.dot)
      guard bytes.withUnsafeBytes(body) else { return true }
    }
    return true
  }
}

/// A change as the log holds it.
package struct StoredChange {
  /// The name of the change.
  package let dot: Dot
  /// The time of its arrival, among the palette's changes.
  let arrival: Int64
  /// Its bytes.
  package fileprivate(set) var bytes: ChangeBytes
}

/// The live values of changes.
///
/// Its size is that of what is live: a peer may state any sequence number, so none may be a size.
private struct LiveTable {
  /// A change with its live registers; the number sorts by author and sequence number.
  private struct Entry {
    let number: UInt64
    var bits: UInt8
  }

  private let nodes: [NodeID]
  private let held: [UInt32]
  private var slots: [Int64: Int] = [:]
  private var entries: [Entry] = []
  private var last: (stream: Int64, slot: Int) = (-1, 0)

  private static let isCovered: UInt8 = 0x80

  init(_ streams: StreamTable) {
    let sorted = streams.all.sorted { $0.node < $1.node }
    nodes = sorted.map(\.node)
    held = sorted.map(\.held)
    for (slot, stream) in sorted.enumerated() { slots[stream.number] = slot }
  }

  /// Notes the dot of a live value, as `StreamTable.valueNumber` has it.
  mutating func insert(_ number: Int64, _ register: UInt8, isCovered: Bool) {
    let isShort = number >> 32 == 0
    let stream = isShort ? number & 15 : number >> 32
    if stream != last.stream { last = (stream, slots[stream] ?? -1) }
    let sequence = UInt32(truncatingIfNeeded: isShort ? number >> 4 : number)
    guard last.slot >= 0, sequence <= held[last.slot] else { return }
    let number = UInt64(last.slot) << 32 | UInt64(sequence)
    let bits = register | (isCovered ? Self.isCovered : 0)
    // The values of a record mostly come from one change.
    if let index = entries.indices.last, entries[index].number == number {
      entries[index].bits |= bits
    } else {
      entries.append(Entry(number: number, bits: bits))
    }
  }

  /// The changes with a live value, each author's in ascending order.
  func rows() -> [SnapshotOutline.Row] {
    var sorted = entries
    sorted.sort { $0.number < $1.number }
    var rows: [SnapshotOutline.Row] = []
    rows.reserveCapacity(sorted.count)
    var index = 0
    while index < sorted.count {
      let number = sorted[index].number
      var bits: UInt8 = 0
      while index < sorted.count, sorted[index].number == number {
        bits |= sorted[index].bits
        index += 1
      }
      rows.append(
        SnapshotOutline.Row(
          Dot(nodes[Int(number >> 32)], UInt32(truncatingIfNeeded: number)),
          live: bits & 0x0F,
          isCovered: bits & Self.isCovered != 0
        )
      )
    }
    return rows
  }
}

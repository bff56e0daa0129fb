package import PaletteModel

extension ChangeStore {
  /// What a snapshot of a palette consists of; nil when nothing of it is held.
  package func outline(of id: PaletteID) throws(StoreError) -> SnapshotOutline? {
    guard let palette = try paletteRow(id) else { return nil }
    let streams = try StreamTable(of: palette, in: self)
    var outline = SnapshotOutline(
      frontier: streams.frontier,
      dropped: [:],
      highestWrite: [:],
      ahead: try pendingReferences(of: palette)
    )
    for stream in streams.all {
      if stream.wrote > 0 { outline.highestWrite[stream.node] = stream.wrote }
      if stream.dropped > 0 { outline.dropped[stream.node] = stream.dropped }
    }
    var table = LiveTable(streams)
    try readLive(palette, into: &table)
    outline.unknown = try readSiblings(palette, streams, into: &table)
    outline.rows = table.rows()
    return outline
  }

  private func readLive(_ palette: PaletteRow, into table: inout LiveTable) throws(StoreError) {
    let select = try box(.liveDots)
    try select.statement.bind(palette.number, at: 1)
    try select.statement.rows { row in
      let flags = row.int64(0)
      for column in Int32(1)...4 {
        let number = row.int64(column)
        guard number != 0 else { continue }
        let register = column - 1
        table.insert(number, 1 << UInt8(register), isCovered: flags >> Int64(register) & 1 != 0)
      }
    }
  }

  private func readSiblings(
    _ palette: PaletteRow,
    _ streams: StreamTable,
    into table: inout LiveTable
  ) throws(StoreError) -> [Dot: [Register]] {
    var unknown: [Dot: [Register]] = [:]
    let select = try box(.siblingDots)
    try select.statement.bind(palette.number, at: 1)
    try select.statement.rows { row throws(StoreError) in
      let register = Register(rawValue: UInt16(truncatingIfNeeded: row.int64(0)))
      let number = row.int64(1)
      table.insert(number, register.bit, isCovered: row.int64(2) != 0)
      if !register.isKnown {
        unknown[try streams.dot(ofValue: number), default: []].append(register)
      }
    }
    return unknown.mapValues { $0.sorted() }
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
    let streams = try StreamTable(of: palette, in: self)
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

/// Which values of which changes are live.
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
    sorted.sort(byNumber: \.number)
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

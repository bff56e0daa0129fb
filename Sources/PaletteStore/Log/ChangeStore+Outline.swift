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
      ahead: try aheadMarks(of: palette)
    )
    for stream in streams.all {
      if stream.wrote > 0 { outline.highestWrite[stream.node] = stream.wrote }
      if stream.dropped > 0 { outline.dropped[stream.node] = stream.dropped }
    }
    var table = LiveTable(streams)
    try readLive(palette, into: &table)
    outline.unknown = try readSiblings(palette, streams, into: &table)
    outline.rows = table.rows
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

/// Which values of which changes are live, by the changes' numbers: a byte for every sequence number.
private struct LiveTable {
  private let nodes: [NodeID]
  private var slots: [Int64: Int] = [:]
  private var bits: [[UInt8]] = []
  private var last: (stream: Int64, slot: Int) = (-1, 0)

  private static let isLive: UInt8 = 0x40
  private static let isCovered: UInt8 = 0x80

  init(_ streams: StreamTable) {
    let sorted = streams.all.sorted { $0.node < $1.node }
    nodes = sorted.map(\.node)
    for (slot, stream) in sorted.enumerated() {
      slots[stream.number] = slot
      bits.append([UInt8](repeating: 0, count: Int(stream.held) + 1))
    }
  }

  /// Notes the dot of a live value, as `StreamTable.valueNumber` has it.
  mutating func insert(_ number: Int64, _ register: UInt8, isCovered: Bool) {
    let isShort = number >> 32 == 0
    let stream = isShort ? number & 15 : number >> 32
    if stream != last.stream { last = (stream, slots[stream] ?? -1) }
    let sequence = isShort ? Int(number >> 4) : Int(UInt32(truncatingIfNeeded: number))
    guard last.slot >= 0, sequence < bits[last.slot].count else { return }
    bits[last.slot][sequence] |= register | Self.isLive | (isCovered ? Self.isCovered : 0)
  }

  /// The changes with a live value, each author's in ascending order.
  var rows: [SnapshotOutline.Row] {
    var rows: [SnapshotOutline.Row] = []
    rows.reserveCapacity(bits.reduce(0) { $0 + $1.count { $0 != 0 } })
    for (node, bits) in zip(nodes, bits) {
      for (sequence, byte) in bits.enumerated() where byte != 0 {
        rows.append(
          SnapshotOutline.Row(
            Dot(node, UInt32(sequence)),
            live: byte & 0x0F,
            isCovered: byte & Self.isCovered != 0
          )
        )
      }
    }
    return rows
  }
}

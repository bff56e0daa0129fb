/// Puts the changes of a snapshot together again, part by part, and checks each.
package struct SnapshotUnpacker: Hashable, Sendable {
  private var staged: StagedSnapshot
  private var unpacker: RowUnpacker
  private var check: SnapshotRowCheck

  private let headBytes: Int

  /// How many bytes are held of it, more or less: its changes, what is noted of each, and its head.
  package var byteCount: Int {
    unpacker.byteCount + staged.rows.count * MemoryLayout<StagedSnapshot.Row>.stride + headBytes
  }

  /// The most bytes that all changes may have.
  package static let byteLimit = 256 << 20

  /// Begins a snapshot of a palette, whose rows are still to come.
  package init(head: Snapshot, palette: PaletteID) {
    check = SnapshotRowCheck(head.frontier)
    staged = StagedSnapshot(head: head, authors: check.authors)
    let numbers = head.frontier.count + head.dropped.count + head.highestWrite.count
    headBytes =
      numbers * MemoryLayout<(NodeID, StreamHead)>.stride
      + head.ahead.count * MemoryLayout<PendingReference>.stride
    unpacker = RowUnpacker(authors: staged.authors, palette: palette, byteLimit: Self.byteLimit)
  }

  /// The whole snapshot, after the last part.
  ///
  /// - Throws: `MalformedPacking` when a record was sent as new twice.
  package mutating func finish() throws(MalformedPacking) -> StagedSnapshot {
    staged.bytes = unpacker.removeBytes()
    staged.records = unpacker.records
    let records = staged.records
    staged.order = (0..<UInt32(records.count)).sorted { records[Int($0)] < records[Int($1)] }
    for (one, other) in zip(staged.order, staged.order.dropFirst()) {
      guard records[Int(one)] != records[Int(other)] else {
        throw MalformedPacking("a record is new twice")
      }
    }
    return staged
  }

  /// Takes in a part.
  ///
  /// - Throws: `MalformedPacking` when it is none; the snapshot is of no more use then.
  package mutating func add(_ rows: PackedRows) throws(MalformedPacking) {
    try rows.read { columns in
      for _ in 0..<rows.count { try append(try unpacker.next(&columns)) }
    }
  }

  /// Notes a change that was put together.
  private mutating func append(_ row: RowUnpacker.Row) throws(MalformedPacking) {
    do {
      try check.add(
        author: Int(row.author),
        row.sequence,
        link: row.hash.link,
        written: row.shape.written,
        live: row.shape.live,
        unknownWritten: row.unknownWritten,
        unknownLive: row.unknown
      )
    } catch {
      throw MalformedPacking("\(error)")
    }
    if !row.unknown.isEmpty { staged.unknown[staged.rows.count] = row.unknown }
    staged.rows.append(
      .init(
        hash: row.hash,
        offset: UInt32(row.offset),
        count: UInt16(row.count),
        body: UInt16(row.body),
        author: row.author,
        sequence: row.sequence,
        record: row.record,
        written: row.shape.written,
        live: row.shape.live,
        isCovered: row.shape.isCovered
      )
    )
  }
}

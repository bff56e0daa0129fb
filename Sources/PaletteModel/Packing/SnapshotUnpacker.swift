/// Puts the changes of a snapshot together again, part by part, and checks each.
package struct SnapshotUnpacker: Hashable, Sendable {
  private var staged: StagedSnapshot
  private var unpacker: RowUnpacker
  /// The last sequence number of each author.
  private var reached: [UInt32]

  /// How many bytes all changes so far have.
  package var byteCount: Int { unpacker.byteCount }

  /// The most bytes that all changes may have.
  package static let byteLimit = 256 << 20

  /// Begins a snapshot of a palette, whose rows are still to come.
  package init(head: Snapshot, palette: PaletteID) {
    staged = StagedSnapshot(head: head)
    unpacker = RowUnpacker(authors: staged.authors, palette: palette, byteLimit: Self.byteLimit)
    reached = [UInt32](repeating: 0, count: staged.authors.count)
  }

  /// The whole snapshot, after the last part.
  ///
  /// - Throws: `MalformedPacking` when a record was sent as new twice.
  package mutating func finish() throws(MalformedPacking) -> StagedSnapshot {
    staged.bytes = unpacker.takeBytes()
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
      for _ in 0..<rows.count { try note(try unpacker.next(&columns)) }
    }
  }

  /// Notes a change that was put together.
  private mutating func note(_ row: RowUnpacker.Row) throws(MalformedPacking) {
    try checkPosition(row)
    if !row.unknown.isEmpty { staged.unknown[staged.rows.count] = row.unknown }
    guard row.shape.live & ~row.shape.written == 0, row.shape.live != 0 || !row.unknown.isEmpty
    else { throw MalformedPacking("a row has no live value") }
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

  /// Each author's rows ascend, up to what the frontier says is held.
  private mutating func checkPosition(_ row: RowUnpacker.Row) throws(MalformedPacking) {
    let author = Int(row.author)
    guard row.sequence > reached[author],
      let tip = staged.head.frontier[staged.authors[author]], row.sequence <= tip.sequence,
      row.sequence < tip.sequence || row.hash.link == tip.link
    else { throw MalformedPacking("a row is not within the frontier") }
    reached[author] = row.sequence
  }
}

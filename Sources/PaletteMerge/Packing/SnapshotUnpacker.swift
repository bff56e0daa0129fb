package import PaletteModel

/// Puts the changes of a snapshot together again, part by part, and checks each.
package struct SnapshotUnpacker: Hashable, Sendable {
  private var staged: StagedSnapshot
  private var unpacker: RowUnpacker
  private var check: SnapshotRowCheck

  private let headBytes: Int

  /// The number of bytes that are held of it, more or less: its changes, what is noted of each, and
  /// its head.
  package var byteCount: Int {
    unpacker.byteCount + staged.changes.rows.count * MemoryLayout<StagedChanges.Row>.stride
      + headBytes
  }

  /// The most bytes that all changes may have.
  package static let byteLimit = 256 << 20

  /// Begins a snapshot of a palette, whose rows are still to come.
  package init(head: Snapshot, palette: PaletteID) {
    check = SnapshotRowCheck(head.frontier)
    staged = StagedSnapshot(head: head, changes: StagedChanges(authors: check.authors))
    let numbers = head.frontier.count + head.dropped.count + head.highestWrite.count
    headBytes =
      numbers * MemoryLayout<(NodeID, StreamHead)>.stride
      + head.ahead.count * MemoryLayout<PendingReference>.stride
    unpacker = RowUnpacker(authors: check.authors, palette: palette, byteLimit: Self.byteLimit)
  }

  /// The whole snapshot, after the last part.
  ///
  /// - Throws: `MalformedPacking` when a record was sent as new twice.
  package mutating func finish() throws(MalformedPacking) -> StagedSnapshot {
    staged.changes.bytes = unpacker.removeBytes()
    staged.changes.records = unpacker.records
    guard staged.changes.sortRecords() else { throw MalformedPacking("a record is new twice") }
    return staged
  }

  /// Takes in a part.
  ///
  /// - Throws: `MalformedPacking` when it is none; the snapshot cannot be used after that.
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
    if !row.unknown.isEmpty { staged.changes.unknown[staged.changes.rows.count] = row.unknown }
    let live = row.shape.live
    let staged = StagedChanges.Row(row, live: live, isCovered: row.shape.isCovered)
    self.staged.changes.rows.append(staged)
  }
}

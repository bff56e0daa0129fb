package import PaletteModel

/// A snapshot that has arrived and is to be merged.
public struct StagedSnapshot: Hashable, Sendable {
  /// All but the rows.
  package let head: Snapshot
  /// The rows.
  package var changes: StagedChanges

  /// The frontier of each author's changes.
  public var frontier: Frontier { head.frontier }
}

/// Changes of a palette that have arrived, all in one buffer: of each is known what is where, and none
/// is taken apart.
package struct StagedChanges: Hashable, Sendable {
  /// The bytes of the changes, and perhaps of others.
  package var bytes: [UInt8] = []
  /// The rows, each with its place.
  package var rows: [Row] = []
  /// The records, in the order of their first rows.
  package var records: [RecordID] = []
  /// The numbers of the records, in the order of their ids.
  package var order: [UInt32] = []
  /// The authors by number.
  package var authors: [NodeID]
  /// The live registers that packed rows do not know, of the rows that have some.
  package var unknown: [Int: [Register]] = [:]

  /// A change of which at least one value is live, if it is of a snapshot.
  package struct Row: Hashable, Sendable {
    /// The hash of the change.
    package let hash: ChangeHash
    /// The time of its making.
    package let stamp: Stamp
    /// The offset of its bytes.
    package let offset: UInt32
    /// The number of bytes it has.
    package let count: UInt16
    /// The offset of its first value, from there.
    package let body: UInt16
    /// The number of its author.
    package let author: UInt32
    /// Its sequence number.
    package let sequence: UInt32
    /// The number of its record.
    package let record: UInt32
    /// A bit for each packed register that is written.
    package let written: UInt8
    /// A bit for each packed register whose value is live.
    package let live: UInt8
    /// True when a delete saw the change.
    package let isCovered: Bool
  }

  init(authors: [NodeID]) {
    self.authors = authors
  }

  /// Puts the records in order.
  ///
  /// - Returns: Whether each is there once.
  mutating func sortRecords() -> Bool {
    let records = records
    order = (0..<UInt32(records.count)).sorted { records[Int($0)] < records[Int($1)] }
    return zip(order, order.dropFirst()).allSatisfy { records[Int($0)] != records[Int($1)] }
  }

  /// The name of a row's change.
  package func dot(of row: Row) -> Dot { Dot(authors[Int(row.author)], row.sequence) }
}

extension StagedChanges {
  /// The changes one by one.
  func arrived(in palette: PaletteID) -> [ArrivedChange] {
    rows.map { row in
      ArrivedChange(bytes: Array(bytes[row.range]), announcedAs: dot(of: row), in: palette)
    }
  }
}

extension StagedChanges.Row {
  /// Creates the facts of a change that was put together.
  init(_ row: RowUnpacker.Row, live: UInt8, isCovered: Bool) {
    self.init(
      hash: row.hash,
      stamp: row.stamp,
      offset: UInt32(row.offset),
      count: UInt16(row.count),
      body: UInt16(row.body),
      author: row.author,
      sequence: row.sequence,
      record: row.record,
      written: row.shape.written,
      live: live,
      isCovered: isCovered
    )
  }

  /// The range of its bytes.
  package var range: Range<Int> { Int(offset)..<Int(offset) + Int(count) }

  /// The value of each packed register that it writes, as one item, within the bytes of all rows.
  ///
  /// Of a row that writes others too they are those of the first registers.
  package func values(
    in bytes: UnsafeRawBufferPointer
  ) -> Register.PerPacked<UnsafeRawBufferPointer?> {
    var values = Register.PerPacked<UnsafeRawBufferPointer?>(repeating: nil)
    var start = Int(offset) + Int(body)
    let end = range.upperBound
    for index in values.indices where written >> UInt8(index) & 1 != 0 {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      let length = rest.lengthOfItem
      values[index] = UnsafeRawBufferPointer(rebasing: rest[..<length])
      start += length
    }
    return values
  }
}

extension UnsafeRawBufferPointer {
  /// The number of bytes the first item has; it was checked to be one.
  fileprivate var lengthOfItem: Int {
    guard let head = first else { return 0 }
    let short = Int(head & 31)
    let headBytes = short < 24 ? 1 : 1 + 1 << (short - 24)
    guard head >> 5 != 2, head >> 5 != 3 else {
      var length = short < 24 ? short : 0
      for index in 1..<headBytes { length = length << 8 | Int(self[index]) }
      return Swift.min(count, headBytes + length)
    }
    // A color of another space; anything else has no place among known registers.
    var reader = CBORReader(self)
    return (try? reader.readItem().count) ?? count
  }
}

extension Snapshot {
  /// The same snapshot, row by row.
  package init(_ staged: StagedSnapshot) {
    self = staged.head
    let staged = staged.changes
    rows = staged.rows.enumerated().map { index, row in
      let packed = Register.packed.filter { row.live & $0.bit != 0 }
      return Row(
        bytes: Array(staged.bytes[row.range]),
        live: packed + (staged.unknown[index] ?? []),
        isCovered: row.isCovered
      )
    }
  }
}

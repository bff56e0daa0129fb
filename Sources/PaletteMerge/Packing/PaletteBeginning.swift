internal import PaletteModel

/// Changes of a palette with which everything in it begins: each author's from the first on, and each
/// makes a record of its own.
///
/// That is what most palettes are when they come whole. Where nothing of the palette is held there is
/// nothing to compare such changes with, so they need not be taken apart.
package struct PaletteBeginning: Hashable, Sendable {
  /// The changes.
  package private(set) var changes: StagedChanges
  /// The last change of each author, with the author's number.
  package private(set) var heads: [Head] = []
  /// The number of bytes the changes have.
  package private(set) var byteCount = 0
  /// True if the changes are what they seemed to be.
  private(set) var isSound = true

  /// The last change of an author.
  package struct Head: Hashable, Sendable {
    /// The author's number.
    package let author: UInt32
    /// The change.
    package fileprivate(set) var last: StreamHead
  }

  /// The most authors: each is looked for among all of them.
  private static let authorLimit = 8

  init(by authors: [NodeID], reservingCapacity count: Int) {
    changes = StagedChanges(authors: authors)
    changes.rows.reserveCapacity(count)
  }

  /// The frontier of each author's changes.
  package var frontier: Frontier {
    var frontier: Frontier = [:]
    for head in heads { frontier[changes.authors[Int(head.author)]] = head.last }
    return frontier
  }

  /// Adds a change that makes a record.
  mutating func append(_ row: RowUnpacker.Row) {
    let written = row.shape.written
    byteCount += row.count
    changes.rows.append(StagedChanges.Row(row, live: written, isCovered: false))
    if isSound { isSound = goesOn(with: row) }
  }

  /// Moves an author's head to a change; false where that is not the next one.
  private mutating func goesOn(with row: RowUnpacker.Row) -> Bool {
    let head = StreamHead(sequence: row.sequence, link: row.hash.link)
    guard let index = heads.lastIndex(where: { $0.author == row.author }) else {
      guard row.sequence == 1, row.previous == 0, heads.count < Self.authorLimit else {
        return false
      }
      heads.append(Head(author: row.author, last: head))
      return true
    }
    let last = heads[index].last
    guard row.sequence == last.sequence + 1, row.previous == last.link else { return false }
    heads[index].last = head
    return true
  }

  /// Brings the records that the changes make, in order.
  mutating func bring(_ records: [RecordID]) {
    changes.records = records
    if records.count != changes.rows.count || !changes.sortRecords() { isSound = false }
  }

  /// Brings the bytes, among which those of the changes lie.
  mutating func bring(_ bytes: [UInt8]) { changes.bytes = bytes }
}

/// Writes to a write-ahead log that were not handed on yet, as one run of bytes.
///
/// SQLite writes each page of a transaction in two pieces. They follow one another, and nobody looks
/// for them before the transaction is complete, so they go to the file together. A write that does not
/// continue the last one ends the run.
package struct GatheredWrites {
  /// The longest run: SQLite's own file system writes at most 2^17 - 1 bytes at once, and takes a
  /// multiple of 2^17 for nothing at all.
  package static let limit = 96 << 10
  /// The length of what SQLite writes before each page.
  private static let headerBytes = 24

  /// The outcome of a write.
  package enum Outcome {
    /// It waits with what was there.
    case waits
    /// It completes a transaction: what waits has to be written now.
    case completes
    /// It has to be made by itself, once nothing waits.
    case standsAlone
    /// It cannot be made: its transaction has lost writes already.
    case isLost
  }

  /// The bytes that wait.
  package private(set) var bytes: [UInt8] = []
  /// The end of the last write, waiting or not; nil if it is not known.
  private var end: Int?
  /// True if the page that comes next completes its transaction.
  private var isLastPage = false
  /// The place of lost writes of a transaction that is to be rolled back; nil if there were none.
  private var lost: Int?

  /// Begins before the first write.
  package init() {}

  /// The place to which the waiting bytes belong.
  package var start: Int { (end ?? 0) - bytes.count }

  /// Appends a write that continues the last one.
  package mutating func append(_ piece: UnsafeRawBufferPointer, at offset: Int) -> Outcome {
    if let lost {
      // The next transaction begins no later than the one that lost something.
      if offset > lost { return .isLost }
      self.lost = nil
    }
    let completes = isLastPage
    isLastPage = Self.isLastHeader(piece)
    guard offset == end, bytes.count + piece.count <= Self.limit else { return .standsAlone }
    if bytes.isEmpty { bytes.reserveCapacity(Self.limit / 4) }
    bytes.append(contentsOf: piece)
    end = offset + piece.count
    return completes ? .completes : .waits
  }

  /// Returns whether a part of what waits is asked for.
  package func holds(_ range: Range<Int>) -> Bool {
    !bytes.isEmpty && range.overlaps(start..<start + bytes.count)
  }

  /// A header tells how large the database is after the transaction, but 0 before its last page.
  private static func isLastHeader(_ piece: UnsafeRawBufferPointer) -> Bool {
    piece.count == headerBytes && piece[4..<8].contains { $0 != 0 }
  }

  /// Notes where a write ended that was made by itself; nil if it failed.
  package mutating func continues(at end: Int?) { self.end = end }

  /// Forgets what waits, after it was written.
  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Forgets what waits, which could not be written: SQLite rolls its transaction back, and what would
  /// come next of it must not stand behind a gap.
  package mutating func lose() {
    lost = start
    end = nil
    isLastPage = false
    removeAll()
  }
}

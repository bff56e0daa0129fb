import PaletteModel

/// The numbers of the rows of palettes and of streams that a transaction inserts when it ends.
///
/// A row is written once that way, when all of it is known. Having SQLite choose a number and tell it
/// would cost more than the row: `RETURNING` makes a table of its own each time.
final class RowNumbers {
  private let database: StoreDatabase
  /// The last numbers that are taken, once they were looked at.
  private var lastPalette: Int64?
  private var lastStream: Int64?
  /// The streams' numbers that were given.
  private var given: Set<Int64> = []

  init(_ database: StoreDatabase) {
    self.database = database
  }

  /// A number for a palette.
  func nextPalette() throws(StoreError) -> Int64 {
    if lastPalette == nil { lastPalette = try last(.lastPalette) }
    let next = (lastPalette ?? 0) + 1
    lastPalette = next
    return next
  }

  /// A number for a stream.
  ///
  /// - Parameters:
  ///   - first: The number that it should lie just before, if that is free.
  ///   - skipped: How many numbers to leave free otherwise.
  /// - Returns: The number.
  /// - Throws: `StoreError` when the store failed.
  func nextStream(before first: Int64?, skipping skipped: Int64) throws(StoreError) -> Int64 {
    if let first, first > 1, !given.contains(first - 1), try !hasStream(first - 1) {
      given.insert(first - 1)
      return first - 1
    }
    if lastStream == nil { lastStream = try last(.lastStream) }
    let next = (lastStream ?? 0) + 1 + skipped
    lastStream = next
    given.insert(next)
    return next
  }

  private func last(_ query: Query) throws(StoreError) -> Int64 {
    try database.box(query).statement.row { $0.int64(0) } ?? 0
  }

  private func hasStream(_ number: Int64) throws(StoreError) -> Bool {
    let select = try database.box(.hasStream)
    try select.statement.bind(number, at: 1)
    return try select.statement.row { $0.int64(0) } != nil
  }
}

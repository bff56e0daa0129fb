import Synchronization

/// A statement that runs often: each connection prepares it once, when it is first needed.
///
/// Every statement stands beside the table that it reads or writes.
struct Query: Sendable {
  /// The place of its prepared statement among those of a connection.
  let number: Int
  let sql: String

  /// Creates a statement; made once a process, since its number is never given again.
  init(_ sql: String) {
    number = Self.count.add(1, ordering: .relaxed).oldValue
    self.sql = sql
  }

  private static let count = Atomic(0)
}

extension Query {
  /// The number of rows that a statement about many rows inserts: its beginning and end cost as much as a
  /// row.
  ///
  /// Such statements say FAIL where they can: a transaction with one that failed is taken back, so
  /// SQLite need not copy each page to be able to take back the statement alone.
  static let rowsAtOnce = 16
  /// The number of rows that are inserted at once where there are fewer: most palettes have some
  /// twenty.
  static let fewRows = 4

  /// The number of some rows the next statement inserts.
  static func rowsAtOnce(of count: Int) -> Int {
    count >= rowsAtOnce ? rowsAtOnce : count >= fewRows ? fewRows : 1
  }

  /// The one of three statements that inserts so many rows.
  static func inserting(_ count: Int, _ one: Query, _ few: Query, _ many: Query) -> Query {
    count == 1 ? one : count == fewRows ? few : many
  }

  /// The parameters of a row of an insertion, by number; those of row 0 begin with `?1`.
  static func row(_ row: Int = 0, of count: Int) -> String {
    "(" + (1...count).map { "?\(row * count + $0)" }.joined(separator: ", ") + ")"
  }

  /// The parameters of some rows.
  static func rows(of count: Int, _ rows: Int = rowsAtOnce) -> String {
    (0..<rows).map { row($0, of: count) }.joined(separator: ", ")
  }
}

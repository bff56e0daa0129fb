/// The names in SQL of the functions by which statements walk through the table of records.
enum RecordFunction {
  /// True if to stop at a record; see `RecordFilter`.
  static let isAsked = "hued_asked"
  /// True if a record has a new row; see `RecordFeed`.
  static let isFed = "hued_fed"
  /// The flags of a record's new row.
  static let fedFlags = "hued_fed_flags"
  /// A cell of the row whose flags were given last, numbered as the columns are.
  static let fedCell = "hued_fed_cell"
}

/// The value of the column for a live value's dot, in SQL; see `StreamTable.valueNumber`.
enum ValueNumber {
  /// The stream's number.
  static func stream(ofValue column: String) -> String {
    "iif(\(column) >> 32 = 0, \(column) & 15, \(column) >> 32)"
  }

  /// The sequence number.
  static func sequence(ofValue column: String) -> String {
    "iif(\(column) >> 32 = 0, \(column) >> 4, \(column) & 4294967295)"
  }
}

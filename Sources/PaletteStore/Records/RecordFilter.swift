import CSQLite
import PaletteModel

/// The row at which a statement that walks through the table of records stops.
///
/// It stops at records that were asked for, and where none of them came for a while, so that it does
/// not go on for long where looking for the next one takes less. To pass a row by takes SQLite a
/// third of what giving it does.
final class RecordFilter {
  private var asked = UnsafeBufferPointer<RecordID>(start: nil, count: 0)
  /// The first of them that the walk has not passed yet.
  private var position = 0
  private var patience = 0
  /// The number of rows that were passed by since the last stop.
  private var passed = 0

  /// Lends the ids of records that are asked for, each once and in ascending order.
  ///
  /// - Parameters:
  ///   - asked: The ids; statements begin at them, and never at a lower one than before.
  ///   - patience: How many other rows are passed by.
  ///   - body: What runs statements.
  /// - Throws: What `body` throws.
  func lend(
    _ asked: [RecordID],
    patience: Int,
    _ body: () throws(StoreError) -> Void
  ) throws(StoreError) {
    try asked.withUnsafeBufferPointer { (ids) throws(StoreError) in
      (self.asked, self.patience) = (ids, patience)
      defer {
        self.asked = UnsafeBufferPointer(start: nil, count: 0)
        (position, passed) = (0, 0)
      }
      try body()
    }
  }

  /// Makes the function known to a connection, which keeps the filter as long as it lasts.
  func register(on connection: borrowing DatabaseConnection) throws(StoreError) {
    try connection.define(RecordFunction.isAsked, arguments: 1, for: self) {
      context,
      _,
      arguments in
      guard let owner = sqlite3_user_data(context), let arguments else { return }
      let filter = Unmanaged<RecordFilter>.fromOpaque(owner).takeUnretainedValue()
      sqlite3_result_int(context, filter.stops(at: arguments[0]) ? 1 : 0)
    }
  }

  private func stops(at value: OpaquePointer?) -> Bool {
    // Whoever reads a damaged id tells of it.
    guard let id = RecordID(value) else { return true }
    while position < asked.count, asked[position] < id { position += 1 }
    let isAsked = position < asked.count && asked[position] == id
    passed = isAsked || passed == patience ? 0 : passed + 1
    return passed == 0
  }
}

extension RecordID {
  /// The id that a value of SQLite is; nil when it is none.
  init?(_ value: OpaquePointer?) {
    guard let start = sqlite3_value_blob(value) else { return nil }
    self.init(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
  }
}

/// The functions that statements about many records call, made known to SQLite when one first runs.
final class RecordFunctions {
  private let database: StoreDatabase
  private var feed: RecordFeed?
  private var filter: RecordFilter?

  init(_ database: StoreDatabase) {
    self.database = database
  }

  /// The feed of rows for `Query.updateRecords`.
  func recordFeed() throws(StoreError) -> RecordFeed {
    if let feed { return feed }
    let new = RecordFeed()
    try new.register(on: database.connection)
    feed = new
    return new
  }

  /// The filter at which `Query.recordsFrom` stops.
  func recordFilter() throws(StoreError) -> RecordFilter {
    if let filter { return filter }
    let new = RecordFilter()
    try new.register(on: database.connection)
    filter = new
    return new
  }
}

/// The functions that statements about many records call, made known to SQLite when one first runs.
final class RecordFunctions {
  private let database: StoreDatabase
  private var feed: RecordFeed?
  private var filter: RecordFilter?

  init(_ database: StoreDatabase) {
    self.database = database
  }

  /// What lends rows to `Query.updateRecords`.
  func recordFeed() throws(StoreError) -> RecordFeed {
    if let feed { return feed }
    let new = RecordFeed()
    try new.register(on: database.connection)
    feed = new
    return new
  }

  /// What `Query.recordsFrom` stops at.
  func recordFilter() throws(StoreError) -> RecordFilter {
    if let filter { return filter }
    let new = RecordFilter()
    try new.register(on: database.connection)
    filter = new
    return new
  }
}

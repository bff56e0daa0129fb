import CSQLite
import PaletteMerge
import PaletteModel

/// The new rows of records, which SQLite asks for while one statement walks their table.
///
/// Where most rows of a stretch change, that takes half of what replacing each one does: SQLite
/// searches the table once for a row instead of three times, and takes nothing out of it.
///
/// The cells of a row are asked for in the order of their columns, the flags first, and only the
/// flags say of which row: to look for it at each cell would take longer than all the rest. Should
/// SQLite ever ask in another order, it gets an error, and the transaction is undone.
final class RecordFeed {
  private var rows = UnsafeBufferPointer<RecordRow>(start: nil, count: 0)
  private var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  /// The row that was asked for last; the next one asked for is this or one of the next.
  private var position = 0

  /// The cell that is to be asked for next; 0 while only flags may be.
  private var nextCell: Int32 = 0

  /// Lends rows in ascending order of ids while `body` runs.
  func lend(
    _ batch: borrowing RecordBatch,
    _ body: (UnsafeBufferPointer<RecordRow>) throws(StoreError) -> Void
  ) throws(StoreError) {
    try batch.withRows { (rows, bytes) throws(StoreError) in
      (self.rows, self.bytes) = (rows, bytes)
      defer {
        self.rows = UnsafeBufferPointer(start: nil, count: 0)
        self.bytes = UnsafeRawBufferPointer(start: nil, count: 0)
        (position, nextCell) = (0, 0)
      }
      try body(rows)
    }
  }

  /// Makes the functions known to a connection, which keeps the feed as long as it lasts.
  func register(on connection: borrowing DatabaseConnection) throws(StoreError) {
    try connection.define(RecordFunction.isFed, arguments: 1, for: self) { context, _, arguments in
      guard let feed = RecordFeed.of(context), let arguments else { return }
      sqlite3_result_int(context, feed.moves(to: arguments[0]) ? 1 : 0)
    }
    try connection.define(RecordFunction.fedFlags, arguments: 1, for: self) {
      context,
      _,
      arguments in
      guard let feed = RecordFeed.of(context), let arguments, feed.moves(to: arguments[0]) else {
        return
      }
      feed.nextCell = 1
      sqlite3_result_int64(context, feed.rows[feed.position].flags.rawValue)
    }
    try connection.define(RecordFunction.fedCell, arguments: 1, for: self) {
      context,
      _,
      arguments in
      guard let feed = RecordFeed.of(context), let arguments else { return }
      let column = sqlite3_value_int(arguments[0])
      guard column == feed.nextCell, feed.position < feed.rows.count else {
        return sqlite3_result_error(context, "the cells of a row are asked for out of order", -1)
      }
      feed.nextCell += 1
      feed.give(column, to: context)
    }
  }

  private static func of(_ context: OpaquePointer?) -> RecordFeed? {
    sqlite3_user_data(context).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }

  /// Moves to the row of the record that a value is the id of; false when there is none.
  private func moves(to value: OpaquePointer?) -> Bool {
    nextCell = 0
    guard let id = RecordID(value) else { return false }
    if position > 0, id <= rows[position - 1].id { position = 0 }
    while position < rows.count, rows[position].id < id { position += 1 }
    return position < rows.count && rows[position].id == id
  }

  /// Gives a cell of the present row, of a column behind the flags.
  private func give(_ column: Int32, to context: OpaquePointer?) {
    let (register, isDot) = RecordColumns.content(of: column)
    guard let index = register.knownIndex, let cell = rows[position].cells[index] else { return }
    if isDot { return sqlite3_result_int64(context, cell.dot) }
    let item = UnsafeRawBufferPointer(rebasing: bytes[cell.item])
    switch ColumnValue(item, of: register) {
    case .blob(let bytes):
      sqlite3_result_blob(context, bytes.baseAddress, Int32(bytes.count), nil)
    case .text(let text):
      let start = text.baseAddress?.assumingMemoryBound(to: CChar.self)
      sqlite3_result_text(context, start, Int32(text.count), nil)
    case .null:
      sqlite3_result_null(context)
    }
  }
}

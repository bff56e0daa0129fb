/// Looks whether palettes and their authors, as they are listed, are found by their ids.
///
/// SQLite does not see it when a value in an index changed by itself. A palette would then be held
/// and lacking at once: a peer's changes of it would never be enough. A library of many palettes is
/// looked at step by step, so that a node need not wait for it: 100,000 took more than a second.
package struct LookupCheck {
  /// The number of rows of a table that a step checks.
  private static let rowsAtOnce: Int64 = 2_000
  private static let tables = [
    (
      name: "palette",
      isLost: """
      listed.id IS NOT (SELECT found.id FROM palette AS found
        INDEXED BY sqlite_autoindex_palette_1 WHERE found.uuid = listed.uuid)
      """
    ),
    (
      name: "stream",
      isLost: """
      listed.id IS NOT (SELECT found.id FROM stream AS found
        INDEXED BY sqlite_autoindex_stream_1
        WHERE found.palette = listed.palette AND found.node = listed.node)
      """
    ),
  ]

  private var table = 0
  private var last: Int64 = 0

  /// Begins with nothing looked at.
  package init() {}

  /// True if everything was looked at.
  package var isDone: Bool { table == Self.tables.count }

  /// Looks at the next rows, at all of them where there are few.
  ///
  /// - Throws: `StoreError` with code `corrupt` where one is not found.
  package mutating func step(in store: ChangeStore) throws(StoreError) {
    while !isDone {
      let (name, isLost) = Self.tables[table]
      let newest =
        try store.database.prepare("SELECT max(id) FROM \(name)")
        .row { $0.int64(0) } ?? 0
      if newest <= Self.rowsAtOnce {
        let problem = try store.database.connection.integrityCheck(of: name).first
        if let problem { throw StoreError(code: .corrupt, message: problem).corrupt }
      } else {
        let first = last
        last += Self.rowsAtOnce
        let select = try store.database.prepare(
          "SELECT id FROM \(name) AS listed NOT INDEXED WHERE id > ?1 AND id <= ?2 AND \(isLost) LIMIT 1"
        )
        try select.bind(first, at: 1)
        try select.bind(last, at: 2)
        if let lost = try select.row({ $0.int64(0) }) {
          let message = "row \(lost) of the table \(name) is not found by its id"
          throw StoreError(code: .corrupt, message: message).corrupt
        }
        guard last >= newest else { return }
      }
      table += 1
      last = 0
    }
  }
}

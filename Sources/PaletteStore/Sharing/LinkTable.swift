package import PaletteModel

/// The palette files that are bound to palettes.
package final class LinkTable {
  private let database: StoreDatabase
  private let transactions: Transactions

  init(_ database: StoreDatabase, _ transactions: Transactions) {
    self.database = database
    self.transactions = transactions
  }

  /// The most files that a library links.
  package static let limit = 1_000

  /// The linked files, by path.
  ///
  /// - Parameter withBases: Whether what the files held last is read too, which may be long.
  /// - Returns: The links.
  /// - Throws: `StoreError` when the store failed.
  package func all(withBases: Bool = false) throws(StoreError) -> [StoredLink] {
    var links: [StoredLink] = []
    let select = try database.prepare(
      """
      SELECT file, palette, format, \(withBases ? "base" : "NULL"), state, error, target
      FROM link ORDER BY file
      """
    )
    try select.rows { row throws(StoreError) in
      links.append(
        StoredLink(
          file: row.text(0),
          target: row.text(6),
          palette: PaletteID(try row.recordID(1)),
          format: row.text(2),
          base: row.isNull(3) ? nil : row.bytes(3),
          // A word that damage left says nothing: it is found out again.
          state: StoredLink.State(rawValue: row.text(4)) ?? .paused,
          error: row.isNull(5) ? nil : row.text(5)
        )
      )
    }
    return links
  }

  /// Adds a link, or replaces the one of the same file.
  package func save(_ link: StoredLink) throws(StoreError) {
    try transactions.write { () throws(StoreError) in try insert(link) }
  }

  /// Records how a link stands, and leaves what its file held as it is.
  package func record(
    _ state: StoredLink.State,
    _ error: String?,
    ofLinked file: String
  ) throws(StoreError) {
    try transactions.write { () throws(StoreError) in
      let update = try database.prepare("UPDATE link SET state = ?2, error = ?3 WHERE file = ?1")
      try update.bind(file, at: 1)
      try update.bind(state.rawValue, at: 2)
      try update.bind(error, at: 3)
      try update.run()
    }
  }

  /// Forgets a link.
  ///
  /// - Returns: Whether there was one.
  package func remove(_ file: String) throws(StoreError) -> Bool {
    try transactions.write { () throws(StoreError) in
      let delete = try database.prepare("DELETE FROM link WHERE file = ?1 RETURNING 1")
      try delete.bind(file, at: 1)
      return try delete.row { $0.int64(0) } == 1
    }
  }

  /// Adds a link, or replaces the one of the same file, within a transaction.
  func insert(_ link: StoredLink) throws(StoreError) {
    let insert = try database.prepare(
      """
      INSERT OR REPLACE INTO link(file, palette, format, base, state, error, target)
      VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)
      """
    )
    try insert.bind(link.file, at: 1)
    try insert.bind(link.palette.record, at: 2)
    try insert.bind(link.format, at: 3)
    try insert.bind(link.base, at: 4)
    try insert.bind(link.state.rawValue, at: 5)
    try insert.bind(link.error, at: 6)
    try insert.bind(link.target, at: 7)
    try insert.run()
  }
}

/// A palette file that is bound to a palette.
package struct StoredLink: Hashable, Sendable {
  /// The state of a link: whether file and palette follow each other.
  package enum State: String, Sendable, CaseIterable {
    /// They do.
    case live
    /// They do not for now; by itself they will again.
    case paused
    /// The file is there and cannot be read as its format.
    case broken
  }

  /// The absolute path of the file, as it was given.
  package let file: String
  /// The file that the path led to when it was linked, without symbolic links on the way.
  package let target: String
  /// The palette.
  package let palette: PaletteID
  /// The name of the file's format.
  package let format: String
  /// The known versions of the file, encoded; nil before it was read or written.
  package var base: [UInt8]?
  /// The state of the link.
  package var state: State
  /// The reason why file and palette do not follow each other; nil while they do.
  package var error: String?

  /// Creates a link; its path is the file itself where no other target is given.
  package init(
    file: String,
    target: String? = nil,
    palette: PaletteID,
    format: String,
    base: [UInt8]? = nil,
    state: State = .live,
    error: String? = nil
  ) {
    self.file = file
    self.target = target ?? file
    self.palette = palette
    self.format = format
    self.base = base
    self.state = state
    self.error = error
  }
}

/// The rows of the table `meta`, which is part of the schema from version 1 on.
package struct MetaKey: Hashable, Sendable {
  /// The primary key of the row.
  package let name: String

  /// Names a row.
  package init(_ name: String) {
    self.name = name
  }

  /// The random number of the last opening for writing, which `opened` holds as well.
  static let nonce = MetaKey("opening.nonce")
  /// The place of the file at the last opening for writing.
  static let fileIdentity = MetaKey("opening.surroundings")

  /// The statement that makes the table; the first migration runs it.
  package static let tableSQL =
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID"
}

extension DatabaseConnection {
  /// The value of a row of `meta`.
  package func meta(_ key: MetaKey) throws(StoreError) -> [UInt8]? {
    let select = try prepare("SELECT value FROM meta WHERE key = ?1")
    try select.bind(key.name, at: 1)
    return try select.row { $0.bytes(0) }
  }

  /// Writes a row of `meta`.
  func setMeta(_ key: MetaKey, _ value: [UInt8]) throws(StoreError) {
    let insert = try prepare("INSERT OR REPLACE INTO meta(key, value) VALUES(?1, ?2)")
    try insert.bind(key.name, at: 1)
    try insert.bind(value, at: 2)
    try insert.run()
  }

  /// Removes a row of `meta`, if it is there.
  func removeMeta(_ key: MetaKey) throws(StoreError) {
    let delete = try prepare("DELETE FROM meta WHERE key = ?1")
    try delete.bind(key.name, at: 1)
    try delete.run()
  }
}

/// The rows of the table `meta`, which is part of the schema from version 1 on.
package struct MetaKey: Hashable, Sendable {
  /// The primary key of the row.
  package let name: String

  /// Names a row.
  package init(_ name: String) {
    self.name = name
  }

  /// The statements that make this table, and the one of `LocalKey`; the first migration runs them.
  package static let tableSQL = """
    CREATE TABLE meta(key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
    \(LocalKey.tableSQL)
    """
}

extension DatabaseConnection {
  /// The value of a row of `meta`.
  package func meta(_ key: MetaKey) throws(StoreError) -> [UInt8]? {
    try value(key.name, in: "meta")
  }

  /// Writes a row of `meta`.
  func setMeta(_ key: MetaKey, _ value: [UInt8]) throws(StoreError) {
    try setValue(key.name, in: "meta", value)
  }

  /// Removes a row of `meta`, if it is there.
  func removeMeta(_ key: MetaKey) throws(StoreError) {
    let delete = try prepare("DELETE FROM meta WHERE key = ?1")
    try delete.bind(key.name, at: 1)
    try delete.run()
  }
}

/// The rows of the table `local`: what is true of this file and not of its library.
struct LocalKey: Hashable {
  /// The primary key of the row.
  let name: String

  /// The random number of the last opening for writing, which `opened` holds as well.
  static let nonce = LocalKey(name: "opening.nonce")
  /// The place of the file at the last opening for writing.
  static let fileIdentity = LocalKey(name: "opening.surroundings")
  /// The newest entry of the library's log that the file holds; see `CachePosition`.
  static let position = LocalKey(name: "cache.position")

  /// The statement that makes the table.
  static let tableSQL =
    "CREATE TABLE local(key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID"
}

extension DatabaseConnection {
  /// The value of a row of `local`.
  func local(_ key: LocalKey) throws(StoreError) -> [UInt8]? { try value(key.name, in: "local") }

  /// Writes a row of `local`.
  func setLocal(_ key: LocalKey, _ value: [UInt8]) throws(StoreError) {
    try setValue(key.name, in: "local", value)
  }

  /// The value of a row of one of the two tables, which have the same columns.
  private func value(_ key: String, in table: String) throws(StoreError) -> [UInt8]? {
    let select = try prepare("SELECT value FROM \(table) WHERE key = ?1")
    try select.bind(key, at: 1)
    return try select.row { $0.bytes(0) }
  }

  private func setValue(
    _ key: String,
    in table: String,
    _ value: [UInt8]
  ) throws(StoreError) {
    let insert = try prepare("INSERT OR REPLACE INTO \(table)(key, value) VALUES(?1, ?2)")
    try insert.bind(key, at: 1)
    try insert.bind(value, at: 2)
    try insert.run()
  }
}

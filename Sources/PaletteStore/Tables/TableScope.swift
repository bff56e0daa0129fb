/// The part of the world that the rows of a table are about.
///
/// Each table of the schema has an answer: what a library's log records, every copy of it has, and what
/// it does not record each makes for itself.
enum TableScope {
  /// The library: its log records the table's changes, if it has a log.
  case recorded
  /// The file, or the machine that it is on.
  case local

  /// The answer of each table.
  static let tables: [String: TableScope] = [
    "action": .recorded,
    "ahead": .recorded,
    "binding": .recorded,
    "bucket": .recorded,
    "change": .recorded,
    "edit": .recorded,
    "granted": .recorded,
    "identity": .recorded,
    "link": .local,
    "local": .local,
    "member": .recorded,
    "memberStack": .recorded,
    "meta": .recorded,
    "moment": .recorded,
    "palette": .recorded,
    "peer": .local,
    "peerGrant": .local,
    "placed": .recorded,
    "record": .recorded,
    "removal": .recorded,
    "sibling": .recorded,
    "stated": .local,
    "stream": .recorded,
  ]

  /// Gives each table an answer that a log can keep: what is local stands apart, and no number of a
  /// member depends on a table of SQLite's own.
  static func migrate(_ connection: borrowing DatabaseConnection) throws(StoreError) {
    try connection.execute(
      """
      \(LocalKey.tableSQL);
      INSERT OR REPLACE INTO local SELECT key, value FROM meta
        WHERE substr(key, 1, \(LocalKey.opening.utf8.count)) = '\(LocalKey.opening)';
      DELETE FROM meta WHERE substr(key, 1, \(LocalKey.opening.utf8.count)) = '\(LocalKey.opening)';
      INSERT OR REPLACE INTO meta SELECT '\(MetaKey.lastMember.name)', CAST(id AS BLOB)
        FROM member ORDER BY id DESC LIMIT 1;
      """
    )
    // A table made by an earlier version 4.
    guard try connection.has(table: "sqlite_sequence") else { return }
    try connection.execute(
      """
      INSERT OR REPLACE INTO meta SELECT '\(MetaKey.lastMember.name)', CAST(seq AS BLOB)
        FROM sqlite_sequence WHERE name = 'member';
      CREATE TABLE counted(
        id INTEGER PRIMARY KEY, uid TEXT NOT NULL UNIQUE, name TEXT NOT NULL, kind TEXT NOT NULL,
        hash BLOB NOT NULL UNIQUE, library BLOB, node INTEGER, created INTEGER NOT NULL, seen INTEGER,
        written INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      INSERT INTO counted SELECT id, uid, name, kind, hash, library, node, created, seen, written
        FROM member;
      DROP TABLE member;
      ALTER TABLE counted RENAME TO member;
      CREATE INDEX memberByLibrary ON member(library) WHERE library NOT NULL;
      """
    )
  }
}

/// The tables of a library, one migration a version.
enum Schema {
  /// Every step from an empty file to the newest version.
  static let migrations = [
    Migration(version: 1) { connection throws(StoreError) in try connection.execute(version1) },
    Migration(version: 2) { connection throws(StoreError) in try connection.execute(version2) },
    Migration(version: 3) { connection throws(StoreError) in try connection.execute(version3) },
    Migration(version: 4) { connection throws(StoreError) in
      try connection.execute(version4Members)
      try connection.execute(version4Authors)
      try connection.execute(version4Hardening)
    },
    Migration(version: 5) { connection throws(StoreError) in
      try connection.execute(version5Directory)
      try LibrarySums.migrate(connection)
      try StreamRow.migrate(connection)
      try connection.execute(version5Links)
    },
  ]

  /// The newest version.
  static let version = 5

  /// Actions are found by their number alone: an index was one page more to write for every edit.
  private static let version3 = """
    CREATE TABLE numbered(
      id     INTEGER PRIMARY KEY,            -- the stack's base and a number, see ActionStack
      undone INTEGER NOT NULL DEFAULT 0,     -- 1 only above all that are not undone
      steps  BLOB NOT NULL                   -- see UndoStep
    ) STRICT;
    INSERT INTO numbered SELECT palette << 32 | row_number() OVER (PARTITION BY palette ORDER BY id),
      undone, steps FROM action;
    DROP TABLE action;
    ALTER TABLE numbered RENAME TO action;
    """

  /// Rows become shorter, as `ChangeRow` and `StreamTable.valueNumber` say; no column changes.
  private static let version2 = """
    UPDATE change SET bytes = substr(bytes, 3 + \(encodedCount("id & 4294967295"))
      + (SELECT \(encodedCount("node")) FROM stream WHERE stream.id = change.id >> 32));
    UPDATE record SET placeDot = \(valueNumber("placeDot")), colorDot = \(valueNumber("colorDot")),
      nameDot = \(valueNumber("nameDot")), noteDot = \(valueNumber("noteDot"));
    UPDATE sibling SET dot = \(valueNumber("dot"));
    """

  /// How many bytes an unsigned number has in deterministic CBOR; a negative one is beyond 2^63.
  private static func encodedCount(_ number: String) -> String {
    """
    (CASE WHEN (\(number)) < 0 OR (\(number)) > 4294967295 THEN 9 WHEN (\(number)) > 65535 THEN 5
     WHEN (\(number)) > 255 THEN 3 WHEN (\(number)) > 23 THEN 2 ELSE 1 END)
    """
  }

  private static func valueNumber(_ column: String) -> String {
    """
    CASE WHEN \(column) >> 32 < 16 AND (\(column) & 4294967295) < 268435456
     THEN ((\(column) & 4294967295) << 4) | (\(column) >> 32) ELSE \(column) END
    """
  }

  /// Comments say what is there in the newest version.
  private static let version1 = """
    \(MetaKey.tableSQL);

    -- Every node id that this library has had, see Identities; version 4 adds the author.
    CREATE TABLE identity(
      id   INTEGER PRIMARY KEY,
      node INTEGER NOT NULL UNIQUE           -- 64-bit node id, bit pattern
    ) STRICT;

    CREATE TABLE palette(
      id        INTEGER PRIMARY KEY CHECK(id BETWEEN 1 AND 2147483647),  -- never on the wire
      uuid      BLOB NOT NULL UNIQUE CHECK(length(uuid) = 16),
      colors    INTEGER NOT NULL DEFAULT 0,  -- listed colors
      conflicts INTEGER NOT NULL DEFAULT 0,  -- registers with different live values
      digest    BLOB NOT NULL,               -- 16 bytes
      arrivals  INTEGER NOT NULL DEFAULT 0,  -- changes committed so far: the next one's arrival
      last      BLOB,                        -- a place that no place here is behind
      since     INTEGER                      -- milliseconds before which the past cannot be read
    ) STRICT;

    -- One author in one palette; its row is the frontier's entry.
    CREATE TABLE stream(
      id      INTEGER PRIMARY KEY CHECK(id BETWEEN 1 AND 2147483647),
      palette INTEGER NOT NULL,
      node    INTEGER NOT NULL,
      held    INTEGER NOT NULL DEFAULT 0 CHECK(held BETWEEN 0 AND 4294967295),
      link    INTEGER NOT NULL DEFAULT 0,    -- of the change `held`
      wrote   INTEGER NOT NULL DEFAULT 0,    -- highest sequence of a change that writes registers
      dropped INTEGER NOT NULL DEFAULT 0,    -- join of the frontiers of drops
      floor   INTEGER NOT NULL DEFAULT 0,    -- up to here changes may have been compacted away
      UNIQUE(palette, node)
    ) STRICT;

    CREATE TABLE change(
      id      INTEGER PRIMARY KEY,           -- stream.id << 32 | sequence: the dot as one number
      arrival INTEGER NOT NULL,              -- order of commit here: a causal order
      bytes   BLOB NOT NULL                  -- as the author's node encoded them, see ChangeRow
    ) STRICT;

    -- What is shown of each record; the palette's own record has the palette's uuid.
    CREATE TABLE record(
      palette  INTEGER NOT NULL,
      uuid     BLOB NOT NULL CHECK(length(uuid) = 16),
      flags    INTEGER NOT NULL,             -- see RecordFlags
      place    BLOB, color BLOB, name TEXT, note TEXT,
      placeDot INTEGER, colorDot INTEGER, nameDot INTEGER, noteDot INTEGER,   -- valueNumber
      PRIMARY KEY(palette, uuid)
    ) STRICT, WITHOUT ROWID;

    -- Live values that are not shown: siblings, and registers that this version does not know.
    CREATE TABLE sibling(
      palette  INTEGER NOT NULL,
      uuid     BLOB NOT NULL,
      register INTEGER NOT NULL,
      dot      INTEGER NOT NULL,             -- see StreamTable.valueNumber
      covered  INTEGER NOT NULL,
      value    BLOB NOT NULL,
      PRIMARY KEY(palette, uuid, register, dot)
    ) STRICT, WITHOUT ROWID;

    -- Dots that a held change replaced or covered before they were held.
    CREATE TABLE ahead(
      palette  INTEGER NOT NULL,
      node     INTEGER NOT NULL,
      sequence INTEGER NOT NULL,
      uuid     BLOB NOT NULL,
      register INTEGER NOT NULL,             -- -1: covered
      PRIMARY KEY(palette, node, sequence, uuid, register)
    ) STRICT, WITHOUT ROWID;

    -- At most one row a minute: which arrivals a moment of local time had seen.
    CREATE TABLE moment(
      palette      INTEGER NOT NULL,
      arrival      INTEGER NOT NULL,         -- the first arrival committed at that time
      milliseconds INTEGER NOT NULL,
      PRIMARY KEY(palette, arrival)
    ) STRICT, WITHOUT ROWID;

    -- The undo stack: one row a user action. Version 3 makes it anew.
    CREATE TABLE action(
      id      INTEGER PRIMARY KEY,
      palette INTEGER NOT NULL,
      undone  INTEGER NOT NULL DEFAULT 0,
      steps   BLOB NOT NULL                  -- see UndoStep
    ) STRICT;
    CREATE INDEX actionByPalette ON action(palette, undone);

    -- Rights that this library granted. Version 4 has members and grants instead.
    CREATE TABLE token(
      id       INTEGER PRIMARY KEY,
      name     TEXT NOT NULL UNIQUE,         -- how commands call it
      hash     BLOB NOT NULL UNIQUE,         -- of the secret
      codeHash BLOB UNIQUE,                  -- of the join code that was redeemed for it
      role     TEXT NOT NULL,
      palette  BLOB,                         -- NULL: the whole library
      created  INTEGER NOT NULL,
      expires  INTEGER,
      isCode   INTEGER NOT NULL,             -- has to be redeemed by a library
      library  BLOB,                         -- that redeemed it
      node     INTEGER,                      -- that used it last
      seen     INTEGER,
      revoked  INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE tokenNode(
      node  INTEGER PRIMARY KEY,             -- a node id that said hello with the token
      token INTEGER NOT NULL
    ) STRICT;

    -- Peers that this library joined, and how much of its own changes they said to hold.
    -- Version 4 keeps role and palette apart.
    CREATE TABLE peer(
      id        INTEGER PRIMARY KEY,
      url       TEXT NOT NULL UNIQUE,
      addresses TEXT NOT NULL,               -- one a line
      pin       BLOB NOT NULL,
      secret    BLOB NOT NULL,
      role      TEXT NOT NULL,
      palette   BLOB,
      node      INTEGER,
      refusal   TEXT,
      acked     INTEGER
    ) STRICT;
    CREATE TABLE stated(
      peer     INTEGER NOT NULL,
      palette  BLOB NOT NULL,
      node     INTEGER NOT NULL,
      sequence INTEGER NOT NULL,
      PRIMARY KEY(peer, palette, node)
    ) STRICT, WITHOUT ROWID;
    """
}

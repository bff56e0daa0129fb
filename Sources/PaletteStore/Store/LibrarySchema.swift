/// The tables of a library, one migration a version.
enum LibrarySchema {
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
      try connection.execute(version5Ahead)
    },
    Migration(version: 6) { connection throws(StoreError) in try connection.execute(version6) },
    Migration(version: 7) { connection throws(StoreError) in try TableScope.migrate(connection) },
  ]

  /// The newest version.
  static let version = 7

  /// Actions on undo stacks have the names that their changes give them.
  private static let version6 = """
    ALTER TABLE action ADD COLUMN node INTEGER;    -- NULL for actions of before they had names
    ALTER TABLE action ADD COLUMN stamp INTEGER;
    """

  /// Actions are found by their number alone: an index was one page more to write for every edit.
  private static let version3 = """
    CREATE TABLE numbered(
      id     INTEGER PRIMARY KEY,            -- the stack's base and a number, see ActionStack
      undone INTEGER NOT NULL DEFAULT 0,     -- see ActionStack
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

  /// The number of bytes an unsigned number has in deterministic CBOR; a negative one is beyond
  /// 2^63.
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

    -- Dots that a held change replaced or covered before they were held. Version 5 makes it anew.
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

  /// Members edit through the library under node ids of their own, and undo what is their own.
  private static let version4Authors = """
    ALTER TABLE identity ADD COLUMN author INTEGER NOT NULL DEFAULT 0;   -- see AuthorID

    -- Whose names are shown beside changes.
    CREATE INDEX memberByLibrary ON member(library) WHERE library NOT NULL;

    -- The undo stacks of members; the library's own need no row. See ActionStack.
    CREATE TABLE memberStack(
      id      INTEGER PRIMARY KEY CHECK(id BETWEEN 1 AND 2147483647),
      palette INTEGER NOT NULL,
      author  INTEGER NOT NULL,
      UNIQUE(palette, author)
    ) STRICT;

    -- Edits that their makers named, in the order in which they were made.
    CREATE TABLE edit(
      number INTEGER PRIMARY KEY,
      author INTEGER NOT NULL,
      id     BLOB NOT NULL CHECK(length(id) = 16),
      at     INTEGER NOT NULL,               -- local time
      answer BLOB NOT NULL,                  -- empty: too long to be kept
      UNIQUE(author, id)
    ) STRICT;
    """

  /// The sums of palettes in their rows, and of the library beside them.
  private static let version5Directory = """
    ALTER TABLE palette ADD COLUMN title TEXT;                   -- NULL where it has no name
    ALTER TABLE palette ADD COLUMN dropped INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE palette ADD COLUMN placed INTEGER NOT NULL DEFAULT 0;    -- 1: see PlaceIndex
    UPDATE palette SET
      title = (SELECT record.name FROM record
        WHERE record.palette = palette.id AND record.uuid = palette.uuid),
      dropped = NOT EXISTS(SELECT 1 FROM stream
        WHERE stream.palette = palette.id AND stream.wrote > stream.dropped);
    CREATE INDEX paletteByTitle ON palette(dropped, title, uuid) WHERE title NOT NULL;
    CREATE INDEX paletteInConflict ON palette(id) WHERE conflicts > 0;
    CREATE INDEX paletteByBucket ON palette(substr(uuid, 16));

    ALTER TABLE stream ADD COLUMN peak INTEGER NOT NULL DEFAULT 0;    -- see StreamRow
    ALTER TABLE stream ADD COLUMN sorted INTEGER NOT NULL DEFAULT 0;

    -- The order of long lists of which positions were asked for.
    CREATE TABLE placed(
      palette INTEGER NOT NULL,
      place   BLOB NOT NULL,
      uuid    BLOB NOT NULL,
      PRIMARY KEY(palette, place, uuid)
    ) STRICT, WITHOUT ROWID;

    -- What the palettes amount to whose ids end with the same byte, see LibrarySums.
    CREATE TABLE bucket(
      id        INTEGER PRIMARY KEY CHECK(id BETWEEN 0 AND 255),
      digest    BLOB NOT NULL CHECK(length(digest) = 16),
      palettes  INTEGER NOT NULL,            -- those that are listed
      colors    INTEGER NOT NULL,            -- in those
      conflicts INTEGER NOT NULL,            -- in those
      changes   INTEGER NOT NULL             -- committed so far, in all
    ) STRICT;
    """

  /// The memory of what snapshots remove; rows that refused changes left behind go.
  private static let version4Hardening = """
    -- Records that a snapshot left without a name, color or place (a palette: a name), with what was
    -- shown of them before. Compaction removes them after the horizon.
    CREATE TABLE removal(
      palette INTEGER NOT NULL,
      uuid    BLOB NOT NULL CHECK(length(uuid) = 16),
      arrival INTEGER NOT NULL,              -- when, among the palette's arrivals
      listed  INTEGER NOT NULL,              -- 1 where the list, or that of palettes, showed it
      place   BLOB, color BLOB, name TEXT NOT NULL, note TEXT,
      PRIMARY KEY(palette, uuid)
    ) STRICT, WITHOUT ROWID;

    DELETE FROM palette WHERE arrivals = 0
      AND NOT EXISTS(SELECT 1 FROM stream WHERE stream.palette = palette.id)
      AND NOT EXISTS(SELECT 1 FROM ahead WHERE ahead.palette = palette.id);
    """

  /// The proofs in marks on changes that are not held.
  private static let version5Ahead = """
    DROP TABLE ahead;
    CREATE TABLE ahead(
      palette  INTEGER NOT NULL,
      node     INTEGER NOT NULL,
      sequence INTEGER NOT NULL,
      uuid     BLOB NOT NULL,
      effect   INTEGER NOT NULL,             -- the register replaced; -1: covered, -2: dropped
      proof    INTEGER NOT NULL,             -- the first four bytes of the hash that is meant
      PRIMARY KEY(palette, node, sequence, uuid, effect, proof)
    ) STRICT, WITHOUT ROWID;
    """

  /// Palette files that are bound to palettes.
  private static let version5Links = """
    CREATE TABLE link(
      file    TEXT PRIMARY KEY,              -- an absolute path
      target  TEXT NOT NULL,                 -- where it led, without symbolic links
      palette BLOB NOT NULL CHECK(length(palette) = 16),
      format  TEXT NOT NULL,
      base    BLOB,                          -- what the file held last, see StoredLink; NULL: never read
      state   TEXT NOT NULL,                 -- live, paused, broken
      error   TEXT
    ) STRICT;
    """

  /// Members and grants stand apart, node ids belong to libraries, and a peer may grant several
  /// palettes.
  private static let version4Members = """
    -- Whom this library lets in: another library, a script or a page.
    CREATE TABLE member(
      id      INTEGER PRIMARY KEY,           -- also the author of what comes by the API; never again
      uid     TEXT NOT NULL UNIQUE,          -- how commands call it
      name    TEXT NOT NULL,                 -- what it wants to be called
      kind    TEXT NOT NULL,                 -- see MemberKind
      hash    BLOB NOT NULL UNIQUE,          -- of its secret
      library BLOB,                          -- of a machine
      node    INTEGER,                       -- that came last
      created INTEGER NOT NULL,
      seen    INTEGER,
      written INTEGER NOT NULL DEFAULT 0     -- bytes of its changes, more or less
    ) STRICT;

    -- What members may do. A join code is a grant that nobody has redeemed.
    CREATE TABLE granted(
      id          INTEGER PRIMARY KEY,
      uid         TEXT NOT NULL UNIQUE,      -- how commands call it
      member      INTEGER,                   -- NULL while nobody has redeemed it
      parent      TEXT,                      -- the owner's grant that made it; NULL: this library itself
      name        TEXT,                      -- that the sharer gives to the member
      role        TEXT NOT NULL,
      palette     BLOB,                      -- NULL: the whole library
      created     INTEGER NOT NULL,
      expires     INTEGER,                   -- the end of the right
      code        BLOB UNIQUE,               -- hash of the join code
      codeExpires INTEGER,
      revoked     INTEGER NOT NULL DEFAULT 0 -- by whom: the author's number and 1
    ) STRICT;
    CREATE INDEX grantedByMember ON granted(member);
    CREATE INDEX grantedByParent ON granted(parent) WHERE parent NOT NULL;

    -- The library that a node id belongs to.
    CREATE TABLE binding(
      node    INTEGER PRIMARY KEY,
      library BLOB NOT NULL
    ) STRICT;
    CREATE INDEX bindingByLibrary ON binding(library);
    CREATE INDEX streamByNode ON stream(node);

    INSERT INTO member(id, uid, name, kind, hash, library, node, created, seen)
      SELECT id, name, '', CASE WHEN isCode THEN 'machine' ELSE 'script' END, hash, library, node,
        created, seen
      FROM token WHERE NOT isCode OR library IS NOT NULL;
    INSERT INTO granted(uid, member, role, palette, created, expires, code, codeExpires, revoked)
      SELECT name, CASE WHEN isCode AND library IS NULL THEN NULL ELSE id END, role, palette, created,
        CASE WHEN isCode THEN NULL ELSE expires END,
        CASE WHEN isCode AND library IS NULL THEN hash ELSE codeHash END,
        CASE WHEN isCode THEN expires END, revoked
      FROM token;
    INSERT INTO binding(node, library)
      SELECT tokenNode.node, library FROM tokenNode JOIN token ON token.id = token
      WHERE library IS NOT NULL;
    DROP TABLE tokenNode;
    DROP TABLE token;

    -- What a joined peer grants; what it says later may be less, never more.
    CREATE TABLE peerGrant(
      peer    INTEGER NOT NULL,
      role    TEXT NOT NULL,
      palette BLOB,
      expires INTEGER
    ) STRICT;
    CREATE INDEX peerGrantByPeer ON peerGrant(peer);
    INSERT INTO peerGrant(peer, role, palette) SELECT id, role, palette FROM peer;
    ALTER TABLE peer DROP COLUMN role;
    ALTER TABLE peer DROP COLUMN palette;
    ALTER TABLE peer ADD COLUMN code BLOB NOT NULL DEFAULT x'';   -- a join code not redeemed yet
    ALTER TABLE peer ADD COLUMN library BLOB;
    ALTER TABLE peer ADD COLUMN name TEXT NOT NULL DEFAULT '';
    """
}

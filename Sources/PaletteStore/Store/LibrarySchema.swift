/// The tables of a library.
///
/// Another version is another migration; a file that was written by a released one is never left behind. That
/// of a version that shows another register is `RegisterAdoption.addColumns(of:on:)`.
package struct LibrarySchema: Sendable {
  /// The schema of this program.
  package static let current = LibrarySchema(migrations: [
    Migration(version: 1) { connection throws(StoreError) in
      for tables in [library, log, state, undo, sharing, files] { try connection.execute(tables) }
    }
  ])

  /// Every step from an empty file to the newest version.
  let migrations: [Migration]

  /// The newest version.
  package var version: Int { migrations.last?.version ?? 0 }

  /// A schema with one more step.
  package func followed(by migration: Migration) -> LibrarySchema {
    LibrarySchema(migrations: migrations + [migration])
  }

  /// The library's own identity and what all of it amounts to.
  private static let library = """
    \(MetaKey.tableSQL);

    -- Every node id that this library has had, see Identities.
    CREATE TABLE identity(
      id     INTEGER PRIMARY KEY,
      node   INTEGER NOT NULL UNIQUE,        -- 64-bit node id, bit pattern
      author INTEGER NOT NULL DEFAULT 0      -- see AuthorID
    ) STRICT;

    CREATE TABLE palette(
      id        INTEGER PRIMARY KEY CHECK(id BETWEEN 1 AND 2147483647),  -- never on the wire
      uuid      BLOB NOT NULL UNIQUE CHECK(length(uuid) = 16),
      colors    INTEGER NOT NULL DEFAULT 0,  -- listed colors
      conflicts INTEGER NOT NULL DEFAULT 0,  -- registers with different live values
      digest    BLOB NOT NULL,               -- 16 bytes
      arrivals  INTEGER NOT NULL DEFAULT 0,  -- changes committed so far: the next one's arrival
      last      BLOB,                        -- a place that no place here is behind
      since     INTEGER,                     -- milliseconds before which the past cannot be read
      title     TEXT,                        -- NULL where it has no name
      dropped   INTEGER NOT NULL DEFAULT 0,
      placed    INTEGER NOT NULL DEFAULT 0   -- 1: see PlaceIndex
    ) STRICT;
    CREATE INDEX paletteByTitle ON palette(dropped, title, uuid) WHERE title NOT NULL;
    CREATE INDEX paletteInConflict ON palette(id) WHERE conflicts > 0;
    CREATE INDEX paletteByBucket ON palette(substr(uuid, 16));

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

  /// The changes, by author, and when they came.
  private static let log = """
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
      peak    INTEGER NOT NULL DEFAULT 0,    -- see StreamRow
      sorted  INTEGER NOT NULL DEFAULT 0,    -- see StreamRow
      UNIQUE(palette, node)
    ) STRICT;
    CREATE INDEX streamByNode ON stream(node);

    CREATE TABLE change(
      id      INTEGER PRIMARY KEY,           -- stream.id << 32 | sequence: the dot as one number
      arrival INTEGER NOT NULL,              -- order of commit here: a causal order
      bytes   BLOB NOT NULL                  -- as the author's node encoded them, see ChangeRow
    ) STRICT;

    -- Dots that a held change replaced or covered before they were held.
    CREATE TABLE ahead(
      palette  INTEGER NOT NULL,
      node     INTEGER NOT NULL,
      sequence INTEGER NOT NULL,
      uuid     BLOB NOT NULL,
      effect   INTEGER NOT NULL,             -- the register replaced; -1: covered, -2: dropped
      proof    INTEGER NOT NULL,             -- the first four bytes of the hash that is meant
      PRIMARY KEY(palette, node, sequence, uuid, effect, proof)
    ) STRICT, WITHOUT ROWID;

    -- At most one row a minute: which arrivals a moment of local time had seen.
    CREATE TABLE moment(
      palette      INTEGER NOT NULL,
      arrival      INTEGER NOT NULL,         -- the first arrival committed at that time
      milliseconds INTEGER NOT NULL,
      PRIMARY KEY(palette, arrival)
    ) STRICT, WITHOUT ROWID;
    """

  /// The state that the changes amount to.
  private static let state = """
    -- What is shown of each record; the palette's own record has the palette's uuid.
    CREATE TABLE record(
      palette  INTEGER NOT NULL,
      uuid     BLOB NOT NULL CHECK(length(uuid) = 16),
      flags    INTEGER NOT NULL,             -- see RecordFlags
      place    BLOB, color BLOB, name TEXT, note TEXT,
      placeDot INTEGER, colorDot INTEGER, nameDot INTEGER, noteDot INTEGER,   -- see ValueNumber
      PRIMARY KEY(palette, uuid)
    ) STRICT, WITHOUT ROWID;

    -- Live values that are not shown: siblings, and registers that this version does not know.
    CREATE TABLE sibling(
      palette  INTEGER NOT NULL,
      uuid     BLOB NOT NULL,
      register INTEGER NOT NULL,
      dot      INTEGER NOT NULL,             -- see ValueNumber
      covered  INTEGER NOT NULL,
      value    BLOB NOT NULL,
      PRIMARY KEY(palette, uuid, register, dot)
    ) STRICT, WITHOUT ROWID;

    -- The order of long lists of which positions were asked for.
    CREATE TABLE placed(
      palette INTEGER NOT NULL,
      place   BLOB NOT NULL,
      uuid    BLOB NOT NULL,
      PRIMARY KEY(palette, place, uuid)
    ) STRICT, WITHOUT ROWID;

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
    """

  /// The actions that can be undone, and the edits that are not to be made twice.
  private static let undo = """
    -- The undo stacks: one row a user action, found by its number alone.
    CREATE TABLE action(
      id     INTEGER PRIMARY KEY,            -- the stack's base and a number, see ActionStack
      undone INTEGER NOT NULL DEFAULT 0,     -- see ActionStack
      steps  BLOB NOT NULL,                  -- see UndoStep
      node   INTEGER,                        -- with the stamp the action's name
      stamp  INTEGER
    ) STRICT;

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

  /// Whom this library lets in, and whom it joined.
  private static let sharing = """
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
    -- Whose names are shown beside changes.
    CREATE INDEX memberByLibrary ON member(library) WHERE library NOT NULL;

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

    -- Peers that this library joined.
    CREATE TABLE peer(
      id        INTEGER PRIMARY KEY,
      url       TEXT NOT NULL UNIQUE,
      addresses TEXT NOT NULL,               -- one a line
      pin       BLOB NOT NULL,
      secret    BLOB NOT NULL,
      node      INTEGER,
      refusal   TEXT,
      acked     INTEGER,
      behind    INTEGER,                     -- changes still to come when it was left; NULL: not known
      code      BLOB NOT NULL DEFAULT x'',   -- a join code not redeemed yet
      library   BLOB,
      name      TEXT NOT NULL DEFAULT ''
    ) STRICT;

    -- What a joined peer grants; what it says later may be less, never more.
    CREATE TABLE peerGrant(
      peer    INTEGER NOT NULL,
      role    TEXT NOT NULL,
      palette BLOB,
      expires INTEGER
    ) STRICT;
    CREATE INDEX peerGrantByPeer ON peerGrant(peer);

    -- How much of this library's own changes a peer said to hold.
    CREATE TABLE stated(
      peer     INTEGER NOT NULL,
      palette  BLOB NOT NULL,
      node     INTEGER NOT NULL,
      sequence INTEGER NOT NULL,
      PRIMARY KEY(peer, palette, node)
    ) STRICT, WITHOUT ROWID;
    """

  /// Palette files that are bound to palettes.
  private static let files = """
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
}

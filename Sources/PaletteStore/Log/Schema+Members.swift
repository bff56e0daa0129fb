extension Schema {
  /// Members and grants stand apart, node ids belong to libraries, and a peer may grant several
  /// palettes.
  static let version4Members = """
    -- Whom this library lets in: another library, a script or a page.
    CREATE TABLE member(
      id      INTEGER PRIMARY KEY AUTOINCREMENT,  -- also the author of what comes by the API
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
      maker       INTEGER,                   -- the member that shared; NULL: this library itself
      name        TEXT,                      -- that the sharer gives to the member
      role        TEXT NOT NULL,
      palette     BLOB,                      -- NULL: the whole library
      created     INTEGER NOT NULL,
      expires     INTEGER,                   -- the end of the right
      code        BLOB UNIQUE,               -- hash of the join code
      codeExpires INTEGER,
      revoked     INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX grantedByMember ON granted(member);

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

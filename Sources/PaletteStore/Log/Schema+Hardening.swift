extension Schema {
  /// What snapshots remove is remembered, and rows that refused changes left behind go.
  static let version4Hardening = """
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
}

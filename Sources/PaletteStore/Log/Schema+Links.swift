extension Schema {
  /// Palette files that are bound to palettes.
  static let version5Links = """
    CREATE TABLE link(
      file    TEXT PRIMARY KEY,              -- an absolute path
      palette BLOB NOT NULL CHECK(length(palette) = 16),
      format  TEXT NOT NULL,
      base    BLOB,                          -- what the file held last, see StoredLink; NULL: never read
      state   TEXT NOT NULL,                 -- live, paused, broken
      error   TEXT
    ) STRICT;
    """
}

extension Schema {
  /// Members edit through the library under node ids of their own, and undo what is their own.
  static let version4Authors = """
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
}

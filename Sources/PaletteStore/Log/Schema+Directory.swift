extension Schema {
  /// What a list of palettes tells stands in their rows, and what all palettes amount to beside them.
  static let version5Directory = """
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
}

extension PostgreSQLStatement {
  static let register = Self(
    name: "register",
    text: """
      INSERT INTO hub (id, name, machine, url, beat, seen, dead)
      VALUES ($1, $2, $3, $4, 0, now(), false)
      """
  )
  static let bury = Self(name: "bury", text: "UPDATE hub SET dead = true WHERE id = $1")
  static let buryStill = Self(
    name: "buryStill",
    text: "UPDATE hub SET dead = true WHERE id = $1 AND beat = $2"
  )
  static let forgetDead = Self(name: "forgetDead", text: "DELETE FROM hub WHERE dead")
  static let beat = Self(
    name: "beat",
    text: """
      WITH me AS (UPDATE hub SET beat = beat + 1, seen = now() WHERE id = $1 AND NOT dead
        RETURNING beat)
      SELECT 0, beat, NULL::uuid, NULL::bigint FROM me
      UNION ALL SELECT 1, epoch, id, wanted FROM library WHERE owner = $1
      UNION ALL SELECT 2, beat, NULL, id FROM hub WHERE NOT dead AND id <> $1
      """
  )
  static let hubs = Self(
    name: "hubs",
    text: """
      SELECT h.id, h.name, h.machine, h.url, h.beat, (extract(epoch FROM h.seen) * 1000)::bigint,
        h.dead, (SELECT count(*) FROM library l WHERE l.owner = h.id),
        h.seen < now() - interval '10 seconds'
      FROM hub h WHERE NOT h.dead ORDER BY h.seen DESC, h.id
      """
  )

  static let create = Self(
    name: "create",
    text: """
      INSERT INTO library (id, name, schema, epoch, head, hash, image, image_epoch, image_parts,
        image_hash, bytes, created)
      VALUES ($1, $2, $3, 0, 0, $4, 0, 0, 0, '', 0, now()) ON CONFLICT DO NOTHING RETURNING id
      """
  )
  static let list = Self(name: "list", text: libraries + " ORDER BY l.name")
  static let look = Self(name: "look", text: libraries + " WHERE l.name = $1")
  static let drop = Self(
    name: "drop",
    text: """
      WITH l AS (DELETE FROM library WHERE id = $1 RETURNING id),
        e AS (DELETE FROM entry USING l WHERE library = l.id)
      SELECT id FROM l
      """
  )
  /// Removes what an append added that was under way at the drop, which does not see it; none can follow.
  static let dropLate = Self(name: "dropLate", text: "DELETE FROM entry WHERE library = $1")
  private static let libraries = """
    SELECT l.id, l.name, l.owner, l.wanted, l.bytes, l.epoch, l.schema, l.head, l.hash, l.image,
      l.image_epoch, l.image_parts, l.image_hash, h.id, h.name, h.machine, h.url, h.beat,
      (extract(epoch FROM h.seen) * 1000)::bigint, h.dead
    FROM library l LEFT JOIN hub h ON h.id = l.owner
    """

  static let want = Self(
    name: "want",
    text: "UPDATE library SET wanted = $4 WHERE id = $1 AND owner = $2 AND epoch = $3 RETURNING id"
  )
  static let takeFree = Self(
    name: "takeFree",
    text: taking + " WHERE id = $1 AND epoch = $2 AND schema <= $4 AND owner IS NULL" + taken
  )
  static let takeFromDead = Self(
    name: "takeFromDead",
    text: taking + " WHERE id = $1 AND epoch = $2 AND schema <= $4 AND owner = $5" + taken
  )
  static let takeFromStill = Self(
    name: "takeFromStill",
    text: "WITH gone AS (UPDATE hub SET dead = true WHERE id = $5 AND beat = $6 RETURNING id) "
      + taking + " FROM gone WHERE library.id = $1 AND epoch = $2 AND schema <= $4"
      + " AND owner = gone.id" + taken
  )
  static let letGo = Self(
    name: "letGo",
    text: "UPDATE library SET owner = NULL WHERE \(claimed) RETURNING id"
  )
  static let endDoubt = Self(
    name: "endDoubt",
    text: "UPDATE library SET epoch = epoch + 1 WHERE \(claimed)" + taken
  )
  private static let taking = "UPDATE library SET owner = $3, epoch = epoch + 1, wanted = NULL"
  private static let taken = """
     RETURNING epoch, schema, head, hash, image, image_epoch, image_parts, image_hash
    """
  private static let claimed = "id = $1 AND owner = $2 AND epoch = $3"

  static let append = Self(
    name: "append",
    text: """
      WITH own AS (UPDATE library SET head = head + 1, hash = $6, bytes = bytes + length($7)
        WHERE \(claimed) AND head = $4 AND hash = $5 RETURNING id, head, epoch, hash)
      INSERT INTO entry (library, number, epoch, hash, changes)
      SELECT id, head, epoch, hash, $7 FROM own RETURNING number
      """
  )
  /// It stops before an entry that has 8 MiB before it.
  static let tail = Self(
    name: "tail",
    text: """
      SELECT number, epoch, hash, changes FROM (
        SELECT *, sum(length(changes)) OVER (ORDER BY number) - length(changes) AS before FROM (
          SELECT number, epoch, hash, changes FROM entry WHERE library = $1 AND number > $2
          ORDER BY number LIMIT \(logTailEntries)) next) sized
      WHERE coalesce(before, 0) < 8388608 ORDER BY number
      """
  )

  static let growth = Self(
    name: "growth",
    text: """
      SELECT (SELECT coalesce(sum(length(e.changes)), 0)::bigint FROM entry e
          WHERE e.library = l.id AND e.number > l.image),
        (SELECT coalesce(sum(length(i.bytes)), 0)::bigint FROM image i
          WHERE i.library = l.id AND i.number = l.image AND i.epoch = l.image_epoch)
      FROM library l WHERE l.id = $1
      """
  )
  static let addPart = Self(
    name: "addPart",
    text: """
      INSERT INTO image (library, number, epoch, part, bytes)
      SELECT id, $4, epoch, $5, $6 FROM library WHERE \(claimed)
      ON CONFLICT (library, number, epoch, part) DO UPDATE SET bytes = excluded.bytes
      RETURNING number
      """
  )
  static let switchImage = Self(
    name: "switchImage",
    text: """
      UPDATE library SET image = $4, image_epoch = $3, image_parts = $5, image_hash = $6
      WHERE \(claimed) AND head >= $4 AND image < $4 RETURNING id
      """
  )
  static let jump = Self(
    name: "jump",
    text: """
      WITH own AS (UPDATE library SET head = head + 1, hash = $6, schema = $7, image = head + 1,
          image_epoch = epoch, image_parts = $8, image_hash = $9
        WHERE \(claimed) AND head = $4 AND hash = $5 AND $8 = (SELECT count(*) FROM image i
          WHERE i.library = $1 AND i.number = $4 + 1 AND i.epoch = $3)
        RETURNING id, head, epoch, hash)
      INSERT INTO entry (library, number, epoch, hash, changes)
      SELECT id, head, epoch, hash, NULL FROM own RETURNING number
      """
  )
  static let part = Self(
    name: "part",
    text: """
      SELECT bytes FROM image WHERE library = $1 AND number = $2 AND epoch = $3 AND part = $4
      """
  )
  /// Removes the oldest thousand at most, so that others have their turn; tells how many that were.
  static let prune = Self(
    name: "prune",
    text: """
      WITH gone AS (DELETE FROM entry e USING library l
        WHERE l.id = $1 AND l.owner = $2 AND l.epoch = $3 AND e.library = l.id
          AND e.number <= $4 AND e.number < l.image
          AND e.number < (SELECT min(o.number) FROM entry o WHERE o.library = $1) + 1000
        RETURNING e.number)
      SELECT count(*) FROM gone
      """
  )
  /// Removes some parts, so that others have their turn; tells how many that were.
  static let sweep = Self(
    name: "sweep",
    text: """
      WITH l AS (SELECT id, image, image_epoch FROM library WHERE \(claimed)),
        stale AS (SELECT i.number, i.epoch, i.part FROM image i JOIN l ON i.library = l.id
          WHERE (i.number, i.epoch) <> (l.image, l.image_epoch) LIMIT 64),
        gone AS (DELETE FROM image i USING stale s WHERE i.library = $1
          AND i.number = s.number AND i.epoch = s.epoch AND i.part = s.part RETURNING i.part)
      SELECT count(*) FROM gone
      """
  )
}

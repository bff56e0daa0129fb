/// The statements that run often; each is prepared once, when it is first needed.
enum Query: Int, CaseIterable {
  case beginReading
  case endReading
  case beginGroup
  case commit
  case beginWrite
  case endWrite
  case member
  case grantsOfMember
  case libraryOfNode
  case nameOfMember
  case nameOfLibrary
  case claimedName
  case peers
  case grantsOfPeer
  case meta
  case metaBetween
  case ownStreams
  case ownStreamsOfPalette
  case statedOfPalette
  case stated
  case forgetStated
  case insertStated
  case paletteByID
  case palettesAfter
  case palettesNamed
  case countNamed
  case palettesInRange
  case countInRange
  case palettesInConflict
  case listedNames
  case allPalettes
  case lastPalette
  case insertPalette
  case updatePalette
  case retitlePalette
  case digestsOfBucket
  case bucket
  case buckets
  case putBucket
  case streams
  case lastStream
  case hasStream
  case insertStream
  case updateStream
  case insertChange
  case changeRow
  case changeRows
  case changeBytes
  case newestChangeRows
  case nextChangeRows
  case insertFewChanges
  case insertChanges
  case record
  case recordsFrom
  case insertRecord
  case insertFewRecords
  case insertRecords
  case replaceRecord
  case replaceRecords
  case updateRecords
  case deleteRecord
  case list
  case listWithDots
  case names
  case removedNames
  case countBefore
  case placeOfListed
  case placedFromStart
  case placedFromEnd
  case insertPlaced
  case deletePlaced
  case places
  case liveDots
  case siblingDots
  case siblings
  case insertSibling
  case insertSiblings
  case deleteSiblings
  case hasAhead
  case ahead
  case insertAhead
  case deleteAhead
  case lastMoment
  case newestOfAuthors
  case insertMoment
  case insertAction
  case memberStack
  case topAction
  case clearUndone
  case trimActions
  case newestAction
  case oldestUndone
  case markAction

  var sql: String {
    switch self {
    case .beginReading: "BEGIN"
    case .endReading: "ROLLBACK"
    case .beginGroup: "BEGIN IMMEDIATE"
    case .commit: "COMMIT"
    case .beginWrite: "SAVEPOINT write"
    case .endWrite: "RELEASE write"
    case .member: "\(Self.members) WHERE hash = ?1"
    case .grantsOfMember: "\(Self.grants) WHERE member = ?1"
    case .libraryOfNode: "SELECT library FROM binding WHERE node = ?1"
    case .nameOfMember: "SELECT name FROM member WHERE id = ?1"
    case .nameOfLibrary:
      """
      SELECT member.name FROM binding JOIN member ON member.library = binding.library
      WHERE binding.node = ?1 AND member.name <> ''
      UNION ALL
      SELECT name FROM peer WHERE name <> ''
      AND (node = ?1 OR library = (SELECT library FROM binding WHERE node = ?1))
      LIMIT 1
      """
    case .claimedName:
      """
      SELECT record.name, \(ValueNumber.sequence(ofValue: "record.nameDot")), stream.id FROM palette
      JOIN stream ON stream.palette = palette.id AND stream.node = ?2
      JOIN record ON record.palette = palette.id AND record.uuid = ?3 AND record.name <> ''
      AND stream.id = \(ValueNumber.stream(ofValue: "record.nameDot"))
      WHERE palette.uuid = ?1
      """
    case .peers:
      """
      SELECT id, url, addresses, pin, secret, code, library, name, node, refusal, acked FROM peer
      ORDER BY id
      """
    case .grantsOfPeer:
      "SELECT role, palette, expires FROM peerGrant WHERE peer = ?1 ORDER BY rowid"
    case .meta: "SELECT value FROM meta WHERE key = ?1"
    case .metaBetween: "SELECT key, value FROM meta WHERE key > ?1 AND key < ?2"
    // Few of the palettes that a library holds may have changes of its own, and of nearly all streams every
    // peer has stated to hold all.
    case .ownStreams:
      """
      \(Self.ownStreamColumns) FROM identity CROSS JOIN stream ON stream.node = identity.node
      CROSS JOIN palette ON palette.id = stream.palette
      WHERE stream.held > 0 AND EXISTS(SELECT 1 FROM peer WHERE stream.held > ifnull((
        SELECT sequence FROM stated WHERE stated.peer = peer.id AND stated.palette = palette.uuid
        AND stated.node = stream.node), 0))
      """
    case .ownStreamsOfPalette:
      """
      \(Self.ownStreamColumns) FROM palette CROSS JOIN identity
      CROSS JOIN stream ON stream.palette = palette.id AND stream.node = identity.node
      WHERE stream.held > 0 AND palette.uuid = ?1
      """
    case .statedOfPalette:
      """
      SELECT peer.url, stated.node, stated.sequence FROM peer
      CROSS JOIN stated ON stated.peer = peer.id AND stated.palette = ?1
      """
    case .stated:
      """
      SELECT stated.node, sequence FROM stated JOIN peer ON peer.id = peer
      WHERE url = ?1 AND stated.palette = ?2
      """
    case .forgetStated:
      "DELETE FROM stated WHERE peer = (SELECT id FROM peer WHERE url = ?1) AND palette = ?2"
    case .insertStated:
      """
      INSERT OR REPLACE INTO stated(peer, palette, node, sequence)
      SELECT id, ?2, ?3, ?4 FROM peer WHERE url = ?1
      """
    case .palettesAfter:
      """
      SELECT \(Self.paletteColumns) FROM palette INDEXED BY paletteByTitle
      WHERE dropped = ?3 AND title NOT NULL AND (title, uuid) > (?1, ?2)
      ORDER BY title, uuid
      """
    case .palettesNamed: "SELECT \(Self.paletteColumns) \(Self.named) ORDER BY uuid LIMIT ?3"
    case .countNamed: "SELECT count(*) \(Self.named)"
    case .palettesInRange:
      "SELECT \(Self.paletteColumns) \(Self.inRange) ORDER BY uuid LIMIT ?3"
    case .countInRange: "SELECT count(*) \(Self.inRange)"
    case .palettesInConflict:
      """
      SELECT \(Self.paletteColumns) FROM palette INDEXED BY paletteInConflict
      WHERE conflicts > 0 AND dropped = 0 AND title NOT NULL ORDER BY title, uuid
      """
    case .listedNames:
      "SELECT title FROM palette WHERE dropped = 0 AND title NOT NULL ORDER BY title, uuid"
    case .paletteByID: "SELECT \(Self.paletteColumns) FROM palette WHERE uuid = ?1"
    case .allPalettes: "SELECT \(Self.paletteColumns) FROM palette"
    case .lastPalette: "SELECT max(id) FROM palette"
    case .insertPalette:
      """
      INSERT INTO palette(id, colors, conflicts, digest, arrivals, last, since, placed, uuid, title,
      dropped) VALUES \(Self.row(of: 11))
      """
    case .updatePalette:
      """
      UPDATE palette SET colors = ?2, conflicts = ?3, digest = ?4, arrivals = ?5, last = ?6,
      since = ?7, placed = ?8 WHERE id = ?1
      """
    case .retitlePalette: "UPDATE palette SET title = ?2, dropped = ?3 WHERE id = ?1"
    case .digestsOfBucket: "SELECT uuid, digest FROM palette WHERE substr(uuid, 16) = ?1"
    case .bucket: "\(Self.bucketRows) WHERE id = ?1"
    case .buckets: Self.bucketRows
    case .putBucket: "REPLACE INTO bucket VALUES(?1, ?2, ?3, ?4, ?5, ?6)"
    case .streams:
      """
      SELECT id, node, held, link, wrote, dropped, floor, peak, sorted FROM stream
      WHERE palette = ?1
      """
    case .lastStream: "SELECT max(id) FROM stream"
    case .hasStream: "SELECT 1 FROM stream WHERE id = ?1"
    case .insertStream:
      """
      INSERT INTO stream(id, held, link, wrote, dropped, floor, peak, sorted, palette, node)
      VALUES \(Self.row(of: 10))
      """
    case .updateStream:
      """
      UPDATE stream SET held = ?2, link = ?3, wrote = ?4, dropped = ?5, floor = ?6, peak = ?7,
      sorted = ?8 WHERE id = ?1
      """
    case .insertChange: "INSERT INTO change(id, arrival, bytes) VALUES \(Self.row(of: 3))"
    case .insertFewChanges:
      "INSERT OR FAIL INTO change(id, arrival, bytes) VALUES \(Self.rows(of: 3, Self.fewRows))"
    case .insertChanges:
      "INSERT OR FAIL INTO change(id, arrival, bytes) VALUES \(Self.rows(of: 3))"
    case .changeRow: "SELECT bytes FROM change WHERE id = ?1"
    case .changeRows: "SELECT id, arrival, bytes FROM change WHERE id BETWEEN ?1 AND ?2 ORDER BY id"
    case .changeBytes: "SELECT id, bytes FROM change WHERE id BETWEEN ?1 AND ?2 ORDER BY id"
    case .newestChangeRows:
      "SELECT id, bytes FROM change WHERE id BETWEEN ?1 AND ?2 ORDER BY id DESC"
    case .nextChangeRows:
      "SELECT id, arrival, bytes FROM change WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT ?3"
    case .record: "SELECT \(Self.recordColumns) FROM record WHERE palette = ?1 AND uuid = ?2"
    case .recordsFrom:
      """
      SELECT \(Self.recordColumns), uuid FROM record
      WHERE palette = ?1 AND uuid >= ?2 AND \(RecordFunction.isAsked)(uuid) ORDER BY uuid
      """
    case .insertRecord:
      "INSERT INTO record VALUES \(Self.row(of: Self.recordParameterCount))"
    case .insertFewRecords:
      "INSERT OR FAIL INTO record VALUES "
        + Self.rows(of: Self.recordParameterCount, Self.fewRows)
    case .insertRecords:
      "INSERT OR FAIL INTO record VALUES \(Self.rows(of: Self.recordParameterCount))"
    case .replaceRecord: "REPLACE INTO record VALUES \(Self.row(of: Self.recordParameterCount))"
    case .replaceRecords: "REPLACE INTO record VALUES \(Self.rows(of: Self.recordParameterCount))"
    case .updateRecords:
      """
      UPDATE OR FAIL record SET \(Self.fedCells)
      WHERE palette = ?1 AND uuid BETWEEN ?2 AND ?3 AND \(RecordFunction.isFed)(uuid)
      """
    case .deleteRecord: "DELETE FROM record WHERE palette = ?1 AND uuid = ?2"
    case .list: "SELECT uuid, flags, place, color, name, note FROM record WHERE palette = ?1"
    case .listWithDots:
      """
      SELECT uuid, flags, place, color, name, note, placeDot, colorDot, nameDot, noteDot FROM record
      WHERE palette = ?1
      """
    case .names: "SELECT uuid, flags, name FROM record WHERE palette = ?1"
    case .removedNames:
      """
      SELECT uuid, flags, name FROM record WHERE palette = ?1 AND flags & \(RecordFlags.isDeleted.rawValue)
      AND place NOT NULL AND color NOT NULL AND name NOT NULL
      """
    case .countBefore:
      """
      SELECT count(*) FROM record WHERE palette = ?1 AND flags & \(RecordFlags.unlisted.rawValue) = 0
      AND (place < ?2 OR place = ?2 AND uuid < ?3)
      """
    case .placeOfListed:
      """
      SELECT place FROM record WHERE palette = ?1 AND uuid = ?2 AND place NOT NULL
      AND flags & \(RecordFlags.unlisted.rawValue) = 0
      """
    case .placedFromStart:
      """
      SELECT place, uuid FROM placed WHERE palette = ?1 ORDER BY place, uuid LIMIT ?3 OFFSET ?2
      """
    case .placedFromEnd:
      """
      SELECT place, uuid FROM placed WHERE palette = ?1
      ORDER BY place DESC, uuid DESC LIMIT ?3 OFFSET ?2
      """
    case .insertPlaced: "INSERT INTO placed VALUES(?1, ?2, ?3)"
    case .deletePlaced: "DELETE FROM placed WHERE palette = ?1 AND place = ?2 AND uuid = ?3"
    case .places:
      """
      SELECT uuid, place FROM record
      WHERE palette = ?1 AND flags & \(RecordFlags.unlisted.rawValue) = 0
      """
    case .liveDots:
      "SELECT flags, nameDot, colorDot, placeDot, noteDot FROM record WHERE palette = ?1"
    case .siblingDots: "SELECT register, dot, covered FROM sibling WHERE palette = ?1"
    case .siblings:
      """
      SELECT register, dot, covered, value FROM sibling WHERE palette = ?1 AND uuid = ?2
      ORDER BY register, dot
      """
    case .insertSibling: "INSERT INTO sibling VALUES \(Self.row(of: 6))"
    case .insertSiblings: "INSERT OR FAIL INTO sibling VALUES \(Self.rows(of: 6))"
    case .deleteSiblings: "DELETE FROM sibling WHERE palette = ?1 AND uuid = ?2"
    case .hasAhead: "SELECT EXISTS(SELECT 1 FROM ahead WHERE palette = ?1)"
    case .ahead:
      "SELECT uuid, effect, proof FROM ahead WHERE palette = ?1 AND node = ?2 AND sequence = ?3"
    case .insertAhead: "INSERT OR IGNORE INTO ahead VALUES(?1, ?2, ?3, ?4, ?5, ?6)"
    case .deleteAhead: "DELETE FROM ahead WHERE palette = ?1 AND node = ?2 AND sequence = ?3"
    case .lastMoment: "SELECT max(arrival), milliseconds FROM moment WHERE palette = ?1"
    case .newestOfAuthors:
      """
      SELECT change.bytes FROM stream JOIN change ON change.id = stream.id << 32 | stream.held
      WHERE stream.palette = ?1
      """
    case .insertMoment: "INSERT OR IGNORE INTO moment VALUES(?1, ?2, ?3)"
    case .insertAction: "INSERT INTO action(id, steps, node, stamp) VALUES(?1, ?2, ?3, ?4)"
    case .memberStack: "SELECT id FROM memberStack WHERE palette = ?1 AND author = ?2"
    case .topAction:
      "SELECT id, undone FROM action WHERE id BETWEEN ?1 AND ?2 ORDER BY id DESC LIMIT 1"
    case .clearUndone:
      "UPDATE action SET undone = 3, steps = x'80' WHERE id BETWEEN ?1 AND ?2 AND undone = 1"
    case .trimActions: "DELETE FROM action WHERE id BETWEEN ?1 AND ?2 AND undone <> 2"
    case .newestAction:
      """
      SELECT id, steps, node, stamp FROM action WHERE id BETWEEN ?1 AND ?2 AND undone = 0
      ORDER BY id DESC LIMIT 1
      """
    case .oldestUndone:
      """
      SELECT id, steps, node, stamp FROM action WHERE id BETWEEN ?1 AND ?2 AND undone = 1
      ORDER BY id LIMIT 1
      """
    case .markAction: "UPDATE action SET undone = ?2 WHERE id = ?1"
    }
  }

  /// The columns of `Member`.
  static let members = "SELECT id, uid, name, kind, library, node, seen FROM member"
  /// The columns of `StoredGrant`.
  static let grants = """
    SELECT uid, member, name, role, palette, created, expires, codeExpires, revoked,
      (SELECT maker.member FROM granted AS maker WHERE maker.uid = granted.parent)
    FROM granted
    """

  private static let ownStreamColumns =
    "SELECT palette.uuid, stream.node, stream.id, stream.held"
  private static let paletteColumns =
    "id, uuid, colors, conflicts, digest, arrivals, last, since, title, dropped, placed"
  private static let named = "FROM palette WHERE dropped = ?1 AND title = ?2 AND title NOT NULL"
  // The plus keeps SQLite from reading all of the listed ones.
  private static let inRange =
    "FROM palette WHERE uuid BETWEEN ?2 AND ?4 AND +dropped = ?1 AND title NOT NULL"
  private static let bucketRows =
    "SELECT id, digest, palettes, colors, conflicts, changes FROM bucket"
  private static let recordColumns =
    "flags, place, color, name, note, placeDot, colorDot, nameDot, noteDot"

  /// Every column of a record but its key, from the feed.
  private static let fedCells =
    recordColumns.split(separator: ", ").enumerated()
    .map {
      $0 == 0
        ? "\($1) = \(RecordFunction.fedFlags)(uuid)" : "\($1) = \(RecordFunction.fedCell)(\($0))"
    }
    .joined(separator: ", ")

  /// The number of rows `insertRecords` inserts: a statement's beginning and end cost as much as a
  /// row.
  ///
  /// Such statements say FAIL where they can: a transaction with one that failed is taken back, so
  /// SQLite need not copy each page to be able to take back the statement alone.
  static let rowsAtOnce = 16
  /// The number of rows that are inserted at once where there are fewer: most palettes have some
  /// twenty.
  private static let fewRows = 4

  /// The number of some rows the next statement inserts.
  static func rowsAtOnce(of count: Int) -> Int {
    count >= rowsAtOnce ? rowsAtOnce : count >= fewRows ? fewRows : 1
  }

  /// The one of three statements that inserts so many rows.
  static func inserting(_ count: Int, _ one: Query, _ few: Query, _ many: Query) -> Query {
    count == 1 ? one : count == fewRows ? few : many
  }

  /// The number of parameters a row of `insertRecord` and `insertRecords` has.
  static let recordParameterCount = 11

  /// The parameters of a row of an insertion, by number; those of row 0 begin with `?1`.
  private static func row(_ row: Int = 0, of count: Int) -> String {
    "(" + (1...count).map { "?\(row * count + $0)" }.joined(separator: ", ") + ")"
  }

  /// The parameters of some rows.
  private static func rows(of count: Int, _ rows: Int = rowsAtOnce) -> String {
    (0..<rows).map { row($0, of: count) }.joined(separator: ", ")
  }
}

import PaletteMerge
import PaletteModel

/// The order of a long list on disk, so that a command that is run once finds a position without
/// reading the list.
///
/// It is made when a position in a long list is first asked for, since an index of every palette's
/// places costs an import half as much again. From then on each transaction that changes few records
/// keeps it; one that changes many lets it lapse.
enum PlaceIndex {
  /// Lists up to here are read faster than they are indexed.
  static let shortList = 2_000
  /// More changed records than this are cheaper to index again.
  fileprivate static let manyRecords = 64

  /// The places of records in the list before a transaction writes them.
  struct Before {
    fileprivate var places: [RecordID: [UInt8]] = [:]
    fileprivate let records: [RecordID]
  }

  /// Looks at the places of records that are about to be written; nil where no index is kept of them.
  static func before(
    _ records: [RecordID],
    in row: inout PaletteRow,
    _ database: StoreDatabase
  ) throws(StoreError) -> Before? {
    guard row.hasPlaceIndex else { return nil }
    guard records.count <= manyRecords else {
      row.hasPlaceIndex = false
      return nil
    }
    var before = Before(records: records)
    for record in records { before.places[record] = try place(of: record, in: row, database) }
    return before
  }

  /// Moves records in the index to where they stand now.
  static func update(
    _ before: Before,
    in row: PaletteRow,
    _ database: StoreDatabase
  ) throws(StoreError) {
    for record in before.records {
      let new = try place(of: record, in: row, database)
      let old = before.places[record]
      guard new != old else { continue }
      if let old { try run(.deletePlaced, old, record, in: row, database) }
      if let new { try run(.insertPlaced, new, record, in: row, database) }
    }
  }

  /// Makes the index of a palette again.
  static func make(_ row: PaletteRow, in database: StoreDatabase) throws(StoreError) {
    let delete = try database.prepare("DELETE FROM placed WHERE palette = ?1")
    try delete.bind(row.number, at: 1)
    try delete.run()
    let insert = try database.prepare(
      """
      INSERT INTO placed SELECT palette, place, uuid FROM record WHERE palette = ?1
      AND flags & \(RecordFlags.unlisted.rawValue) = 0 AND place NOT NULL ORDER BY place, uuid
      """
    )
    try insert.bind(row.number, at: 1)
    try insert.run()
  }

  /// The colors on both sides of a position in the list.
  static func neighbours(
    of index: Int,
    in row: PaletteRow,
    _ database: StoreDatabase
  ) throws(StoreError) -> ListGap {
    var found: [ListGap.Neighbour] = []
    let isNearStart = index <= row.colors / 2
    let select = try database.box(isNearStart ? .placedFromStart : .placedFromEnd)
    try select.statement.bind(row.number, at: 1)
    let first = isNearStart ? index - 1 : row.colors - index - 1
    try select.statement.bind(Int64(max(0, first)), at: 2)
    try select.statement.bind(Int64(first < 0 ? 1 : 2), at: 3)
    try select.statement.rows { statement throws(StoreError) in
      guard let place = statement.withBytes(0, { Place($0) }) else { return }
      found.append(ListGap.Neighbour(id: try statement.recordID(1), place: place))
    }
    if !isNearStart { found.reverse() }
    return ListGap(
      after: index == 0 ? nil : found.first,
      before: index == row.colors ? nil : found.last
    )
  }

  /// The differences between the index and the rows of a palette; none when all is well.
  static func problems(of row: PaletteRow, in database: StoreDatabase) throws(StoreError)
    -> [String]
  {
    guard row.hasPlaceIndex else { return [] }
    let listed = """
      SELECT place, uuid FROM record WHERE palette = ?1
      AND flags & \(RecordFlags.unlisted.rawValue) = 0
      """
    let placed = "SELECT place, uuid FROM placed WHERE palette = ?1"
    let select = try database.prepare(
      """
      SELECT EXISTS(\(listed) EXCEPT \(placed)) OR EXISTS(\(placed) EXCEPT \(listed))
      """
    )
    try select.bind(row.number, at: 1)
    let differs = try select.row { $0.int64(0) } == 1
    return differs ? ["the order of its list is not that of its colors"] : []
  }

  private static func place(
    of record: RecordID,
    in row: PaletteRow,
    _ database: StoreDatabase
  ) throws(StoreError) -> [UInt8]? {
    let select = try database.box(.placeOfListed)
    try select.statement.bind(row.number, at: 1)
    try select.statement.bind(record, at: 2)
    return try select.statement.row { $0.bytes(0) }
  }

  private static func run(
    _ query: Query,
    _ place: [UInt8],
    _ record: RecordID,
    in row: PaletteRow,
    _ database: StoreDatabase
  ) throws(StoreError) {
    let box = try database.box(query)
    try box.statement.bind(row.number, at: 1)
    try box.statement.bind(place, at: 2)
    try box.statement.bind(record, at: 3)
    try box.statement.run()
  }
}

/// The gap in a list where something can be inserted: between two colors, or at one of its ends.
package struct ListGap: Sendable {
  /// A color of the list.
  struct Neighbour: Sendable {
    let id: RecordID
    let place: Place
  }

  let after: Neighbour?
  let before: Neighbour?
}

extension Query {
  fileprivate static let placeOfListed = Query(
    """
    SELECT place FROM record WHERE palette = ?1 AND uuid = ?2 AND place NOT NULL
    AND flags & \(RecordFlags.unlisted.rawValue) = 0
    """
  )
  fileprivate static let placedFromStart = Query(
    """
    SELECT place, uuid FROM placed WHERE palette = ?1 ORDER BY place, uuid LIMIT ?3 OFFSET ?2
    """
  )
  fileprivate static let placedFromEnd = Query(
    """
    SELECT place, uuid FROM placed WHERE palette = ?1
    ORDER BY place DESC, uuid DESC LIMIT ?3 OFFSET ?2
    """
  )
  fileprivate static let insertPlaced = Query("INSERT INTO placed VALUES(?1, ?2, ?3)")
  fileprivate static let deletePlaced = Query(
    "DELETE FROM placed WHERE palette = ?1 AND place = ?2 AND uuid = ?3"
  )
}

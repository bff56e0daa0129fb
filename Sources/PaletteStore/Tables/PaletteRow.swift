public import PaletteMerge
public import PaletteModel

/// A palette's row.
struct PaletteRow {
  /// 0 until the row is inserted.
  var number: Int64
  let id: PaletteID
  var colors = 0
  var conflicts = 0
  var digest = Digest.zero
  var arrivals: Int64 = 0
  var last: Place?
  var sinceMilliseconds: Int64?
  /// Its name; nil where it has none.
  var title: String?
  /// True if every edit in it lies within a drop.
  var isDropped = false
  /// True if `placed` has the order of its list.
  var hasPlaceIndex = false

  /// True if lists of palettes show it.
  var isListed: Bool { title != nil && !isDropped }

  /// A row of a palette of which nothing is held.
  init(number: Int64 = 0, id: PaletteID) {
    self.number = number
    self.id = id
  }

  /// Reads the columns in the order of `Query`.
  init(_ statement: borrowing Statement) throws(StoreError) {
    number = statement.int64(0)
    id = PaletteID(try statement.recordID(1))
    colors = Int(statement.int64(2))
    conflicts = Int(statement.int64(3))
    digest = statement.withBytes(4) { Digest($0) } ?? .zero
    arrivals = statement.int64(5)
    last = statement.withBytes(6) { Place($0) }
    sinceMilliseconds = statement.isNull(7) ? nil : statement.int64(7)
    title = statement.isNull(8) ? nil : statement.text(8)
    isDropped = statement.int64(9) != 0
    hasPlaceIndex = statement.int64(10) != 0
  }
}

extension Statement {
  /// A column that is checked to hold sixteen bytes.
  func recordID(_ column: Int32) throws(StoreError) -> RecordID {
    guard let id = withBytes(column, { RecordID($0) }) else {
      throw StoreError(code: .corrupt, message: "an id has not sixteen bytes")
    }
    return id
  }

  /// Binds the sixteen bytes of an id.
  func bind(_ id: RecordID, at index: Int32) throws(StoreError) {
    let words = (id.high.bigEndian, id.low.bigEndian)
    try withUnsafeBytes(of: words) { (bytes) throws(StoreError) in try bind(bytes, at: index) }
  }
}

extension RecordID {
  /// The id of sixteen bytes of SQLite's; nil when they are more or fewer.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 else { return nil }
    self.init(
      high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    )
  }
}

/// The entry of a palette in a list of palettes.
public struct PaletteSummary: Hashable, Sendable {
  /// The palette.
  public let id: PaletteID
  /// Its name.
  public let name: String
  /// The number of colors it lists.
  public let count: Int
  /// The number of registers that have different live values.
  public let conflicts: Int
  /// Its digest.
  public let digest: Digest
  /// True if every edit in it lies within a drop.
  public let isDropped: Bool

  /// The summary in the row of a palette; nil if it has no name yet.
  init?(_ row: PaletteRow) {
    guard let title = row.title else { return nil }
    id = row.id
    name = title
    count = row.colors
    conflicts = row.conflicts
    digest = row.digest
    isDropped = row.isDropped
  }
}

extension Query {
  /// The columns of `PaletteRow`.
  static let paletteColumns =
    "id, uuid, colors, conflicts, digest, arrivals, last, since, title, dropped, placed"

  static let paletteByID = Query("SELECT \(Self.paletteColumns) FROM palette WHERE uuid = ?1")
  static let allPalettes = Query("SELECT \(Self.paletteColumns) FROM palette")
  static let lastPalette = Query("SELECT max(id) FROM palette")
  static let insertPalette = Query(
    """
    INSERT INTO palette(id, colors, conflicts, digest, arrivals, last, since, placed, uuid, title,
    dropped) VALUES \(Self.row(of: 11))
    """
  )
  static let updatePalette = Query(
    """
    UPDATE palette SET colors = ?2, conflicts = ?3, digest = ?4, arrivals = ?5, last = ?6,
    since = ?7, placed = ?8 WHERE id = ?1
    """
  )
  static let retitlePalette = Query("UPDATE palette SET title = ?2, dropped = ?3 WHERE id = ?1")
}

public import PaletteModel

/// The choice of palettes: those that lists show, or those that were dropped.
public enum PaletteListing: Int64, Sendable {
  /// Palettes that have a name and are not dropped.
  case listed = 0
  /// Palettes that have a name and are dropped.
  case dropped = 1
}

/// Some palettes in the order of lists, and whether there are more behind them.
public struct PalettePage: Sendable {
  /// The palettes, by name and then by id.
  public fileprivate(set) var palettes: [PaletteSummary] = []
  /// True if others come behind them.
  public internal(set) var hasMore = false

  /// A page of nothing.
  public init() {}

  /// Adds a palette behind the others.
  public mutating func append(_ palette: PaletteSummary) { palettes.append(palette) }
}

/// Finds palettes by what lists show of them; each question reads what it answers, and no more.
extension PaletteReader {
  /// The number of bytes of a page an answer has room for.
  public static let pageBytes = 8 << 20

  /// The palettes in the order of lists, by the bytes of their names and then by their ids.
  ///
  /// - Parameters:
  ///   - listing: Whether dropped ones are meant.
  ///   - last: The palette behind which the page begins, whatever has become of it; nil for the first.
  ///   - limit: The most palettes.
  ///   - byteLimit: How many bytes are enough, with each palette as an answer has it; at least one
  ///     palette is given.
  ///   - isWanted: Which of them alone are meant.
  /// - Returns: The page; nil when nothing is known of `last`.
  /// - Throws: `StoreError` when the store failed.
  public func palettePage(
    _ listing: PaletteListing = .listed,
    after last: PaletteID? = nil,
    limit: Int = .max,
    byteLimit: Int = .max,
    where isWanted: (PaletteSummary) -> Bool = { _ in true }
  ) throws(StoreError) -> PalettePage? {
    let select = try box(.palettesAfter)
    var title = ""
    if let last {
      guard let row = try paletteRow(last), let name = row.title else { return nil }
      title = name
    }
    try select.statement.bind(title, at: 1)
    if let last {
      try select.statement.bind(last.record, at: 2)
    } else {
      try select.statement.bind([UInt8](), at: 2)
    }
    try select.statement.bind(listing.rawValue, at: 3)
    defer { select.statement.reset() }
    var page = PalettePage()
    var bytes = 0
    while try select.statement.step() {
      guard let summary = PaletteSummary(try PaletteRow(select.statement)), isWanted(summary) else {
        continue
      }
      guard page.palettes.count < limit, bytes < byteLimit else {
        page.hasMore = true
        break
      }
      bytes += summary.answerBytes
      page.palettes.append(summary)
    }
    return page
  }

  /// The palettes with exactly this name, by their ids.
  ///
  /// - Parameters:
  ///   - name: The name, compared byte for byte.
  ///   - listing: Whether dropped ones are meant.
  ///   - limit: How many are wanted.
  /// - Returns: At most so many of them, and how many there are in all.
  /// - Throws: `StoreError` when the store failed.
  public func palettes(
    named name: String,
    _ listing: PaletteListing = .listed,
    limit: Int = .max
  ) throws(StoreError) -> (palettes: [PaletteSummary], count: Int) {
    try matching((.palettesNamed, .countNamed), listing, limit) { statement throws(StoreError) in
      try statement.bind(name, at: 2)
    }
  }

  /// The palettes whose ids lie in a range, by their ids.
  ///
  /// - Parameters:
  ///   - ids: The ids.
  ///   - listing: Whether dropped ones are meant.
  ///   - limit: How many are wanted.
  /// - Returns: At most so many of them, and how many there are in all.
  /// - Throws: `StoreError` when the store failed.
  public func palettes(
    in ids: ClosedRange<RecordID>,
    _ listing: PaletteListing = .listed,
    limit: Int = .max
  ) throws(StoreError) -> (palettes: [PaletteSummary], count: Int) {
    try matching((.palettesInRange, .countInRange), listing, limit) {
      statement throws(StoreError) in
      try statement.bind(ids.lowerBound, at: 2)
      try statement.bind(ids.upperBound, at: 4)
    }
  }

  private func matching(
    _ queries: (rows: Query, count: Query),
    _ listing: PaletteListing,
    _ limit: Int,
    _ bind: (borrowing Statement) throws(StoreError) -> Void
  ) throws(StoreError) -> (palettes: [PaletteSummary], count: Int) {
    let select = try box(queries.rows)
    try select.statement.bind(listing.rawValue, at: 1)
    try bind(select.statement)
    try select.statement.bind(limit == .max ? -1 : Int64(limit), at: 3)
    var found: [PaletteSummary] = []
    try select.statement.rows { row throws(StoreError) in
      if let summary = PaletteSummary(try PaletteRow(row)) { found.append(summary) }
    }
    guard found.count == limit else { return (found, found.count) }
    let count = try box(queries.count)
    try count.statement.bind(listing.rawValue, at: 1)
    try bind(count.statement)
    return (found, try count.statement.row { Int($0.int64(0)) } ?? found.count)
  }

  /// The listed palettes with registers in conflict, in the order of lists.
  public func palettesInConflict() throws(StoreError) -> [PaletteSummary] {
    var found: [PaletteSummary] = []
    try box(.palettesInConflict).statement.rows { row throws(StoreError) in
      if let summary = PaletteSummary(try PaletteRow(row)) { found.append(summary) }
    }
    return found
  }

  /// The names of listed palettes, in order, for as long as `body` wants more.
  public func forEachName(_ body: (String) -> Bool) throws(StoreError) {
    let select = try box(.listedNames)
    defer { select.statement.reset() }
    while try select.statement.step() {
      guard body(select.statement.text(0)) else { return }
    }
  }
}

extension PaletteSummary {
  /// About how many bytes an answer needs for the palette, in which a character of the name may take
  /// six.
  fileprivate var answerBytes: Int {
    name.utf8.reduce(240) { $0 + ($1 < 0x20 || $1 == 0x22 || $1 == 0x5C ? 6 : 1) }
  }
}

extension Query {
  private static let named = "FROM palette WHERE dropped = ?1 AND title = ?2 AND title NOT NULL"
  // The plus keeps SQLite from reading all of the listed ones.
  private static let inRange =
    "FROM palette WHERE uuid BETWEEN ?2 AND ?4 AND +dropped = ?1 AND title NOT NULL"

  fileprivate static let palettesAfter = Query(
    """
    SELECT \(Self.paletteColumns) FROM palette INDEXED BY paletteByTitle
    WHERE dropped = ?3 AND title NOT NULL AND (title, uuid) > (?1, ?2)
    ORDER BY title, uuid
    """
  )
  fileprivate static let palettesNamed = Query(
    "SELECT \(Self.paletteColumns) \(Self.named) ORDER BY uuid LIMIT ?3"
  )
  fileprivate static let countNamed = Query("SELECT count(*) \(Self.named)")
  fileprivate static let palettesInRange = Query(
    "SELECT \(Self.paletteColumns) \(Self.inRange) ORDER BY uuid LIMIT ?3"
  )
  fileprivate static let countInRange = Query("SELECT count(*) \(Self.inRange)")
  fileprivate static let palettesInConflict = Query(
    """
    SELECT \(Self.paletteColumns) FROM palette INDEXED BY paletteInConflict
    WHERE conflicts > 0 AND dropped = 0 AND title NOT NULL ORDER BY title, uuid
    """
  )
  fileprivate static let listedNames = Query(
    "SELECT title FROM palette WHERE dropped = 0 AND title NOT NULL ORDER BY title, uuid"
  )
}

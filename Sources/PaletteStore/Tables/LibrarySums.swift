import PaletteMerge
import PaletteModel

/// The sums of a library's palettes, in 256 buckets by the last byte of their ids.
///
/// The transaction that writes a palette's row adds the difference to its bucket. So whoever asks
/// about the whole library reads 256 rows at most, and a rollback or a crash takes back both.
struct LibrarySums {
  /// The sum of some palettes.
  struct Sum: Hashable {
    fileprivate(set) var digest = Digest.zero
    fileprivate(set) var palettes = 0
    fileprivate(set) var colors = 0
    fileprivate(set) var conflicts = 0
    fileprivate(set) var changes = 0

    init() {}

    /// The summand of one palette.
    fileprivate init(_ row: PaletteRow) {
      // A row without changes is no palette yet.
      if row.digest != .zero { digest = Digest(row.id, row.digest) }
      changes = Int(row.arrivals)
      guard row.isListed else { return }
      (palettes, colors, conflicts) = (1, row.colors, row.conflicts)
    }

    /// Reads the columns in the order of `Query.buckets`.
    fileprivate init(_ statement: borrowing Statement) {
      digest = statement.withBytes(1) { Digest($0) } ?? .zero
      palettes = Int(statement.int64(2))
      colors = Int(statement.int64(3))
      conflicts = Int(statement.int64(4))
      changes = Int(statement.int64(5))
    }

    // Damage may have left any number in a row, so nothing here traps.
    static func += (left: inout Self, right: Self) {
      left.digest += right.digest
      left.palettes &+= right.palettes
      left.colors &+= right.colors
      left.conflicts &+= right.conflicts
      left.changes &+= right.changes
    }

    static func -= (left: inout Self, right: Self) {
      left.digest -= right.digest
      left.palettes &-= right.palettes
      left.colors &-= right.colors
      left.conflicts &-= right.conflicts
      left.changes &-= right.changes
    }
  }

  private var differences: [UInt8: Sum] = [:]

  /// Counts a row of a palette as it is from now on, in place of what is on disk.
  mutating func replace(_ old: PaletteRow, by new: PaletteRow) {
    var difference = Sum(new)
    difference -= Sum(old)
    if difference != Sum() { differences[new.id.bucket, default: Sum()] += difference }
  }

  /// Adds the differences to the buckets on disk.
  mutating func write(to database: StoreDatabase) throws(StoreError) {
    for (bucket, difference) in differences {
      let select = try database.box(.bucket)
      try select.statement.bind(Int64(bucket), at: 1)
      var sum = try select.statement.row { Sum($0) } ?? Sum()
      sum += difference
      try Self.put(sum, in: bucket, with: database.box(.putBucket).statement)
    }
    differences = [:]
  }

  private static func put(
    _ sum: Sum,
    in bucket: UInt8,
    with statement: borrowing Statement
  ) throws(StoreError) {
    try statement.bind(Int64(bucket), at: 1)
    try statement.bind(sum.digest.bytes, at: 2)
    try statement.bind(Int64(sum.palettes), at: 3)
    try statement.bind(Int64(sum.colors), at: 4)
    try statement.bind(Int64(sum.conflicts), at: 5)
    try statement.bind(Int64(sum.changes), at: 6)
    try statement.run()
  }

  /// The sum of every bucket, as it is on disk.
  static func all(
    with statement: borrowing Statement
  ) throws(StoreError) -> [Sum] {
    var sums = [Sum](repeating: Sum(), count: PaletteID.buckets)
    try statement.rows { row in
      if let bucket = UInt8(exactly: row.int64(0)) { sums[Int(bucket)] = Sum(row) }
    }
    return sums
  }

  /// The sum of every bucket, counted from the rows of palettes.
  static func counted(
    on connection: borrowing DatabaseConnection
  ) throws(StoreError) -> [Sum] {
    var sums = [Sum](repeating: Sum(), count: PaletteID.buckets)
    try connection.prepare(Query.allPalettes.sql).rows { statement throws(StoreError) in
      let row = try PaletteRow(statement)
      sums[Int(row.id.bucket)] += Sum(row)
    }
    return sums
  }
}

/// The amount that a library shows, all palettes together.
public struct LibraryTotals: Hashable, Sendable {
  /// Palettes that have a name and are not dropped.
  public let palettes: Int
  /// The colors that they list.
  public let colors: Int
  /// Their registers that have different live values.
  public let conflicts: Int
  /// Changes of all palettes that were committed here so far.
  public let changes: Int
}

extension Query {
  private static let bucketRows =
    "SELECT id, digest, palettes, colors, conflicts, changes FROM bucket"

  static let digestsOfBucket = Query("SELECT uuid, digest FROM palette WHERE substr(uuid, 16) = ?1")
  fileprivate static let bucket = Query("\(Self.bucketRows) WHERE id = ?1")
  static let buckets = Query(Self.bucketRows)
  fileprivate static let putBucket = Query("REPLACE INTO bucket VALUES(?1, ?2, ?3, ?4, ?5, ?6)")
}

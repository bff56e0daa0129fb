public import PaletteMerge
internal import PaletteModel

/// The rows of changes that a transaction adds to a palette, and the moment at which they came.
///
/// Rows can wait for more of them, since the beginning and end of a statement cost as much as a row.
struct ArrivalLog {
  private struct Row {
    let number: Int64
    let arrival: Int64
    let bytes: Range<Int>
  }

  private let database: StoreDatabase
  private var rows: [Row] = []
  /// The bytes that the rows keep of their changes, one after the other.
  private var bytes: [UInt8] = []
  private var waits = false
  private var hasMoment = false
  /// The time of the last moment recorded, once it was looked at.
  private(set) var moment: Int64?

  init(_ database: StoreDatabase) {
    self.database = database
  }

  /// Adds the row of a change.
  mutating func insert(
    _ dot: Dot,
    _ stream: StreamRow,
    arrival: Int64,
    _ change: UnsafeRawBufferPointer
  ) throws(StoreError) {
    let start = bytes.count
    bytes.append(contentsOf: change[ChangeRow.headCount(of: dot)...])
    rows.append(
      Row(
        number: stream.changeNumber(dot.sequence),
        arrival: arrival,
        bytes: start..<bytes.count
      )
    )
    if !waits || rows.count == Query.rowsAtOnce { try write() }
  }

  /// Makes room for as many rows as are to come, or as wait at once.
  mutating func reserve(_ count: Int) {
    let count = min(count, Query.rowsAtOnce)
    rows.reserveCapacity(count)
    bytes.reserveCapacity(count * Self.usualBytes)
  }

  /// The number of bytes a new color's change has.
  private static let usualBytes = 128

  /// Lets rows wait for more of them from now on, or no longer.
  mutating func wait(_ waits: Bool) { self.waits = waits }

  /// Writes the rows that wait.
  mutating func write() throws(StoreError) {
    guard !rows.isEmpty else { return }
    try bytes.withUnsafeBufferPointer { bytes throws(StoreError) in
      var first = 0
      while first < rows.count {
        let count = Query.rowsAtOnce(of: rows.count - first)
        let insert = try database.box(
          Query.inserting(count, .insertChange, .insertFewChanges, .insertChanges)
        )
        for offset in 0..<count {
          let row = rows[first + offset]
          let column = Int32(3 * offset)
          let rest = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[row.bytes]))
          try insert.statement.bind(row.number, at: column + 1)
          try insert.statement.bind(row.arrival, at: column + 2)
          try insert.statement.bind(lent: rest, at: column + 3)
        }
        try insert.statement.run()
        first += count
      }
    }
    rows.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  /// True if no moment was looked at yet.
  var lacksMoment: Bool { !hasMoment }

  /// Records the local time of what comes next, unless the last moment is less than a minute old.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - palette: The palette.
  ///   - known: The time of the last moment, where it is known.
  /// - Throws: `StoreError` when the store failed.
  mutating func recordMoment(
    _ now: Int64,
    in palette: PaletteRow,
    known: Int64?
  ) throws(StoreError) {
    hasMoment = true
    // Before the first arrival there is none.
    if palette.arrivals > 0 {
      if let known { moment = known } else { moment = try lastMoment(of: palette) }
    }
    // A clock that went back begins a new minute too.
    if let moment, (moment..<moment + 60_000).contains(now) { return }
    let insert = try database.box(.insertMoment)
    try insert.statement.bind(palette.number, at: 1)
    try insert.statement.bind(palette.arrivals, at: 2)
    try insert.statement.bind(now, at: 3)
    try insert.statement.run()
    moment = now
  }

  private func lastMoment(of palette: PaletteRow) throws(StoreError) -> Int64? {
    let last = try database.box(.lastMoment)
    try last.statement.bind(palette.number, at: 1)
    return try last.statement.row { $0.isNull(0) ? nil : $0.int64(1) } ?? nil
  }
}

/// The outcome of a change that came from elsewhere.
public enum Arrival: Sendable {
  /// It was new, and is held now.
  case merged
  /// It was held already.
  case held
  /// It cannot be taken.
  case refused(Refusal)
}

extension Query {
  static let lastMoment = Query("SELECT max(arrival), milliseconds FROM moment WHERE palette = ?1")
  fileprivate static let insertMoment = Query("INSERT OR IGNORE INTO moment VALUES(?1, ?2, ?3)")
}

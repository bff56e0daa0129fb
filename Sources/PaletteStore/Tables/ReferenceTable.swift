import PaletteMerge
import PaletteModel

/// References from the held changes of a palette to changes that have not arrived.
struct ReferenceTable {
  private let database: StoreDatabase
  /// True if there may be any.
  private(set) var hasAny: Bool

  /// Looks whether there are any, unless it is known that there are none.
  init(
    of palette: PaletteRow,
    in database: StoreDatabase,
    isEmpty: Bool
  ) throws(StoreError) {
    self.database = database
    hasAny = false
    if isEmpty { return }
    let select = try database.box(.hasAhead)
    try select.statement.bind(palette.number, at: 1)
    hasAny = try select.statement.row { $0.int64(0) } == 1
  }

  /// Adds what a change said.
  mutating func insert(_ mark: PendingReference, in palette: PaletteRow) throws(StoreError) {
    hasAny = true
    let insert = try database.box(.insertAhead)
    try bind(mark.dot, in: palette, to: insert)
    try insert.statement.bind(mark.record, at: 4)
    try insert.statement.bind(mark.effect.number, at: 5)
    try insert.statement.bind(Int64(mark.proof), at: 6)
    try insert.statement.run()
  }

  /// Removes what was said of a change that now arrives, and gives it.
  func remove(
    _ dot: Dot,
    in palette: PaletteRow
  ) throws(StoreError) -> [PendingReference] {
    guard hasAny else { return [] }
    var marks: [PendingReference] = []
    let select = try database.box(.ahead)
    try bind(dot, in: palette, to: select)
    try select.statement.rows { row throws(StoreError) in
      marks.append(
        PendingReference(
          record: try row.recordID(0),
          dot: dot,
          .init(number: row.int64(1)),
          proof: UInt32(truncatingIfNeeded: row.int64(2))
        )
      )
    }
    if !marks.isEmpty {
      let delete = try database.box(.deleteAhead)
      try bind(dot, in: palette, to: delete)
      try delete.statement.run()
    }
    return marks
  }

  /// All of a palette.
  static func all(
    of palette: PaletteRow,
    in database: StoreDatabase
  ) throws(StoreError) -> Set<PendingReference> {
    var marks: Set<PendingReference> = []
    let select = try database.prepare(
      "SELECT node, sequence, uuid, effect, proof FROM ahead WHERE palette = ?1"
    )
    try select.bind(palette.number, at: 1)
    try select.rows { row throws(StoreError) in
      let dot = Dot(
        NodeID(UInt64(bitPattern: row.int64(0))),
        UInt32(truncatingIfNeeded: row.int64(1))
      )
      marks.insert(
        PendingReference(
          record: try row.recordID(2),
          dot: dot,
          .init(number: row.int64(3)),
          proof: UInt32(truncatingIfNeeded: row.int64(4))
        )
      )
    }
    return marks
  }

  /// Removes everything that was said.
  func removeAll(in palette: PaletteRow) throws(StoreError) {
    let delete = try database.prepare("DELETE FROM ahead WHERE palette = ?1")
    try delete.bind(palette.number, at: 1)
    try delete.run()
  }

  private func bind(
    _ dot: Dot,
    in palette: PaletteRow,
    to box: PreparedQueries.Box
  ) throws(StoreError) {
    try box.statement.bind(palette.number, at: 1)
    try box.statement.bind(Int64(bitPattern: dot.node.rawValue), at: 2)
    try box.statement.bind(Int64(dot.sequence), at: 3)
  }
}

extension PendingReference.Effect {
  /// The value of the column for an effect.
  fileprivate var number: Int64 {
    switch self {
    case .replaced(let register): Int64(register.rawValue)
    case .covered: -1
    case .dropped: -2
    }
  }

  /// Reads the column of an effect.
  fileprivate init(number: Int64) {
    self =
      if let register = UInt16(exactly: number) {
        .replaced(Register(rawValue: register))
      } else {
        number == -1 ? .covered : .dropped
      }
  }
}

extension Query {
  fileprivate static let hasAhead = Query("SELECT EXISTS(SELECT 1 FROM ahead WHERE palette = ?1)")
  fileprivate static let ahead = Query(
    "SELECT uuid, effect, proof FROM ahead WHERE palette = ?1 AND node = ?2 AND sequence = ?3"
  )
  fileprivate static let insertAhead = Query(
    "INSERT OR IGNORE INTO ahead VALUES(?1, ?2, ?3, ?4, ?5, ?6)"
  )
  fileprivate static let deleteAhead = Query(
    "DELETE FROM ahead WHERE palette = ?1 AND node = ?2 AND sequence = ?3"
  )
}

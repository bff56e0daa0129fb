import PaletteModel

/// References from the held changes of a palette to changes that have not arrived.
struct ReferenceTable {
  private let database: StoreDatabase
  /// Whether there may be any.
  private(set) var hasAny: Bool

  /// Looks whether there are any, unless it is known that there are none.
  init(
    of palette: PaletteRow,
    _ database: StoreDatabase,
    _ cache: StoreCache
  ) throws(StoreError) {
    self.database = database
    hasAny = false
    // A new palette has no references.
    if palette.number == 0 || cache.palettes?.hasNothingAhead(in: palette.id) == true { return }
    let select = try database.box(.hasAhead)
    try select.statement.bind(palette.number, at: 1)
    hasAny = try select.statement.row { $0.int64(0) } == 1
    if !hasAny { cache.palettes?.rememberNothingAhead(in: palette.id) }
  }

  /// Adds what a change said.
  mutating func insert(_ mark: PendingReference, in palette: PaletteRow) throws(StoreError) {
    hasAny = true
    let insert = try database.box(.insertAhead)
    try bind(mark.dot, in: palette, to: insert)
    try insert.statement.bind(mark.record, at: 4)
    try insert.statement.bind(mark.register.map { Int64($0.rawValue) } ?? -1, at: 5)
    try insert.statement.run()
  }

  /// Removes what was said of a change that now arrives, and gives what concerns its record.
  func remove(
    _ dot: Dot,
    about record: RecordID,
    in palette: PaletteRow
  ) throws(StoreError) -> [PendingReference] {
    guard hasAny else { return [] }
    var marks: [PendingReference] = []
    let select = try database.box(.ahead)
    try bind(dot, in: palette, to: select)
    try select.statement.rows { row throws(StoreError) in
      let register = UInt16(exactly: row.int64(1)).map(Register.init(rawValue:))
      marks.append(PendingReference(record: try row.recordID(0), dot: dot, register: register))
    }
    if !marks.isEmpty {
      let delete = try database.box(.deleteAhead)
      try bind(dot, in: palette, to: delete)
      try delete.statement.run()
    }
    return marks.filter { $0.record == record }
  }

  /// Removes everything that was said.
  func removeAll(in palette: PaletteRow) throws(StoreError) {
    let delete = try database.prepare("DELETE FROM ahead WHERE palette = ?1")
    try delete.bind(palette.number, at: 1)
    try delete.run()
  }

  /// Whether anything was said of an author's changes behind one.
  func namesChange(behind dot: Dot, in palette: PaletteRow) throws(StoreError) -> Bool {
    guard hasAny else { return false }
    let select = try database.box(.isReferencedAhead)
    try bind(dot, in: palette, to: select)
    return try select.statement.row { $0.int64(0) } == 1
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

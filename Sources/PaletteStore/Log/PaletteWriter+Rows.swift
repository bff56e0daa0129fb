import PaletteModel

/// The rows of changes, of moments, and of what changes spoke of too early.
extension PaletteWriter {
  /// Stamp and hash of a change with a live value; its row is kept as long as the value lives.
  func facts(of dot: Dot) throws(StoreError) -> ChangeFacts {
    if let known = facts[dot] { return known }
    try writeRows()
    let found = try store.facts(of: dot, in: row, streams)
    facts.put(found, for: dot)
    return found
  }

  func hashHeld(_ dot: Dot) throws(StoreError) -> ChangeHash? {
    try writeRows()
    return try store.changeBytes(dot, streams).map { ChangeHash(of: $0, in: row.id) }
  }

  /// Writes the row of a change.
  func insert(
    _ dot: Dot,
    _ stream: StreamRow,
    _ bytes: UnsafeRawBufferPointer
  ) throws(StoreError) {
    try insertMoment()
    let rest = UnsafeRawBufferPointer(rebasing: bytes[ChangeRow.headCount(of: dot)...])
    rows.add(stream.changeNumber(dot.sequence), arrival: row.arrivals, rest)
    row.arrivals += 1
    if !gathersRows || rows.isFull { try rows.write(in: store) }
  }

  /// Runs `body`, in which the rows of changes are written together; nothing else there reads them.
  func gatheringRows(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    gathersRows = true
    defer { gathersRows = false }
    try body()
    try writeRows()
  }

  /// Writes the rows of changes that wait for more of them.
  func writeRows() throws(StoreError) {
    if !rows.isEmpty { try rows.write(in: store) }
  }

  /// Notes the local time of this arrival, unless the last note is less than a minute old.
  func insertMoment() throws(StoreError) {
    guard !hasMoment else { return }
    try begin()
    hasMoment = true
    let now = store.clock.nowMilliseconds
    moment = try lastMoment()
    // A clock that went back begins a new minute too.
    if let moment, (moment..<moment + 60_000).contains(now) { return }
    let insert = try store.box(.insertMoment)
    try insert.statement.bind(row.number, at: 1)
    try insert.statement.bind(row.arrivals, at: 2)
    try insert.statement.bind(now, at: 3)
    try insert.statement.run()
    moment = now
  }

  private func lastMoment() throws(StoreError) -> Int64? {
    if let known = store.cache.palettes?.moment(of: id) { return known }
    let last = try store.box(.lastMoment)
    try last.statement.bind(row.number, at: 1)
    return try last.statement.row { $0.isNull(0) ? nil : $0.int64(1) } ?? nil
  }

  func insert(_ mark: PendingReference) throws(StoreError) {
    try begin()
    hasAhead = true
    let insert = try store.box(.insertAhead)
    try insert.statement.bind(row.number, at: 1)
    try insert.statement.bind(Int64(bitPattern: mark.dot.node.rawValue), at: 2)
    try insert.statement.bind(Int64(mark.dot.sequence), at: 3)
    try insert.statement.bind(mark.record, at: 4)
    try insert.statement.bind(mark.register.map { Int64($0.rawValue) } ?? -1, at: 5)
    try insert.statement.run()
  }

  /// Takes what held changes said of a dot that now arrives.
  func takeMarks(
    of dot: Dot,
    record: RecordID
  ) throws(StoreError) -> [PendingReference] {
    var marks: [PendingReference] = []
    let select = try store.box(.ahead)
    try bind(dot, to: select)
    try select.statement.rows { row throws(StoreError) in
      let register = UInt16(exactly: row.int64(1)).map(Register.init(rawValue:))
      marks.append(PendingReference(record: try row.recordID(0), dot: dot, register: register))
    }
    if !marks.isEmpty {
      let delete = try store.box(.deleteAhead)
      try bind(dot, to: delete)
      try delete.statement.run()
    }
    return marks.filter { $0.record == record }
  }

  func bind(_ dot: Dot, to box: PreparedQueries.Box) throws(StoreError) {
    try box.statement.bind(row.number, at: 1)
    try box.statement.bind(Int64(bitPattern: dot.node.rawValue), at: 2)
    try box.statement.bind(Int64(dot.sequence), at: 3)
  }
}

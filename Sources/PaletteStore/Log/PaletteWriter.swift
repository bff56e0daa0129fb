public import PaletteModel

/// What one transaction does in one palette.
///
/// It loads the palette's row and streams at once, each record when a change first touches it, and
/// writes all of them back when the transaction ends.
public final class PaletteWriter {
  let store: ChangeStore
  var row: PaletteRow
  var streams: StreamTable
  var records: [RecordID: StoredRecord] = [:]
  var facts: [Dot: ChangeFacts] = [:]
  private var hasAhead: Bool
  private var hasMoment = false
  private var taken: [CommittedChanges.Entry] = []

  /// The palette.
  public var id: PaletteID { row.id }

  init(_ row: PaletteRow, store: ChangeStore) throws(StoreError) {
    self.row = row
    self.store = store
    streams = try StreamTable(of: row, in: store)
    let ahead = try store.box(.hasAhead)
    try ahead.statement.bind(row.number, at: 1)
    hasAhead = try ahead.statement.row { $0.int64(0) } == 1
  }

  /// The live values of a record as this transaction has them so far.
  public func state(of id: RecordID) throws(StoreError) -> RecordState {
    try record(id).state
  }

  /// The value of a register that is shown.
  public func shown(_ register: Register, of id: RecordID) throws(StoreError) -> LiveValue? {
    try record(id).state.shown(register) { dot throws(StoreError) in try facts(of: dot) }
  }

  /// Merges the bytes of a change; nothing is written for one that is refused.
  ///
  /// - Parameters:
  ///   - bytes: The change.
  ///   - dot: The dot that it was announced by, if it was; another one is malformed.
  /// - Returns: What became of it.
  /// - Throws: `StoreError` when the store failed.
  @discardableResult
  public func merge(_ bytes: [UInt8], announcedAs dot: Dot? = nil) throws(StoreError) -> Arrival {
    let change: Change
    do {
      change = try Change(decoding: bytes, in: row.id)
    } catch {
      return .refused(.malformed(error))
    }
    guard dot.map({ $0 == change.dot }) ?? true else {
      return .refused(.malformed(MalformedChange("the change has another dot")))
    }
    let hash = ChangeHash(of: bytes, in: row.id)
    let tip = streams[change.dot.node]?.tip
    let known = change.dot.sequence <= tip?.sequence ?? 0 ? try hashHeld(change.dot) : nil
    do throws(Refusal) {
      guard try change.continues(tip, hash: hash, heldHash: known) else { return .held }
    } catch {
      return .refused(error)
    }
    try take(change, bytes: bytes, hash: hash)
    try store.stepAside(from: change.dot.node)
    return .merged(change)
  }

  /// Makes this node's next change and merges it.
  @discardableResult
  public func author(_ edit: Edit) throws(StoreError) -> Change {
    let node = store.node
    let held = streams[node]?.held ?? 0
    guard held < .max else {
      throw StoreError(code: .failed, message: "this node has no sequence numbers left here")
    }
    let change = edit.change(
      dot: Dot(node, held + 1),
      stamp: store.nextStamp(),
      frontier: streams.frontier,
      state: try state(of: edit.record)
    )
    let bytes = change.encoded
    guard bytes.count <= ChangeLimits.changeBytes else {
      throw StoreError(
        code: .failed,
        message: "the edit needs more than \(ChangeLimits.changeBytes) bytes"
      )
    }
    try take(change, bytes: bytes, hash: ChangeHash(of: bytes, in: row.id))
    return change
  }

  /// Takes a change that continues its author's.
  func take(_ change: Change, bytes: [UInt8], hash: ChangeHash) throws(StoreError) {
    let dot = change.dot
    var stream = try streams.stream(of: dot.node, in: row, store)
    try insert(stream.changeNumber(dot.sequence), bytes)
    if let old = stream.tip { row.digest -= Digest(dot.node, old) }
    stream.held = dot.sequence
    stream.link = hash.link
    if change.kind.writesRegisters { stream.wrote = dot.sequence }
    row.digest += Digest(dot.node, Tip(sequence: dot.sequence, link: hash.link))
    streams[dot.node] = stream
    if change.kind == .drop { try join(drop: change) }
    facts[dot] = ChangeFacts(stamp: change.stamp, hash: hash)
    taken.append(CommittedChanges.Entry(change: change, link: hash.link, bytes: bytes))

    let marks = hasAhead ? try takeMarks(of: dot, record: change.record) : []
    var record = try record(change.record)
    let effect = try record.state.merge(
      change,
      hash: hash,
      marks: marks,
      holds: { streams.holds($0) },
      facts: { dot throws(StoreError) in try facts(of: dot) }
    )
    record.isChanged = true
    records[change.record] = record
    row.digest += effect.added
    row.digest -= effect.removed
    for mark in effect.ahead { try insert(mark) }
    for write in change.writes where write.register == .place { note(write.value) }
  }

  /// What was written; nil when nothing was.
  var committed: CommittedChanges? {
    let changed = Set(records.filter(\.value.isChanged).keys)
    guard !taken.isEmpty || !changed.isEmpty else { return nil }
    return CommittedChanges(palette: id, changes: taken, records: changed)
  }

  /// Writes back what changed.
  func flush() throws(StoreError) {
    let changed = records.filter(\.value.isChanged).sorted { $0.key < $1.key }
    for (id, record) in changed { try flush(id, record) }
    try streams.flush(store)
    let update = try store.box(.updatePalette)
    try update.statement.bind(row.number, at: 1)
    try update.statement.bind(Int64(row.colors), at: 2)
    try update.statement.bind(Int64(row.conflicts), at: 3)
    try update.statement.bind(row.digest.bytes, at: 4)
    try update.statement.bind(row.arrivals, at: 5)
    try update.statement.bind(row.last?.bytes, at: 6)
    try update.statement.bind(row.sinceMilliseconds, at: 7)
    try update.statement.run()
  }

  private func flush(_ id: RecordID, _ record: StoredRecord) throws(StoreError) {
    let image = try RecordImage(record.state, isPalette: id == row.id.record) {
      dot throws(StoreError) in try facts(of: dot)
    }
    row.colors += image.listed - record.listed
    row.conflicts += image.conflicts - record.conflicts
    try image.write(id, replacing: record, in: self)
  }

  func record(_ id: RecordID) throws(StoreError) -> StoredRecord {
    if let record = records[id] { return record }
    let record = try store.storedRecord(id, in: row, streams)
    records[id] = record
    return record
  }

  /// Raises the bound behind which new colors are appended.
  func note(_ value: RegisterValue) {
    guard let bytes = value.placeBytes, let place = Place(bytes: bytes) else { return }
    if row.last.map({ $0 < place }) ?? true { row.last = place }
  }

  private func join(drop: Change) throws(StoreError) {
    for dot in drop.frontier + [drop.dot] {
      var stream = try streams.stream(of: dot.node, in: row, store)
      stream.dropped = max(stream.dropped, dot.sequence)
      streams[dot.node] = stream
    }
  }
}

extension PaletteWriter {
  /// Stamp and hash of a change with a live value; its row is kept as long as the value lives.
  func facts(of dot: Dot) throws(StoreError) -> ChangeFacts {
    if let known = facts[dot] { return known }
    guard let bytes = try store.changeBytes(dot, streams) else {
      throw StoreError(code: .corrupt, message: "the change \(dot) of a live value is missing")
    }
    let found = try ChangeFacts(stored: bytes, in: row.id)
    facts[dot] = found
    return found
  }

  private func hashHeld(_ dot: Dot) throws(StoreError) -> ChangeHash? {
    try store.changeBytes(dot, streams).map { ChangeHash(of: $0, in: row.id) }
  }

  func insert(_ number: Int64, _ bytes: [UInt8]) throws(StoreError) {
    if !hasMoment { try insertMoment() }
    let insert = try store.box(.insertChange)
    try insert.statement.bind(number, at: 1)
    try insert.statement.bind(row.arrivals, at: 2)
    try insert.statement.bind(bytes, at: 3)
    try insert.statement.run()
    row.arrivals += 1
  }

  /// Notes the local time of this arrival, unless the last note is less than a minute old.
  private func insertMoment() throws(StoreError) {
    hasMoment = true
    let now = store.nowMilliseconds
    let last = try store.box(.lastMoment)
    try last.statement.bind(row.number, at: 1)
    let previous = try last.statement.row { $0.isNull(0) ? nil : $0.int64(1) } ?? nil
    // A clock that went back begins a new minute too.
    if let previous, (previous..<previous + 60_000).contains(now) { return }
    let insert = try store.box(.insertMoment)
    try insert.statement.bind(row.number, at: 1)
    try insert.statement.bind(row.arrivals, at: 2)
    try insert.statement.bind(now, at: 3)
    try insert.statement.run()
  }

  func insert(_ mark: AheadMark) throws(StoreError) {
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
  private func takeMarks(
    of dot: Dot,
    record: RecordID
  ) throws(StoreError) -> [AheadMark] {
    var marks: [AheadMark] = []
    let select = try store.box(.ahead)
    try bind(dot, to: select)
    try select.statement.rows { row throws(StoreError) in
      let register = UInt16(exactly: row.int64(1)).map(Register.init(rawValue:))
      marks.append(AheadMark(record: try row.recordID(0), dot: dot, register: register))
    }
    if !marks.isEmpty {
      let delete = try store.box(.deleteAhead)
      try bind(dot, to: delete)
      try delete.statement.run()
    }
    return marks.filter { $0.record == record }
  }

  private func bind(_ dot: Dot, to box: PreparedQueries.Box) throws(StoreError) {
    try box.statement.bind(row.number, at: 1)
    try box.statement.bind(Int64(bitPattern: dot.node.rawValue), at: 2)
    try box.statement.bind(Int64(dot.sequence), at: 3)
  }
}

extension ChangeFacts {
  /// Reads the facts of a change that this library stores.
  init(stored bytes: [UInt8], in palette: PaletteID) throws(StoreError) {
    do {
      let change = try Change(decoding: bytes, in: palette)
      self.init(stamp: change.stamp, hash: ChangeHash(of: bytes, in: palette))
    } catch {
      throw StoreError(code: .corrupt, message: "a stored change is damaged: \(error)")
    }
  }
}

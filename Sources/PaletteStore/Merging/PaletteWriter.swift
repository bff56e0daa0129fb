public import PaletteMerge
public import PaletteModel

/// The writer of one transaction in one palette.
///
/// It loads the palette's row and streams at once, each record when a change first touches it, and
/// writes all of them back when the transaction ends.
public final class PaletteWriter {
  let reader: PaletteReader
  let parts: WriterParts
  /// The author of the changes that come from no other node.
  let authorID: AuthorID
  /// The palette's row as this transaction leaves it.
  let draft: PaletteRowDraft
  private let numbers: RowNumbers
  let streams: StreamTable
  let records: TouchedRecords
  let facts = FactTable()
  private var arrivals: ArrivalLog
  /// References to changes that have not arrived.
  private(set) var references: ReferenceTable
  /// The author's undo stack.
  let undoStack: UndoStack
  /// The stamp of the changes that the transaction makes.
  let actionStamp = ActionStamp()
  /// True if no record of the palette has a row yet, since nothing was held when the transaction
  /// began.
  private(set) var beganEmpty: Bool
  /// The changes that were merged, for those who are to be told; nil when nobody is.
  private var merged: [CommittedChanges.Entry]?
  /// True if the author's name was looked at.
  private var isIntroduced = false
  /// True if the whole palette was loaded from a snapshot.
  private var isRebuilt = false
  /// The records that the beginning of the palette made.
  private var loaded: [RecordID] = []

  /// The palette.
  public var id: PaletteID { row.id }

  /// The palette's row as it is by now.
  var row: PaletteRow { draft.row }

  init(
    _ row: PaletteRow,
    reader: PaletteReader,
    parts: WriterParts,
    author: AuthorID,
    numbers: RowNumbers,
    collectsChanges: Bool
  ) throws(StoreError) {
    draft = PaletteRowDraft(row, numbers: numbers)
    self.numbers = numbers
    self.reader = reader
    self.parts = parts
    self.authorID = author
    merged = collectsChanges ? [] : nil
    beganEmpty = row.arrivals == 0
    streams = try reader.streams(of: row)
    arrivals = ArrivalLog(reader.database)
    references = try reader.references(of: row)
    records = TouchedRecords(
      RecordTable(
        database: reader.database,
        functions: parts.functions,
        palette: draft,
        streams: streams
      )
    )
    let kept = reader.cache.palettes?.actions(of: row.id, by: author)
    undoStack = UndoStack(of: author, in: reader.database, kept: kept)
    reader.cache.palettes?.forgetRecords(of: row.id)
  }

  /// The database, for the tables.
  var database: StoreDatabase { reader.database }

  /// The id under which an author in this library makes changes.
  func node(of author: AuthorID) throws(StoreError) -> NodeID {
    try parts.identity.node(of: author)
  }

  /// The time by the library's clock.
  var nowMilliseconds: Int64 { parts.clock.nowMilliseconds }

  /// An author's stream, made when there is none yet.
  func stream(of node: NodeID) throws(StoreError) -> StreamRow {
    if let row = streams[node] { return row }
    try draft.begin()
    return try streams.begin(node, isOwn: parts.identity.isOwn(node), numbers)
  }

  /// The live values of a record as this transaction has them so far.
  public func state(of id: RecordID) throws(StoreError) -> RecordState {
    try records.record(id).state
  }

  /// The value of a register that is shown.
  public func shown(_ register: Register, of id: RecordID) throws(StoreError) -> LiveValue? {
    try state(of: id).shown(register) { dot throws(StoreError) in try facts(of: dot) }
  }

  /// Says that the whole palette was loaded from a snapshot.
  func rebuilt() {
    isRebuilt = true
    reader.cache.forgetOrder(of: row.id)
  }

  /// True if nothing of the palette is held, and nothing was written.
  var holdsNothing: Bool {
    row.arrivals == 0 && streams.all.isEmpty && !references.hasAny && records.isEmpty
  }

  /// Says that the beginning of the palette was loaded.
  func began(with beginning: PaletteBeginning) {
    beganEmpty = false
    loaded = beginning.changes.records
    reader.cache.forgetOrder(of: row.id)
    guard merged != nil else { return }
    let changes = beginning.changes
    merged = changes.rows.map { row in
      let bytes = ChangeBytes(changes.bytes, row.range)
      return CommittedChanges.Entry(dot: changes.dot(of: row), stamp: row.stamp, bytes: bytes)
    }
  }

  /// The written changes; nil if there are none.
  var committed: CommittedChanges? {
    guard row.number != 0 else { return nil }
    let changed = loaded.isEmpty ? records.changedIDs : loaded + records.changedIDs
    let merged = merged ?? []
    guard !merged.isEmpty || !changed.isEmpty || isRebuilt else { return nil }
    return CommittedChanges(palette: id, changes: merged, records: changed, isRebuilt: isRebuilt)
  }

  /// Writes back what changed, and updates the library's sums.
  func flush(into sums: inout LibrarySums) throws(StoreError) {
    guard row.number != 0 else { return }
    try arrivals.write()
    let before = try draft.placesBefore(records.changedIDs, in: database)
    try records.writeAdded()
    try updateOrder(of: records.addedIDs)
    let shown = try flushRecords()
    try streams.flush(of: row, to: database)
    if let before { try PlaceIndex.update(before, in: row, database) }
    if records.isChanged(row.id.record) || isRebuilt || loaded.contains(row.id.record) {
      draft.setTitle(try reader.shownRecord(row.id.record, in: row)?.name)
    }
    try draft.write(isDropped: !streams.isVisible, isRebuilt: isRebuilt, to: database)
    sums.replace(draft.stored, by: row)
    reader.cache.palettes?.keep(
      row,
      streams,
      shown,
      hasAhead: references.hasAny,
      actions: undoStack.known.map { (authorID, $0) },
      moment: arrivals.moment
    )
  }

  /// Adds new records to the cached order.
  private func updateOrder(of ids: [RecordID]) throws(StoreError) {
    guard reader.cache.hasOrder(of: row.id) else { return }
    guard ids.count <= 64 else {
      reader.cache.forgetOrder(of: row.id)
      return
    }
    for id in ids {
      let shown = try reader.shownRecord(id, in: row)
      reader.cache.put(id, at: shown?.isListed == true ? shown?.place : nil, in: row.id)
    }
  }

  /// Writes the records that changed.
  ///
  /// - Returns: What is shown of them, if they are few enough to be cached.
  private func flushRecords() throws(StoreError) -> [ShownRecord] {
    var shown: [ShownRecord] = []
    let keeps = reader.cache.palettes != nil
    let keepsOrder = reader.cache.hasOrder(of: row.id)
    let facts = { (dot: Dot) throws(StoreError) in try self.facts(of: dot) }
    try records.writeChanged(facts: facts) { id, image in
      if keeps, shown.count <= PaletteReader.recordsAtHand, let record = image.shownRecord(id) {
        shown.append(record)
      }
      if keepsOrder {
        reader.cache.put(id, at: image.listed == 1 ? image.place : nil, in: row.id)
      }
    }
    return shown.count <= PaletteReader.recordsAtHand ? shown : []
  }

  /// Stamp and hash of a change with a live value; its row is kept as long as the value lives.
  func facts(of dot: Dot) throws(StoreError) -> ChangeFacts {
    if let known = facts[dot] { return known }
    try arrivals.write()
    let found = try reader.facts(of: dot, in: row, streams)
    facts.put(found, for: dot)
    return found
  }

  /// The first four bytes of the hash of a change that is held; nil where nothing tells them any more.
  func proof(of dot: Dot) throws(StoreError) -> UInt32? {
    if let known = facts[dot] { return known.hash.proof }
    try arrivals.write()
    return try reader.link(of: dot, streams, in: row.id).map {
      UInt32(truncatingIfNeeded: $0 >> 32)
    }
  }

  func hashHeld(_ dot: Dot) throws(StoreError) -> ChangeHash? {
    try arrivals.write()
    return try reader.changeBytes(dot, streams).map { ChangeHash(of: $0, in: row.id) }
  }

  /// Makes room for changes of others: buffers that grow would take as long as what they hold.
  func reserve(_ count: Int) {
    merged?.reserveCapacity(count)
    arrivals.reserve(count)
    if beganEmpty { records.reserve(adding: count) }
  }

  /// Writes the row of a change.
  func insert(
    _ dot: Dot,
    _ stream: StreamRow,
    _ bytes: UnsafeRawBufferPointer
  ) throws(StoreError) {
    try insertMoment()
    try arrivals.insert(dot, stream, arrival: draft.nextArrival(), bytes)
  }

  /// Runs `body`, in which the rows of changes are written together; nothing else there reads them.
  func gatheringRows(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    arrivals.wait(true)
    defer { arrivals.wait(false) }
    try body()
    try arrivals.write()
  }

  /// Records the local time of what arrives next.
  func insertMoment() throws(StoreError) {
    guard arrivals.lacksMoment else { return }
    try draft.begin()
    let known = reader.cache.palettes?.moment(of: id)
    try arrivals.recordMoment(nowMilliseconds, in: row, known: known)
  }

  /// Adds a reference to a change that has not arrived.
  func insert(_ mark: PendingReference) throws(StoreError) {
    try draft.begin()
    try references.insert(mark, in: row)
  }

  /// Writes the author's name before its first change in the palette, and after it got another name.
  func introduceAuthor(_ node: NodeID) throws(StoreError) {
    guard !isIntroduced else { return }
    isIntroduced = true
    guard let name = TextRule.name.cleaned(try parts.name(of: authorID)) else { return }
    let claim = AuthorClaim(palette: id, node: node)
    guard reader.cache.introduction(claim) != name else { return }
    let record = RecordID.author(node)
    let state = try state(of: record)
    if state.isVisible, try shown(.name, of: record)?.value == RegisterValue(text: name) {
      // Only what was read is cached: what is written may be rolled back.
      reader.cache.setIntroduction(name, claim)
      return
    }
    reader.cache.setIntroduction(nil, claim)
    let value = RegisterValue(text: name)
    try author(state.values.isEmpty ? .add(record, [.name: value]) : .set(record, [.name: value]))
  }

  /// Appends a change that continues its author's.
  func append(_ change: Change, bytes: ChangeBytes, hash: ChangeHash) throws(StoreError) {
    var isFirst = change.writes.allSatisfy { $0.saw.isEmpty }
    if isFirst { isFirst = try self.isFirst(change.kind, change.record, change.writes) }
    try append(change, bytes, hash, isFirst: isFirst)
  }

  func append(
    _ change: Change,
    _ bytes: ChangeBytes,
    _ hash: ChangeHash,
    isFirst: Bool
  ) throws(StoreError) {
    try bytes.withUnsafeBytes { (bytes) throws(StoreError) in
      try hold(change.dot, change.stamp, change.kind, bytes, hash)
    }
    merged?.append(CommittedChanges.Entry(dot: change.dot, stamp: change.stamp, bytes: bytes))
    if isFirst {
      add(change.record, change.dot, change.writes, hash)
    } else {
      try apply(change, hash)
    }
  }

  /// Writes the row of a change, and moves its author's head to it.
  private func hold(
    _ dot: Dot,
    _ stamp: Stamp,
    _ kind: ChangeKind,
    _ bytes: UnsafeRawBufferPointer,
    _ hash: ChangeHash
  ) throws(StoreError) {
    var stream = try self.stream(of: dot.node)
    try insert(dot, stream, bytes)
    if let old = stream.head { draft.subtract(Digest(dot.node, old)) }
    stream.held = dot.sequence
    stream.link = hash.link
    stream.append(stamp, at: dot.sequence)
    if kind.writesRegisters { stream.wrote = dot.sequence }
    draft.add(Digest(dot.node, StreamHead(sequence: dot.sequence, link: hash.link)))
    streams.update(stream)
  }

  /// Makes a record from the only change about it.
  private func add(
    _ record: RecordID,
    _ dot: Dot,
    _ writes: [Change.Write],
    _ hash: ChangeHash
  ) {
    for index in writes.indices {
      draft.add(Digest(hash, writes[index].register, covered: false))
      if writes[index].register == .place { draft.raiseBound(to: writes[index].value) }
    }
    records.add(record, dot, writes)
  }

  /// Alters the live values of a change's record.
  private func apply(_ change: Change, _ hash: ChangeHash) throws(StoreError) {
    for write in change.writes where write.register == .place { draft.raiseBound(to: write.value) }
    facts.put(ChangeFacts(stamp: change.stamp, hash: hash), for: change.dot)
    let marks = try references.remove(change.dot, in: row)
    if marks.contains(where: { $0.drops(hash) }) { drop(upTo: change.dot) }
    let effect = try records.update(change.record) { state throws(StoreError) in
      try state.merge(
        change,
        hash: hash,
        marks: marks,
        holds: { streams.holds($0) },
        facts: { dot throws(StoreError) in try facts(of: dot) }
      )
    }
    draft.add(effect.added)
    draft.subtract(effect.removed)
    let drop = try change.drop(
      holds: { streams.holds($0) },
      proof: { dot throws(StoreError) in try proof(of: dot) }
    )
    for dot in drop.reached { self.drop(upTo: dot) }
    let ahead = effect.ahead + drop.ahead
    for mark in ahead { try insert(mark) }
    if !ahead.isEmpty, let last = merged?.indices.last { merged?[last].aheadCount = ahead.count }
  }

  /// Returns whether a change is the first about its record, and nothing but its values is in the
  /// rows then.
  func isFirst(
    _ kind: ChangeKind,
    _ record: RecordID,
    _ writes: [Change.Write]
  ) throws(StoreError) -> Bool {
    guard kind.writesRegisters, !references.hasAny, record != row.id.record else { return false }
    for index in writes.indices where !writes[index].register.isKnown { return false }
    return try !holds(record)
  }

  /// Returns whether a record was loaded or added, or has rows.
  private func holds(_ id: RecordID) throws(StoreError) -> Bool {
    if records.wasAdded(id) { return true }
    if let record = records.known(id) { return record.hasRow || record.isChanged }
    if beganEmpty { return false }
    let record = try records.table.record(id)
    if record.hasRow { records.put(record, for: id) }
    return record.hasRow
  }

  /// Ends what is planned to be removed: called by all that is about to alter the log but by an append.
  func endCompaction() { parts.compactions.end(id) }

  /// Notes that all of an author's changes up to one that is held lie within a drop.
  func drop(upTo dot: Dot) {
    guard var stream = streams[dot.node], stream.dropped < dot.sequence else { return }
    stream.dropped = dot.sequence
    streams.update(stream)
  }
}

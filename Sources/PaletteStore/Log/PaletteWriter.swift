public import PaletteModel
import PalettePlatform

/// What one transaction does in one palette.
///
/// It loads the palette's row and streams at once, each record when a change first touches it, and
/// writes all of them back when the transaction ends.
public final class PaletteWriter {
  let store: ChangeStore
  /// Who makes the changes that come from no other node.
  let authorID: AuthorID
  var row: PaletteRow
  /// The row as it is on disk.
  private let stored: PaletteRow
  let streams: StreamTable
  /// Loaded records, including ones known to be absent.
  var records = TouchTable<RecordID, StoredRecord>()
  /// Where the record that is asked for next is likely to be; -1 for nowhere.
  var recordIndexHint = -1
  let facts = FactTable()
  private var arrivals: ArrivalLog
  /// What changes that are held said of changes that are not.
  private(set) var references: ReferenceTable
  /// Records that a change of this transaction made.
  var added = AddedRecords()
  /// The author's undo stack, once it was looked at.
  var actions: ActionStack?
  /// Whether nothing of the palette was held when the transaction began.
  let beganEmpty: Bool
  /// The changes that were merged, for those who are to be told; nil when nobody is.
  var merged: [CommittedChanges.Entry]?
  var encoder = CBORWriter(reservingCapacity: 256)
  /// The greatest place so far, as the value that it was written as.
  private var last: RegisterValue?
  /// Whether the author's name was looked at.
  private var isIntroduced = false
  /// Whether the whole palette was loaded from a snapshot.
  var isRebuilt = false

  /// The palette.
  public var id: PaletteID { row.id }

  init(_ row: PaletteRow, store: ChangeStore, author: AuthorID) throws(StoreError) {
    self.row = row
    stored = row
    self.store = store
    self.authorID = author
    merged = store.followsCommits ? [] : nil
    beganEmpty = row.arrivals == 0
    streams = try StreamTable(of: row, in: store)
    arrivals = ArrivalLog(store.database)
    references = try ReferenceTable(of: row, store.database, store.cache)
    store.cache.palettes?.forgetRecords(of: row.id)
  }

  /// Inserts the palette's row before the first thing that is written of it.
  ///
  /// So changes that are refused leave no row, whatever palette they name.
  func begin() throws(StoreError) {
    guard row.number == 0 else { return }
    let insert = try store.box(.insertPalette)
    try insert.statement.bind(row.id.record, at: 1)
    try insert.statement.bind(Digest.zero.bytes, at: 2)
    row.number = try insert.statement.row { $0.int64(0) } ?? 0
  }

  /// An author's stream, made when there is none yet.
  func stream(of node: NodeID) throws(StoreError) -> StreamRow {
    try begin()
    return try streams.stream(of: node, in: row, store)
  }

  /// The live values of a record as this transaction has them so far.
  public func state(of id: RecordID) throws(StoreError) -> RecordState {
    try record(id).state
  }

  /// The value of a register that is shown.
  public func shown(_ register: Register, of id: RecordID) throws(StoreError) -> LiveValue? {
    try record(id).state.shown(register) { dot throws(StoreError) in try facts(of: dot) }
  }

  /// What was written; nil when nothing was.
  var committed: CommittedChanges? {
    guard row.number != 0 else { return nil }
    // Whatever is touched after it was added is kept among the others from then on.
    var changed = Array(added.ids)
    records.tell { id, record, _ in if record.isChanged { changed.append(id) } }
    let merged = merged ?? []
    guard !merged.isEmpty || !changed.isEmpty || isRebuilt else { return nil }
    return CommittedChanges(palette: id, changes: merged, records: changed, isRebuilt: isRebuilt)
  }

  /// Writes back what changed, and counts the palette's row among all.
  func flush(into sums: inout LibrarySums) throws(StoreError) {
    guard row.number != 0 else { return }
    try arrivals.write()
    let before = try placesBefore()
    try added.write(in: self)
    try updateOrder(of: Array(added.ids))
    let shown = try flushRecords()
    try streams.flush(store)
    if let before { try PlaceIndex.update(before, in: row, store) }
    if isRebuilt { row.hasPlaceIndex = false }
    if let bytes = last?.placeBytes { row.last = Place(bytes: bytes) }
    let update = try store.box(.updatePalette)
    try update.statement.bind(row.number, at: 1)
    try update.statement.bind(Int64(row.colors), at: 2)
    try update.statement.bind(Int64(row.conflicts), at: 3)
    try update.statement.bind(row.digest.bytes, at: 4)
    try update.statement.bind(row.arrivals, at: 5)
    try update.statement.bind(row.last?.bytes, at: 6)
    try update.statement.bind(row.sinceMilliseconds, at: 7)
    try update.statement.bind(row.hasPlaceIndex ? 1 : 0, at: 8)
    try update.statement.run()
    try writeTitle()
    sums.replace(stored, by: row)
    store.cache.palettes?.keep(
      row,
      streams,
      shown,
      hasAhead: references.hasAny,
      actions: authorID == .library ? actions : nil,
      moment: arrivals.moment
    )
  }

  /// Writes what the list of palettes shows of this one.
  private func writeTitle() throws(StoreError) {
    if records[row.id.record]?.isChanged ?? false || isRebuilt {
      row.title = try store.shownRecord(row.id.record, in: row)?.name
    }
    row.isDropped = !streams.isVisible
    // Else their index would be written anew with every edit.
    guard row.title != stored.title || row.isDropped != stored.isDropped else { return }
    let update = try store.box(.retitlePalette)
    try update.statement.bind(row.number, at: 1)
    try update.statement.bind(row.title, at: 2)
    try update.statement.bind(row.isDropped ? 1 : 0, at: 3)
    try update.statement.run()
  }

  /// Where the records that change stand now, where an index has to know.
  private func placesBefore() throws(StoreError) -> PlaceIndex.Before? {
    guard row.hasPlaceIndex else { return nil }
    var changed = Array(added.ids)
    records.tell { id, record, _ in if record.isChanged { changed.append(id) } }
    return try PlaceIndex.before(changed, in: &row, store)
  }

  /// Brings the order that is kept up to date with records that were made.
  private func updateOrder(of ids: [RecordID]) throws(StoreError) {
    guard store.cache.hasOrder(of: row.id) else { return }
    guard ids.count <= 64 else {
      store.cache.forgetOrder(of: row.id)
      return
    }
    for id in ids {
      let shown = try store.shownRecord(id, in: row)
      store.cache.put(id, at: shown?.isListed == true ? shown?.place : nil, in: row.id)
    }
  }

  /// Writes the records that changed, in the order of the table.
  ///
  /// - Returns: What is shown of them, where a few are to be kept.
  private func flushRecords() throws(StoreError) -> [ShownRecord] {
    var changed: [(id: RecordID, index: Int)] = []
    records.tell { id, record, index in if record.isChanged { changed.append((id, index)) } }
    changed.sort { $0.id < $1.id }
    var rows = RecordRows()
    var shown: [ShownRecord] = []
    let keeps = store.cache.palettes != nil && changed.count <= ChangeStore.recordsAtHand
    let keepsOrder = store.cache.hasOrder(of: row.id)
    for (id, index) in changed {
      let image = try flush(id, records.values[index], with: &rows)
      if keeps, let record = image.shownRecord(id) { shown.append(record) }
      if keepsOrder {
        store.cache.put(id, at: image.listed == 1 ? image.place : nil, in: row.id)
      }
    }
    try rows.writeAll(in: self)
    return shown
  }

  private func flush(
    _ id: RecordID,
    _ record: StoredRecord,
    with rows: inout RecordRows
  ) throws(StoreError) -> RecordRowBuilder {
    let image = try RecordRowBuilder(record.state, isPalette: id == row.id.record) {
      dot throws(StoreError) in try facts(of: dot)
    }
    row.colors += image.listed - record.listed
    row.conflicts += image.conflicts - record.conflicts
    try image.write(id, replacing: record, with: &rows, in: self)
    return image
  }

  func record(_ id: RecordID) throws(StoreError) -> StoredRecord {
    records.values[try index(ofRecord: id)]
  }

  /// Where a record is kept, which is read if need be.
  func index(ofRecord id: RecordID) throws(StoreError) -> Int {
    if let values = added.remove(id) {
      let record = StoredRecord(state: RecordState(values: values), isChanged: true)
      return records.put(record, for: id)
    }
    if recordIndexHint >= 0, records.keys[recordIndexHint] == id { return recordIndexHint }
    if let index = records.index(of: id) { return index }
    return records.put(try store.storedRecord(id, in: row, streams), for: id)
  }

  /// What the column of a live value's dot holds.
  func valueNumber(of dot: Dot) -> Int64 {
    guard let number = streams.valueNumber(dot) else {
      preconditionFailure("a change is held after its author's stream is made")
    }
    return number
  }

  /// Stamp and hash of a change with a live value; its row is kept as long as the value lives.
  func facts(of dot: Dot) throws(StoreError) -> ChangeFacts {
    if let known = facts[dot] { return known }
    try arrivals.write()
    let found = try store.facts(of: dot, in: row, streams)
    facts.put(found, for: dot)
    return found
  }

  func hashHeld(_ dot: Dot) throws(StoreError) -> ChangeHash? {
    try arrivals.write()
    return try store.changeBytes(dot, streams).map { ChangeHash(of: $0, in: row.id) }
  }

  /// Writes the row of a change.
  func insert(
    _ dot: Dot,
    _ stream: StreamRow,
    _ bytes: UnsafeRawBufferPointer
  ) throws(StoreError) {
    try insertMoment()
    try arrivals.insert(dot, stream, arrival: row.arrivals, bytes)
    row.arrivals += 1
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
    try begin()
    let known = store.cache.palettes?.moment(of: id)
    try arrivals.recordMoment(store.clock.nowMilliseconds, in: row, known: known)
  }

  /// Adds what a change that is held said of one that is not.
  func insert(_ mark: PendingReference) throws(StoreError) {
    try begin()
    try references.insert(mark, in: row)
  }

  /// Writes the author's name before its first change in the palette, and after it got another name.
  func introduceAuthor(_ node: NodeID) throws(StoreError) {
    guard !isIntroduced else { return }
    isIntroduced = true
    let text =
      authorID == .library ? store.nameOfOwner() : try store.authors.name(of: authorID) ?? ""
    guard let name = TextRule.name.cleaned(text) else { return }
    let claim = AuthorClaim(palette: id, node: node)
    guard store.cache.introduction(claim) != name else { return }
    let record = RecordID.author(node)
    let state = try state(of: record)
    if state.isVisible, try shown(.name, of: record)?.value == RegisterValue(text: name) {
      // Only what was read is remembered: what is written may be merged back.
      store.cache.setIntroduction(name, claim)
      return
    }
    store.cache.setIntroduction(nil, claim)
    let value = RegisterValue(text: name)
    try author(state.values.isEmpty ? .add(record, [.name: value]) : .set(record, [.name: value]))
  }

  /// Lowers the bound behind which new colors are appended; nil is the beginning.
  func lowerBound(to place: Place?) {
    last = nil
    row.last = place
  }

  /// Raises the bound behind which new colors are appended.
  func raiseBound(to value: RegisterValue) {
    let isGreater = value.withPlaceBytes { place in
      guard let place, !place.isEmpty else { return false }
      if let last {
        return last.withPlaceBytes { $0.map { $0.isBefore(place) } ?? true }
      }
      guard let last = row.last else { return true }
      return last.bytes.withUnsafeBytes { $0.isBefore(place) }
    }
    if isGreater { last = value }
  }
}

extension UnsafeRawBufferPointer {
  /// The order of places.
  fileprivate func isBefore(_ other: Self) -> Bool {
    let shared = Swift.min(count, other.count)
    guard shared > 0, let left = baseAddress, let right = other.baseAddress else {
      return count < other.count
    }
    let order = memcmp(left, right, shared)
    return order == 0 ? count < other.count : order < 0
  }
}

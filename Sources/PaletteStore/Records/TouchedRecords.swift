import PaletteMerge
import PaletteModel

/// The records that a transaction has touched in one palette.
///
/// Each is read when it is first asked for, and known from then on, also as absent; those that one change
/// each made are kept apart, until something else touches them.
final class TouchedRecords {
  let table: RecordTable
  private var records: [StoredRecord] = []
  private var ids: [RecordID] = []
  private var positions: [RecordID: Int] = [:]
  private var added = AddedRecords()

  init(_ table: RecordTable) {
    self.table = table
  }

  /// True if no record was touched or made.
  var isEmpty: Bool { ids.isEmpty && added.isEmpty }

  /// The records that one change of the transaction made, and nothing else touched.
  var addedIDs: [RecordID] { Array(added.ids) }

  /// The records that are not what their rows are.
  var changedIDs: [RecordID] {
    addedIDs + ids.indices.lazy.filter { self.records[$0].isChanged }.map { self.ids[$0] }
  }

  /// Returns whether a record that was touched is not what its rows are.
  func isChanged(_ id: RecordID) -> Bool { positions[id].map { records[$0].isChanged } ?? false }

  /// Returns whether the transaction made a record, whatever became of it since.
  func wasAdded(_ id: RecordID) -> Bool { added.contains(id) }

  /// Keeps the writes of the only change about a record.
  func add(_ id: RecordID, _ dot: Dot, _ writes: [Change.Write]) { added.insert(id, dot, writes) }

  /// Makes room for as many records that one change each makes.
  func reserve(adding count: Int) { added.reserve(count) }

  /// The state of a record, if it is known without reading.
  func known(_ id: RecordID) -> StoredRecord? { positions[id].map { records[$0] } }

  /// A record as the transaction has it so far.
  func record(_ id: RecordID) throws(StoreError) -> StoredRecord {
    records[try position(of: id)]
  }

  /// Alters a record where it stands: a copy of its values would be made for every change.
  func update<Result>(
    _ id: RecordID,
    _ body: (inout RecordState) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let position = try position(of: id)
    let result = try body(&records[position].state)
    records[position].isChanged = true
    return result
  }

  /// Marks a record, so that its rows are written again.
  func rewrite(_ id: RecordID) throws(StoreError) {
    let position = try position(of: id)
    records[position].isChanged = true
  }

  /// Puts a record in the place of what is known of it.
  func put(_ record: StoredRecord, for id: RecordID) { _ = position(putting: record, for: id) }

  /// Makes room for as many records more.
  func reserve(_ count: Int) {
    ids.reserveCapacity(ids.count + count)
    records.reserveCapacity(ids.count + count)
    positions.reserveCapacity(ids.count + count)
  }

  private func position(of id: RecordID) throws(StoreError) -> Int {
    if let values = added.remove(id) {
      let record = StoredRecord(state: RecordState(values: values), isChanged: true)
      return position(putting: record, for: id)
    }
    if let position = positions[id] { return position }
    return position(putting: try table.record(id), for: id)
  }

  private func position(putting record: StoredRecord, for id: RecordID) -> Int {
    if let position = positions.updateValue(ids.count, forKey: id) {
      positions[id] = position
      records[position] = record
      return position
    }
    ids.append(id)
    records.append(record)
    return ids.count - 1
  }

  /// Writes the rows of the records that one change each made.
  func writeAdded() throws(StoreError) { try added.write(in: table) }

  /// Writes the other records that changed, in the order of the table.
  ///
  /// - Parameters:
  ///   - facts: Gives stamp and hash of a change.
  ///   - report: Receives what each shows from now on.
  /// - Throws: `StoreError` when the store failed.
  func writeChanged(
    facts: (Dot) throws(StoreError) -> ChangeFacts,
    _ report: (RecordID, RecordRowBuilder) -> Void
  ) throws(StoreError) {
    var rows = RecordRows()
    let changed = ids.indices.filter { records[$0].isChanged }.sorted { ids[$0] < ids[$1] }
    for position in changed {
      let (id, record) = (ids[position], records[position])
      let image = try RecordRowBuilder(record.state, isPalette: table.isPalette(id), facts: facts)
      table.palette.count(
        colors: image.listed - record.listed,
        conflicts: image.conflicts - record.conflicts
      )
      try image.write(id, replacing: record, with: &rows, in: table)
      report(id, image)
    }
    try rows.writeAll(in: table)
  }
}

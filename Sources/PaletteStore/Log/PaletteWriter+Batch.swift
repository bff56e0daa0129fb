import PaletteModel

extension PaletteWriter {
  /// Merges changes in their order; nothing is written for one that is refused.
  ///
  /// What merging them asks the tables for is read beforehand, in the order of the tables, which for
  /// many changes is far less work than a search for each.
  ///
  /// - Returns: What became of each.
  /// - Throws: `StoreError` when the store failed.
  public func merge(_ arrived: [ArrivedChange]) throws(StoreError) -> [Arrival] {
    var arrivals: [Arrival] = []
    arrivals.reserveCapacity(arrived.count)
    guard arrived.count > 1 else {
      for entry in arrived {
        arrivals.append(try merge(entry.bytes, announcedAs: entry.dot, hash: entry.hash))
      }
      return arrivals
    }
    let changes = arrived.map { $0.decoded(in: id) }
    taken?.reserveCapacity(arrived.count)
    try readAhead(changes)
    try gatheringRows { () throws(StoreError) in
      for (entry, change) in zip(arrived, changes) {
        switch change {
        case .failure(let error): arrivals.append(.refused(.malformed(error)))
        case .success(let change):
          let (bytes, dot, hash) = (entry.bytes, entry.dot, entry.hash)
          arrivals.append(try merge(change, bytes, announcedAs: dot, hash: hash))
        }
      }
    }
    return arrivals
  }

  /// Reads the records of changes, and the facts of the live values that they may replace, cover or
  /// be compared with.
  private func readAhead(_ changes: [Result<Change, MalformedChange>]) throws(StoreError) {
    guard !beganEmpty else { return facts.reserve(changes.count) }
    var ids: [RecordID] = []
    ids.reserveCapacity(changes.count)
    for case .success(let change) in changes
    where records.index(of: change.record) == nil && !added.contains(change.record) {
      ids.append(change.record)
    }
    ids.sort()
    try readRecords(ids)
    var numbers: [Int64] = []
    numbers.reserveCapacity(changes.count)
    for case .success(let change) in changes {
      guard let index = records.index(of: change.record) else { continue }
      note(change, records.values[index].state, &numbers)
    }
    numbers.sort()
    // Each change has facts of its own as well.
    facts.reserve(numbers.count + changes.count)
    try readFacts(numbers)
  }

  /// Adds the numbers of the changes whose facts merging a change may ask for.
  private func note(_ change: Change, _ state: RecordState, _ numbers: inout [Int64]) {
    for value in state.values {
      let isAsked =
        change.writes.contains { $0.register == value.register }
        || change.covers.contains(value.dot)
      guard isAsked, facts.index(of: value.dot) == nil else { continue }
      if let number = streams.changeNumber(value.dot) { numbers.append(number) }
    }
  }

  /// Reads records in the order of the table.
  private func readRecords(_ ids: [RecordID]) throws(StoreError) {
    records.reserve(ids.count)
    // Where most are wanted, going on to the next row is cheaper than finding it.
    let steps = ids.count >= row.colors / 4 ? 8 : 0
    let select = try store.box(.recordsFrom)
    defer { select.statement.reset() }
    var current: RecordID?
    var isAtEnd = false
    for (position, id) in ids.enumerated() where position == 0 || ids[position - 1] != id {
      var rest = steps
      while let found = current, found < id, rest > 0 {
        isAtEnd = try !select.statement.step()
        current = isAtEnd ? nil : try select.statement.recordID(9)
        rest -= 1
      }
      var reach = StoredRecord.Reach.next
      if !isAtEnd, current.map({ $0 < id }) ?? true {
        reach = .first
        select.statement.reset()
        try select.statement.bind(row.number, at: 1)
        try select.statement.bind(id, at: 2)
        isAtEnd = try !select.statement.step()
        current = isAtEnd ? nil : try select.statement.recordID(9)
      }
      guard current == id else {
        records.put(StoredRecord(state: RecordState()), for: id)
        continue
      }
      var record = try store.storedRecord(id, select, in: row, streams)
      if steps > 0 { record.reach = reach }
      records.put(record, for: id)
    }
  }

  /// Reads facts in the order of the table.
  private func readFacts(_ numbers: [Int64]) throws(StoreError) {
    let select = try store.box(.changeRows)
    defer { select.statement.reset() }
    var current: Int64?
    for (position, number) in numbers.enumerated()
    where position == 0 || numbers[position - 1] != number {
      while let found = current, found < number, number - found <= 8 {
        current = try select.statement.step() ? select.statement.int64(0) : nil
      }
      if current.map({ $0 < number }) ?? true {
        select.statement.reset()
        try select.statement.bind(number, at: 1)
        // To the author's last.
        try select.statement.bind(number | 0xFFFF_FFFF, at: 2)
        current = try select.statement.step() ? select.statement.int64(0) : nil
      }
      // One that is missing is missed where it is needed.
      guard current == number else { continue }
      let dot = try streams.dot(number)
      facts.put(try ChangeFacts(select.statement, 2, of: dot, in: id), for: dot)
    }
  }
}

public import PaletteModel

extension PaletteWriter {
  /// Merges changes in their order; nothing is written for one that is refused.
  ///
  /// What merging them asks the tables for is read beforehand, in the order of the tables, which for
  /// many changes is far less work than a search for each.
  ///
  /// - Parameter frames: The changes, as they came together.
  /// - Returns: What became of each, in one list.
  /// - Throws: `StoreError` when the store failed.
  public func merge(_ frames: [[ArrivedChange]]) throws(StoreError) -> [Arrival] {
    let count = frames.reduce(0) { $0 + $1.count }
    var arrivals: [Arrival] = []
    arrivals.reserveCapacity(count)
    guard count > 1 else {
      for change in frames.joined() { arrivals.append(try merge(change)) }
      return arrivals
    }
    taken?.reserveCapacity(count)
    try readAhead(frames, count)
    try gatheringRows { () throws(StoreError) in
      for frame in frames {
        for index in frame.indices { arrivals.append(try merge(frame[index])) }
      }
    }
    return arrivals
  }

  /// Reads the records of changes, and the facts of the live values that they may replace, cover or
  /// be compared with.
  private func readAhead(_ frames: [[ArrivedChange]], _ count: Int) throws(StoreError) {
    guard !beganEmpty else { return facts.reserve(count) }
    var ids: [RecordID] = []
    ids.reserveCapacity(count)
    for frame in frames {
      for index in frame.indices {
        guard let record = frame[index].change?.record, records.index(of: record) == nil,
          !added.contains(record)
        else { continue }
        ids.append(record)
      }
    }
    ids.sort()
    try readRecords(ids)
    var numbers: [Int64] = []
    numbers.reserveCapacity(count)
    for frame in frames {
      for index in frame.indices { note(frame[index], &numbers) }
    }
    numbers.sort()
    // Each change has facts of its own as well.
    facts.reserve(numbers.count + count)
    try readFacts(numbers)
  }

  /// Adds the numbers of the changes whose facts merging a change may ask for.
  private func note(_ arrived: ArrivedChange, _ numbers: inout [Int64]) {
    guard let change = arrived.change, let record = records.index(of: change.record) else { return }
    for value in records.values[record].state.values {
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

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
    merged?.reserveCapacity(count)
    let places = try readAhead(frames, count)
    try gatheringRows { () throws(StoreError) in
      defer { recordIndexHint = -1 }
      for frame in frames {
        // Lent: a copy of every change would be made to merge it.
        try frame.withUnsafeBufferPointer { (changes) throws(StoreError) in
          for index in changes.indices {
            if !places.isEmpty { recordIndexHint = Int(places[arrivals.count]) }
            arrivals.append(try merge(changes[index]))
          }
        }
      }
    }
    return arrivals
  }

  /// A change whose record is to be read.
  private struct Asked {
    let record: RecordID
    /// Which of all changes it is.
    let position: Int32
    let scope: Scope
  }

  /// Which live values of its record a change may replace or cover, or be compared with.
  private enum Scope {
    /// Those of known registers, each a bit.
    case registers(UInt8)
    case all

    init(_ change: Change) {
      var registers: UInt8 = 0
      for index in change.writes.indices { registers |= change.writes[index].register.bit }
      let isPlain =
        change.covers.isEmpty && change.writes.count == registers.nonzeroBitCount
      self = isPlain ? .registers(registers) : .all
    }

    func includes(_ register: Register) -> Bool {
      switch self {
      case .registers(let registers): registers & register.bit != 0
      case .all: true
      }
    }
  }

  /// Reads the records of changes, and the facts of the live values that they may replace, cover or
  /// be compared with.
  ///
  /// - Returns: Where each change's record is kept, -1 for nowhere; or nothing at all.
  private func readAhead(
    _ frames: [[ArrivedChange]],
    _ count: Int
  ) throws(StoreError) -> [Int32] {
    guard !beganEmpty else { return [] }
    var places = [Int32](repeating: -1, count: count)
    var asked: [Asked] = []
    asked.reserveCapacity(count)
    var numbers: [Int64] = []
    numbers.reserveCapacity(count)
    var position: Int32 = 0
    for frame in frames {
      for index in frame.indices {
        defer { position += 1 }
        guard let change = frame[index].change, !added.contains(change.record) else { continue }
        let scope = Scope(change)
        if let place = records.index(of: change.record) {
          places[Int(position)] = Int32(place)
          appendNumbers(scope, at: place, &numbers)
        } else {
          asked.append(Asked(record: change.record, position: position, scope: scope))
        }
      }
    }
    Self.sort(&asked)
    try readRecords(of: asked) { entry, place in
      places[Int(entry.position)] = Int32(place)
      appendNumbers(entry.scope, at: place, &numbers)
    }
    facts.reserve(numbers.count + count)
    // All are positive.
    numbers.sort(byNumber: UInt64.init(bitPattern:))
    try readFacts(numbers)
    return places
  }

  /// Sorts by record.
  private static func sort(_ asked: inout [Asked]) {
    asked.sort(byNumber: \.record.high)
    // Hardly ever do two ids begin with the same half.
    var start = 0
    for end in 1...max(1, asked.count) {
      if end < asked.count, asked[end].record.high == asked[start].record.high { continue }
      if end - start > 1 { asked[start..<end].sort { $0.record < $1.record } }
      start = end
    }
  }

  /// The most live values of a record whose facts are read beforehand.
  ///
  /// Most records have one value a register. The facts of one with very many are read as they are
  /// needed: every change about it would ask for all of them again.
  private static let valuesToReadAhead = 32

  /// Adds the numbers of the changes whose facts merging a change may ask for.
  private func appendNumbers(_ scope: Scope, at place: Int, _ numbers: inout [Int64]) {
    records.values[place].state.values.withUnsafeBufferPointer { values in
      guard values.count <= Self.valuesToReadAhead else { return }
      for index in values.indices where scope.includes(values[index].register) {
        let dot = values[index].dot
        if facts[dot] == nil, let number = streams.changeNumber(dot) { numbers.append(number) }
      }
    }
  }

  /// Reads records in the order of the table, and tells where each is kept.
  private func readRecords(
    of asked: [Asked],
    _ isKept: (Asked, Int) -> Void
  ) throws(StoreError) {
    var ids: [RecordID] = []
    ids.reserveCapacity(asked.count)
    for entry in asked where ids.last != entry.record { ids.append(entry.record) }
    // Where most are wanted, going on to the next row is cheaper than finding it.
    let steps = asked.count >= row.colors / 4 ? 8 : 0
    try store.functions.recordFilter().lend(ids, patience: steps) { () throws(StoreError) in
      records.reserve(ids.count)
      var next = asked.startIndex
      try readRecords(ids, isWalk: steps > 0) { place in
        while next < asked.endIndex, asked[next].record == records.keys[place] {
          isKept(asked[next], place)
          next += 1
        }
      }
    }
  }

  /// Reads records in the order of the table, from row to row on a walk, and tells where each is kept.
  private func readRecords(
    _ ids: [RecordID],
    isWalk: Bool,
    _ isKept: (Int) -> Void
  ) throws(StoreError) {
    let select = try store.box(.recordsFrom)
    defer { select.statement.reset() }
    var current: RecordID?
    var isAtEnd = false
    var begins = true
    for id in ids {
      if isWalk, let found = current, found < id {
        isAtEnd = try !select.statement.step()
        current = isAtEnd ? nil : try select.statement.recordID(9)
      }
      if !isAtEnd, current.map({ $0 < id }) ?? true {
        begins = true
        select.statement.reset()
        try select.statement.bind(row.number, at: 1)
        try select.statement.bind(id, at: 2)
        isAtEnd = try !select.statement.step()
        current = isAtEnd ? nil : try select.statement.recordID(9)
      }
      var record = StoredRecord(state: RecordState())
      if current == id {
        record = try store.storedRecord(id, select, in: row, streams)
        if isWalk { record.reach = begins ? .first : .next }
        begins = false
      }
      isKept(records.put(record, for: id))
    }
  }

  /// Reads facts in the order of the table.
  private func readFacts(_ numbers: [Int64]) throws(StoreError) {
    let select = try store.box(.changeBytes)
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
      facts.put(try ChangeFacts(select.statement, 1, of: dot, in: id), for: dot)
    }
  }
}

package import PaletteMerge
internal import PaletteModel

extension PaletteWriter {
  /// Merges the bytes of a change, as the other `merge` does.
  @discardableResult
  package func merge(_ bytes: [UInt8]) throws(StoreError) -> Arrival {
    try merge(ArrivedChange(bytes: bytes, in: id))
  }

  /// Merges a change; nothing is written for one that is refused.
  ///
  /// - Returns: What became of it.
  /// - Throws: `StoreError` when the store failed.
  @discardableResult
  package func merge(_ arrived: ArrivedChange) throws(StoreError) -> Arrival {
    guard let change = arrived.change, change.dot == arrived.dot else {
      return .refused(.malformed(arrived.flaw(in: id)))
    }
    let hash =
      arrived.hash ?? arrived.bytes.withUnsafeBytes { ChangeHash(of: $0, in: row.id) }
    let head = streams[change.dot.node]?.head
    let held = change.dot.sequence <= head?.sequence ?? 0 ? try hashHeld(change.dot) : nil
    do throws(Refusal) {
      guard try change.continues(head, hash: hash, heldHash: held) else { return .held }
    } catch {
      return .refused(error)
    }
    try append(change, bytes: arrived.bytes, hash: hash)
    try parts.identity.abandonNodeID(from: change.dot.node)
    return .merged
  }

  /// Merges changes in their order; nothing is written for one that is refused.
  ///
  /// What merging them asks the tables for is read beforehand, in the order of the tables, which for
  /// many changes is far less work than a search for each.
  ///
  /// - Parameter parts: The changes, as they came together.
  /// - Returns: What became of each, in one list.
  /// - Throws: `StoreError` when the store failed.
  package func merge(_ parts: [ArrivedChanges]) throws(StoreError) -> [Arrival] {
    guard holdsNothing, let first = parts.first, case .beginning(let beginning) = first.content
    else { return try merge(parts.map(\.changes)) }
    try load(beginning)
    let loaded = [Arrival](repeating: .merged, count: first.count)
    return parts.count == 1 ? loaded : loaded + (try merge(parts.dropFirst().map(\.changes)))
  }

  /// Merges the beginning of a palette of which nothing is held.
  private func load(_ beginning: PaletteBeginning) throws(StoreError) {
    let changes = beginning.changes
    for head in beginning.heads {
      let node = changes.authors[Int(head.author)]
      var stream = try self.stream(of: node)
      stream.held = head.last.sequence
      stream.link = head.last.link
      stream.wrote = head.last.sequence
      for row in changes.rows where row.author == head.author {
        stream.append(row.stamp, at: row.sequence)
      }
      draft.add(Digest(node, head.last))
      streams.update(stream)
      try parts.identity.abandonNodeID(from: node)
    }
    try insertMoment()
    var loader = RowLoader(changes, in: records.table, facts)
    try loader.insertChanges()
    try loader.insertRecords()
    began(with: beginning)
  }

  private func merge(_ frames: [[ArrivedChange]]) throws(StoreError) -> [Arrival] {
    let count = frames.reduce(0) { $0 + $1.count }
    var arrivals: [Arrival] = []
    arrivals.reserveCapacity(count)
    guard count > 1 else {
      for change in frames.joined() { arrivals.append(try merge(change)) }
      return arrivals
    }
    reserve(count)
    try readAhead(frames, count)
    try gatheringRows { () throws(StoreError) in
      for frame in frames {
        // Lent: a copy of every change would be made to merge it.
        try frame.withUnsafeBufferPointer { (changes) throws(StoreError) in
          for index in changes.indices { arrivals.append(try merge(changes[index])) }
        }
      }
    }
    return arrivals
  }

  /// The live values of a record that changes may replace or cover, or be compared with.
  private struct Scope {
    /// Packed registers, each a bit; nil for all registers.
    private var registers: UInt8?

    init(_ change: Change) {
      var bits: UInt8 = 0
      for index in change.writes.indices { bits |= change.writes[index].register.bit }
      let isPlain = change.covers.isEmpty && change.writes.count == bits.nonzeroBitCount
      registers = isPlain ? bits : nil
    }

    mutating func formUnion(_ other: Scope) {
      if let bits = registers, let others = other.registers {
        registers = bits | others
      } else {
        registers = nil
      }
    }

    func includes(_ register: Register) -> Bool {
      if let registers { registers & register.bit != 0 } else { true }
    }
  }

  /// A record about which changes came.
  private struct AskedRecord {
    let id: RecordID
    var scope: Scope
  }

  /// Reads the records of changes, and the facts of the live values that they may replace, cover or
  /// be compared with.
  private func readAhead(_ frames: [[ArrivedChange]], _ count: Int) throws(StoreError) {
    guard !beganEmpty else { return }
    var numbers: [Int64] = []
    numbers.reserveCapacity(count)
    var missing: [AskedRecord] = []
    for asked in askedRecords(frames, count) {
      if let known = records.known(asked.id) {
        appendNumbers(asked.scope, of: known, &numbers)
      } else {
        missing.append(asked)
      }
    }
    records.reserve(missing.count)
    // Where most are wanted, going on to the next row is cheaper than finding it.
    let steps = missing.count >= row.colors / 4 ? 8 : 0
    let filter = try parts.functions.recordFilter()
    try filter.lend(missing.map(\.id), patience: steps) { () throws(StoreError) in
      try readRecords(missing, isWalk: steps > 0, &numbers)
    }
    numbers.sort()
    facts.reserve(numbers.count + count)
    try readFacts(numbers)
  }

  /// The records of changes, each once, in the order of the table.
  private func askedRecords(_ frames: [[ArrivedChange]], _ count: Int) -> [AskedRecord] {
    var asked: [AskedRecord] = []
    asked.reserveCapacity(count)
    for frame in frames {
      for index in frame.indices {
        guard let change = frame[index].change, !records.wasAdded(change.record) else { continue }
        asked.append(AskedRecord(id: change.record, scope: Scope(change)))
      }
    }
    asked.sort { $0.id < $1.id }
    var kept = 0
    for record in asked {
      if kept > 0, asked[kept - 1].id == record.id {
        asked[kept - 1].scope.formUnion(record.scope)
      } else {
        asked[kept] = record
        kept += 1
      }
    }
    asked.removeSubrange(kept...)
    return asked
  }

  /// The most live values of a record whose facts are read beforehand.
  ///
  /// Most records have one value a register. The facts of one with very many are read as they are
  /// needed: every change about it would ask for all of them again.
  private static let valuesToReadAhead = 32

  /// Adds the numbers of the changes whose facts merging changes about a record may ask for.
  private func appendNumbers(_ scope: Scope, of record: StoredRecord, _ numbers: inout [Int64]) {
    let values = record.state.values
    guard values.count <= Self.valuesToReadAhead else { return }
    for value in values where scope.includes(value.register) {
      guard facts[value.dot] == nil, let number = streams.changeNumber(value.dot) else { continue }
      numbers.append(number)
    }
  }

  /// Reads records in the order of the table, and adds the numbers of the changes with their facts.
  private func readRecords(
    _ asked: [AskedRecord],
    isWalk: Bool,
    _ numbers: inout [Int64]
  ) throws(StoreError) {
    let select = try database.box(.recordsFrom)
    defer { select.statement.reset() }
    var current: RecordID?
    var isAtEnd = false
    var begins = true
    for asked in asked {
      let id = asked.id
      if isWalk, let found = current, found < id {
        isAtEnd = try !select.statement.step()
        current = isAtEnd ? nil : try select.statement.recordID(SelectedColumns.end)
      }
      if !isAtEnd, current.map({ $0 < id }) ?? true {
        begins = true
        select.statement.reset()
        try select.statement.bind(row.number, at: 1)
        try select.statement.bind(id, at: 2)
        isAtEnd = try !select.statement.step()
        current = isAtEnd ? nil : try select.statement.recordID(SelectedColumns.end)
      }
      var record = StoredRecord(state: RecordState())
      if current == id {
        record = try StoredRecord(id, row: select, of: row, streams, in: database)
        if isWalk { record.reach = begins ? .first : .next }
        begins = false
        appendNumbers(asked.scope, of: record, &numbers)
      }
      records.put(record, for: id)
    }
  }

  /// Reads facts in the order of the table.
  private func readFacts(_ numbers: [Int64]) throws(StoreError) {
    let select = try database.box(.changeBytes)
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
